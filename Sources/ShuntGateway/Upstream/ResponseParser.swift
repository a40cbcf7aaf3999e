#if Gateway
import NIOCore
import NIOHTTP1

/// Takes the bytes of an upstream's connection apart, one response for each request.
///
/// NIO's decoder goes on into what follows a response, and does not tell: bytes that nobody asked for would be the beginning of
/// the next answer. This one stops where the response ends, and knows what is left.
struct ResponseParser {
    /// A part of a response.
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
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilEnd
        case end
    }

    /// The most bytes of a head or of trailers.
    static let headLimit = 131_072
    /// The most headers.
    static let fieldLimit = 256
    /// The longest line with the size of a chunk.
    static let chunkLineLimit = 1_024
    /// The longest line behind the chunks.
    static let trailerLineLimit = 8_192
    /// How many responses below 200 may come before the one that counts.
    static let interimLimit = 32

    private var state = State.idle
    private var buffer = ByteBuffer()
    private var method = HTTPMethod.GET
    /// How many bytes of a head were looked through.
    private var searched = 0
    private var interimCount = 0
    private var trailerBytes = 0
    /// Whether anything of a response has come.
    private(set) var hasBegun = false

    /// Whether there are bytes that belong to no response.
    var hasRest: Bool { buffer.readableBytes > 0 }

    /// A request was sent.
    mutating func begin(_ method: HTTPMethod) {
        self.method = method
        state = .head
        searched = 0
        interimCount = 0
        trailerBytes = 0
        hasBegun = false
    }

    /// Takes bytes that have come.
    mutating func append(_ bytes: ByteBuffer) {
        hasBegun = true
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The bytes that are left.
    mutating func takeRest() -> ByteBuffer {
        defer { buffer = ByteBuffer() }
        return buffer
    }

    /// The next part; nil where more bytes are needed, or a response has ended.
    mutating func next() throws(ResponseFailure) -> Part? {
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
                state =
                    switch head.body {
                    case .none: .end
                    case .length(let count): .length(count)
                    case .chunks: .chunkSize
                    case .untilEnd: .untilEnd
                    }
                return .head(head)
            case .length(let count):
                guard let part = take(count) else { return nil }
                state = part.readableBytes == count ? .end : .length(count - part.readableBytes)
                return .body(part)
            case .untilEnd: return take(.max).map { .body($0) }
            case .chunkSize:
                guard let size = try chunkSize() else { return nil }
                state = size == 0 ? .trailers : .chunk(size)
            case .chunk(let count):
                guard let part = take(count) else { return nil }
                state = part.readableBytes == count ? .chunkEnd : .chunk(count - part.readableBytes)
                return .body(part)
            case .chunkEnd:
                guard buffer.readableBytes >= 2 else { return nil }
                guard buffer.readBytes(length: 2) == [0x0d, 0x0a] else { throw .chunk }
                state = .chunkSize
            case .trailers:
                guard try endsTrailers() else { return nil }
                state = .end
            }
        }
    }

    /// The upstream has closed the connection.
    ///
    /// - Throws: When that breaks a response off.
    mutating func finish() throws(ResponseFailure) {
        guard case .untilEnd = state else { throw .brokenOff }
        state = .idle
    }

    // MARK: Parts

    /// At most so many bytes; nil for none.
    private mutating func take(_ count: Int) -> ByteBuffer? {
        let available = min(count, buffer.readableBytes)
        return available == 0 ? nil : buffer.readSlice(length: available)
    }

    /// The head, once it is there up to its empty line.
    private mutating func head() throws(ResponseFailure) -> ResponseHead? {
        guard let length = try headLength() else {
            searched = buffer.readableBytes
            guard searched <= Self.headLimit else { throw .tooManyHeaders }
            return nil
        }
        let head = try ResponseHead(buffer.readableBytesUInt8Span.extracting(0..<length), answering: method)
        buffer.moveReaderIndex(forwardBy: length)
        searched = 0
        return head
    }

    /// The length of the head with its empty line; nil where it is not there yet.
    private func headLength() throws(ResponseFailure) -> Int? {
        let bytes = buffer.readableBytesUInt8Span
        // What cannot become a status line need not be waited for.
        if bytes.count > 0, bytes[0] != 0x48 { throw .statusLine }
        for index in searched..<bytes.count where bytes[index] == 0x0a {
            guard index > 0, bytes[index - 1] == 0x0d else { throw .headerLine }
            if index >= 3, bytes[index - 2] == 0x0a { return index + 1 }
        }
        return nil
    }

    /// A line without its end; nil where it is not there yet.
    private mutating func line(limit: Int, or failure: ResponseFailure) throws(ResponseFailure) -> ByteBuffer? {
        guard let length = try lineLength(limit: limit, or: failure), let line = buffer.readSlice(length: length) else {
            return nil
        }
        buffer.moveReaderIndex(forwardBy: 2)
        return line
    }

    private func lineLength(limit: Int, or failure: ResponseFailure) throws(ResponseFailure) -> Int? {
        let bytes = buffer.readableBytesUInt8Span
        for index in 0..<bytes.count {
            guard index <= limit else { throw failure }
            guard bytes[index] == 0x0a else { continue }
            guard index > 0, bytes[index - 1] == 0x0d else { throw failure }
            return index - 1
        }
        return nil
    }

    /// The size of the next chunk; what extends it is dropped.
    private mutating func chunkSize() throws(ResponseFailure) -> Int? {
        guard let line = try line(limit: Self.chunkLineLimit, or: .chunk) else { return nil }
        let bytes = line.readableBytesUInt8Span
        var size = 0
        var index = 0
        while index < bytes.count, let digit = Self.digit(bytes[index]) {
            // 15 digits are more than any body has, and no number that overflows.
            guard index < 15 else { throw .chunk }
            size = size << 4 | digit
            index += 1
        }
        guard index > 0, index == bytes.count || bytes[index] == 0x3b else { throw .chunk }
        for rest in index..<bytes.count where bytes[rest] < 0x20 && bytes[rest] != 0x09 || bytes[rest] == 0x7f {
            throw .chunk
        }
        return size
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x61...0x66: Int(byte - 0x61 + 10)
        case 0x41...0x46: Int(byte - 0x41 + 10)
        default: nil
        }
    }

    /// Reads headers behind the chunks, which are dropped, up to the empty line.
    private mutating func endsTrailers() throws(ResponseFailure) -> Bool {
        while let line = try line(limit: Self.trailerLineLimit, or: .headerLine) {
            let bytes = line.readableBytesUInt8Span
            if bytes.isEmpty { return true }
            trailerBytes += bytes.count
            guard trailerBytes <= Self.headLimit else { throw .tooManyHeaders }
            var colon = 0
            while colon < bytes.count, ResponseHead.isNameByte(bytes[colon]) { colon += 1 }
            guard colon > 0, colon < bytes.count, bytes[colon] == 0x3a else { throw .headerLine }
        }
        return false
    }
}
#endif
