#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// The status line and the headers of an upstream's response.
struct ResponseHead: Equatable {
    /// The end of the body.
    enum Body: Equatable {
        case none
        case length(Int)
        case chunks
        case untilEnd
    }

    let status: HTTPResponseStatus
    let fields: HeaderFields
    let body: Body
    /// The Content-Length, also of an answer without a body.
    let length: Int?
    /// True if the connection may be used again.
    let isKeptAlive: Bool

    /// Makes the head of an answer that comes from no upstream.
    init(status: HTTPResponseStatus, fields: HeaderFields, body: Body, length: Int?) {
        (self.status, self.fields, self.body, self.length) = (status, fields, body, length)
        isKeptAlive = true
    }

    /// Reads a head as strictly as can be: what two parsers may read in two ways is refused.
    ///
    /// Lines end with CR and LF, names are tokens right before a colon, and no header is folded.
    ///
    /// https://www.rfc-editor.org/rfc/rfc9112
    ///
    /// - Parameters:
    ///   - head: The bytes up to and with the empty line.
    ///   - method: The method that was asked with.
    /// - Throws: What is wrong with it.
    init(_ head: ByteBuffer, answering method: HTTPMethod) throws(ResponseFailure) {
        let bytes = head.readableBytesUInt8Span
        var end = try Self.lineEnd(bytes, from: 0)
        let (minor, code, reason) = try Self.statusLine(bytes.extracting(0..<end))
        var list: [HeaderFields.Field] = []
        list.reserveCapacity(12)
        var framing = Framing(minorVersion: minor)
        while true {
            let start = end + 2
            end = try Self.lineEnd(bytes, from: start)
            if end == start { break }
            guard list.count < ResponseParser.fieldLimit else { throw .tooManyHeaders }
            guard let field = HeaderFields.Field(start..<end, of: bytes) else { throw .headerLine }
            try framing.note(bytes.extracting(field.name), bytes.extracting(field.value))
            list.append(field)
        }
        status = HTTPResponseStatus(statusCode: code, reasonPhrase: reason)
        fields = HeaderFields(head, list)
        body = try framing.body(status: code, method: method)
        length = framing.length
        isKeptAlive = framing.isKeptAlive && body != .untilEnd && code != 101
    }

    /// The place where the line that begins at `start` ends, before its CR and LF.
    private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) throws(ResponseFailure) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != 0x0a { end += 1 }
        guard end < bytes.count, end > start, bytes[end - 1] == 0x0d else { throw .headerLine }
        return end - 1
    }

    /// The minor version, the status and the reason of a status line.
    private static func statusLine(_ line: Span<UInt8>) throws(ResponseFailure) -> (Int, Int, String) {
        guard line.count >= 12, line[0] == 0x48, line[1] == 0x54, line[2] == 0x54, line[3] == 0x50, line[4] == 0x2f,
            line[5] == 0x31, line[6] == 0x2e, line[7] == 0x30 || line[7] == 0x31, line[8] == 0x20
        else { throw .statusLine }
        var code = 0
        for index in 9..<12 {
            guard (0x30...0x39).contains(line[index]) else { throw .statusLine }
            code = code * 10 + Int(line[index] - 0x30)
        }
        guard line.count == 12 || line[12] == 0x20 else { throw .statusLine }
        guard code >= 100 else { throw .status(code) }
        let reason = line.extracting(min(13, line.count)..<line.count)
        // Tabs are not control bytes here.
        for index in reason.indices where reason[index].isControl { throw .statusLine }
        return (Int(line[7] - 0x30), code, String(repairing: reason))
    }

    /// The framing that the headers of a response declare.
    private struct Framing {
        private let minorVersion: Int
        private(set) var length: Int?
        private var isChunked = false
        private var closes = false
        private var keeps = false

        init(minorVersion: Int) { self.minorVersion = minorVersion }

        var isKeptAlive: Bool { !closes && (minorVersion == 1 || keeps) }

        mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(ResponseFailure) {
            switch name.count {
            case 10 where name.isSameHeader(as: "connection"):
                if value.lists("close") { closes = true }
                if value.lists("keep-alive") { keeps = true }
            case 14 where name.isSameHeader(as: "content-length"):
                guard length == nil, !isChunked else { throw .twoLengths }
                guard let number = Int(digits: value) else { throw .length }
                length = number
            case 17 where name.isSameHeader(as: "transfer-encoding"):
                guard length == nil, !isChunked else { throw .twoLengths }
                guard minorVersion == 1, value.isSameHeader(as: "chunked") else { throw .transferCoding }
                isChunked = true
            default: break
            }
        }

        func body(status: Int, method: HTTPMethod) throws(ResponseFailure) -> Body {
            if method == .HEAD || status < 200 || status == 204 || status == 304 { return .none }
            if isChunked { return .chunks }
            guard let length else { return .untilEnd }
            return length == 0 ? .none : .length(length)
        }
    }
}

extension String {
    /// Returns true if this is a header's name, or a word of a value, whatever its case.
    ///
    /// - Parameter name: The same in lower case.
    /// - Returns: Whether it is.
    func isSameHeader(as name: StaticString) -> Bool { utf8.span.isSameHeader(as: name) }
}
#endif
