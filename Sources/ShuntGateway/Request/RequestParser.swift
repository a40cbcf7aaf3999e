#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// Takes the bytes of a client's connection apart, one request after the other, as strictly as can be: what two parsers may
/// read in two ways is refused.
///
/// Each line is read once, when it is whole. Text is made of nothing here.
///
/// https://www.rfc-editor.org/rfc/rfc9112
struct RequestParser {
    enum Part {
        case head(RequestHead)
        case body(ByteBuffer)
        case end
    }

    /// The kind of invalid request.
    enum Failure: Error {
        case malformed
        /// A version of HTTP after 1.
        case laterVersion
        case longTarget
        case longHeaders
    }

    private enum State {
        case head
        case body
        case end
        /// No one knows what follows.
        case lost
    }

    /// The most headers.
    static let fieldLimit = 256
    /// The most bytes of a request line without its target.
    private static let lineSpare = 128

    /// The most bytes of an invalid request line that are logged.
    private static let loggedLimit = 1_748

    /// The most bytes of the headers' names and values.
    private let headerLimit: Int
    private var state = State.head
    private var buffer = ByteBuffer()
    private var body = BodyReader.none
    /// The number of bytes that the body took so far, with the lines of its chunks.
    private(set) var bodyBytes = 0
    /// The place where the line begins that is read.
    private var lineStart = 0
    /// The number of bytes searched for the end of the line.
    private var searched = 0
    private var line: RequestLine?
    private var fields: [HeaderFields.Field] = []

    init(headerLimit: Int) { self.headerLimit = headerLimit }

    /// True if a request, or a part of one, has come that is not begun.
    var hasNext: Bool {
        guard case .head = state else { return false }
        return buffer.readableBytes > 0
    }

    /// True if the next part is a head.
    var isAtHead: Bool { if case .head = state { true } else { false } }

    /// The known part of a request that could not be read.
    var failedHead: RequestHead {
        if let line { return RequestHead(line, HeaderFields()) }
        return RequestHead(unknown: buffer.readableBytesView.starts(with: "HEAD ".utf8) ? .HEAD : .RAW(value: ""))
    }

    /// The invalid request line, up to the length that nginx logs; nil for one that could be read.
    var failedLine: [UInt8]? {
        guard line == nil else { return nil }
        let bytes = buffer.readableBytesView.prefix { $0 != 0x0d && $0 != 0x0a }
        return bytes.count <= Self.loggedLimit ? Array(bytes) : bytes.prefix(Self.loggedLimit) + Array("...".utf8)
    }

    /// Takes bytes that have come.
    mutating func append(_ bytes: ByteBuffer) { buffer.append(read: bytes) }

    /// The memory of the bytes that were not taken.
    var heldBytes: Int { buffer.storageCapacity }

    /// The number of bytes of the body that have come and are not taken; counted no further than past a limit.
    func bodyAhead(past limit: Int) -> Int {
        guard case .body = state else { return 0 }
        var (body, buffer, count) = (body, buffer, 0)
        while count <= limit, case .part(let part)? = try? body.next(&buffer) { count += part.readableBytes }
        return count
    }

    /// The bytes that are left.
    mutating func takeRest() -> ByteBuffer {
        defer { drop() }
        return buffer
    }

    /// Forgets what has come and was not taken.
    mutating func drop() {
        buffer = ByteBuffer()
        beginHead()
    }

    /// The next part; nil where more bytes are needed.
    ///
    /// - Throws: What is wrong with a request; nothing comes after it.
    mutating func next() throws(Failure) -> Part? {
        let part = try step()
        if part == nil { buffer.giveBack() }
        return part
    }

    private mutating func step() throws(Failure) -> Part? {
        switch state {
        case .head:
            do throws(Failure) {
                return try head().map { .head($0) }
            } catch {
                state = .lost
                throw error
            }
        case .body:
            switch try bodyStep() {
            case .wait: return nil
            case .part(let bytes): return .body(bytes)
            case .end:
                state = .head
                return .end
            }
        case .end:
            state = .head
            return .end
        case .lost:
            buffer = ByteBuffer()
            return nil
        }
    }

    private mutating func bodyStep() throws(Failure) -> BodyReader.Step {
        let before = buffer.readableBytes
        defer { bodyBytes += before - buffer.readableBytes }
        do throws(BodyReader.Failure) {
            return try body.next(&buffer)
        } catch {
            state = .lost
            throw .malformed
        }
    }

    // MARK: The head

    private mutating func beginHead() {
        lineStart = 0
        searched = 0
        line = nil
        fields.removeAll(keepingCapacity: false)
    }

    private mutating func head() throws(Failure) -> RequestHead? {
        if line == nil { skipEmptyLines() }
        guard let length = try readLines(), let line, let bytes = buffer.readSlice(length: length) else { return nil }
        let head = RequestHead(line, HeaderFields(bytes, fields))
        beginHead()
        bodyBytes = 0
        switch head.body {
        case .success(.none): state = .end
        case .success(.known(let count)): (state, body) = (.body, .length(count))
        case .success(.unknown): (state, body) = (.body, .chunks)
        case .failure: state = .lost
        }
        return head
    }

    /// Reads all lines that are whole.
    ///
    /// - Returns: The length of the head when the empty line is among them.
    private mutating func readLines() throws(Failure) -> Int? {
        let whole = buffer
        let bytes = whole.readableBytesUInt8Span
        var (start, index, line, fields) = (lineStart, searched, line, fields)
        self.fields = []
        defer { (lineStart, searched, self.line, self.fields) = (start, index, line, fields) }
        // What cannot become a request line need not be waited for.
        if line == nil, bytes.count > 0, !RequestLine.isMethodByte(bytes[0]) && bytes[0] != 0x0d { throw .malformed }
        while index < bytes.count {
            index = LineScan.end(in: bytes, from: index)
            guard index < bytes.count else { break }
            guard index > start, bytes[index - 1] == 0x0d else { throw .malformed }
            let end = index - 1
            index += 1
            if line == nil {
                guard end <= IncomingRequest.targetLimit + Self.lineSpare else { throw .longTarget }
                line = RequestLine(bytes.extracting(start..<end))
                guard line != nil else {
                    throw RequestLine.hasLaterVersion(bytes.extracting(start..<end)) ? .laterVersion : .malformed
                }
                fields.reserveCapacity(12)
            } else if end == start {
                return index
            } else {
                guard fields.count < Self.fieldLimit else { throw .longHeaders }
                if let field = HeaderFields.Field(start..<end, of: bytes) {
                    fields.append(field)
                } else if !HeaderFields.Field.isPassedOver(bytes.extracting(start..<end)) {
                    throw .malformed
                }
            }
            start = index
        }
        guard line != nil || bytes.count <= IncomingRequest.targetLimit + Self.lineSpare else { throw .longTarget }
        guard bytes.count <= IncomingRequest.targetLimit + headerLimit else { throw .longHeaders }
        return nil
    }

    /// Empty lines before a request are skipped.
    private mutating func skipEmptyLines() {
        while buffer.getInteger(at: buffer.readerIndex, as: UInt16.self) == 0x0d0a {
            buffer.moveReaderIndex(forwardBy: 2)
            searched = 0
        }
    }
}
#endif
