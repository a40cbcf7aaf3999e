#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// Takes the bytes of an upstream's connection apart, one response for each request.
///
/// NIO's decoder continues into what follows a response, and does not report it: bytes without a request would be
/// the beginning of the next answer. This one stops where the response ends, and knows what is left.
struct ResponseParser {
    enum Part: Equatable {
        case head(ResponseHead)
        case body(ByteBuffer)
        case end
        /// The connection speaks another protocol from here on.
        case switched(ResponseHead)
    }

    private enum State {
        /// Nothing was asked.
        case idle
        case head
        case body
        case end
    }

    /// The most bytes of a head or of trailers.
    static let headLimit = 131_072
    /// The most headers.
    static let fieldLimit = 256
    /// The most responses below 200 before the final one.
    static let interimLimit = 32

    private var state = State.idle
    private var buffer = ByteBuffer()
    private var method = HTTPMethod.GET
    /// The number of bytes of a head that were searched.
    private var searched = 0
    private var interimCount = 0
    private var body = BodyReader.none
    /// True if anything of a response has come.
    private(set) var hasBegun = false

    /// True if there are bytes that belong to no response.
    var hasRest: Bool { buffer.readableBytes > 0 }

    /// A request was sent.
    mutating func begin(_ method: HTTPMethod) {
        self.method = method
        state = .head
        searched = 0
        interimCount = 0
        body = .none
        hasBegun = false
    }

    /// Takes bytes that have come.
    mutating func append(_ bytes: ByteBuffer) {
        hasBegun = true
        buffer.append(read: bytes)
    }

    /// The memory of the bytes that were not taken.
    var heldBytes: Int { buffer.storageCapacity }

    /// The bytes that are left.
    mutating func takeRest() -> ByteBuffer {
        defer { buffer = ByteBuffer() }
        return buffer
    }

    /// The next part; nil where more bytes are needed, or a response has ended.
    mutating func next() throws(ResponseFailure) -> Part? {
        let part = try step()
        if part == nil { buffer.giveBack() }
        return part
    }

    private mutating func step() throws(ResponseFailure) -> Part? {
        while true {
            switch state {
            case .idle: return nil
            case .end:
                state = .idle
                return .end
            case .head:
                guard let head = try head() else { return nil }
                if head.status.code == 101 {
                    state = .idle
                    return .switched(head)
                }
                guard head.status.code >= 200 else {
                    interimCount += 1
                    guard interimCount <= Self.interimLimit else { throw .tooManyInterimResponses }
                    continue
                }
                state = head.body == .none ? .end : .body
                body =
                    switch head.body {
                    case .none: .none
                    case .length(let count): .length(count)
                    case .chunks: .chunks
                    case .untilEnd: .untilEnd
                    }
                return .head(head)
            case .body:
                switch try part() {
                case .wait: return nil
                case .part(let bytes): return .body(bytes)
                case .end: state = .end
                }
            }
        }
    }

    private mutating func part() throws(ResponseFailure) -> BodyReader.Step {
        do throws(BodyReader.Failure) {
            return try body.next(&buffer)
        } catch {
            switch error {
            case .chunk: throw .chunk
            case .trailer: throw .headerLine
            case .tooManyTrailers: throw .tooManyHeaders
            }
        }
    }

    /// The upstream has closed the connection.
    ///
    /// - Throws: When that breaks a response off.
    mutating func finish() throws(ResponseFailure) {
        guard case .body = state, body.isUntilEnd else { throw .brokenOff }
        state = .idle
    }

    // MARK: Parts

    /// The head, once it is there up to its empty line.
    private mutating func head() throws(ResponseFailure) -> ResponseHead? {
        guard let length = try headLength() else {
            searched = buffer.readableBytes
            guard searched <= Self.headLimit else { throw .tooManyHeaders }
            return nil
        }
        guard let head = buffer.readSlice(length: length) else { return nil }
        searched = 0
        return try ResponseHead(head, answering: method)
    }

    /// The length of the head with its empty line; nil where it is not there yet.
    private func headLength() throws(ResponseFailure) -> Int? {
        let bytes = buffer.readableBytesUInt8Span
        // What cannot become a status line need not be waited for.
        if bytes.count > 0, bytes[0] != 0x48 { throw .statusLine }
        var index = LineScan.end(in: bytes, from: searched)
        while index < bytes.count {
            guard index > 0, bytes[index - 1] == 0x0d else { throw .headerLine }
            if index >= 3, bytes[index - 2] == 0x0a { return index + 1 }
            index = LineScan.end(in: bytes, from: index + 1)
        }
        return nil
    }
}
#endif
