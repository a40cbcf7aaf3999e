#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// The status line and the headers of an upstream's response.
struct ResponseHead: Equatable {
    /// How the body ends.
    enum Body: Equatable {
        case none
        case length(Int)
        case chunks
        case untilEnd
    }

    let status: HTTPResponseStatus
    let headers: HTTPHeaders
    let body: Body
    /// Whether the connection may be used again.
    let isKeptAlive: Bool

    /// Reads a head as strictly as can be: what two parsers may read in two ways is refused.
    ///
    /// Lines end with CR and LF, names are tokens right before a colon, and no header is folded. Bytes of values that are no
    /// UTF-8 become U+FFFD.
    ///
    /// https://www.rfc-editor.org/rfc/rfc9112
    ///
    /// - Parameters:
    ///   - bytes: The bytes up to and with the empty line.
    ///   - method: The method that was asked with.
    /// - Throws: What is wrong with it.
    init(_ bytes: Span<UInt8>, answering method: HTTPMethod) throws(ResponseFailure) {
        var end = try Self.lineEnd(bytes, from: 0)
        let (minor, code, reason) = try Self.statusLine(bytes.extracting(0..<end))
        var headers: [(String, String)] = []
        headers.reserveCapacity(12)
        var framing = Framing(minorVersion: minor)
        while true {
            let start = end + 2
            end = try Self.lineEnd(bytes, from: start)
            if end == start { break }
            guard headers.count < ResponseParser.fieldLimit else { throw .tooManyHeaders }
            let (name, value) = try Self.field(bytes.extracting(start..<end))
            try framing.note(name, value)
            headers.append((name, value))
        }
        status = HTTPResponseStatus(statusCode: code, reasonPhrase: reason)
        self.headers = HTTPHeaders(headers)
        body = try framing.body(status: code, method: method)
        isKeptAlive = framing.isKeptAlive && body != .untilEnd && code != 101
    }

    /// Where the line that begins at `start` ends, before its CR and LF.
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
        guard isText(reason) else { throw .statusLine }
        return (Int(line[7] - 0x30), code, String(repairing: reason))
    }

    /// The name and the value of a header line.
    private static func field(_ line: Span<UInt8>) throws(ResponseFailure) -> (String, String) {
        var colon = 0
        while colon < line.count, isNameByte(line[colon]) { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == 0x3a else { throw .headerLine }
        var start = colon + 1
        var end = line.count
        while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
        let value = line.extracting(start..<end)
        guard isText(value) else { throw .headerLine }
        return (String(repairing: line.extracting(0..<colon)), String(repairing: value))
    }

    /// Whether there is no control byte but for tabs.
    private static func isText(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x20 && byte != 0x09 || byte == 0x7f { return false }
        }
        return true
    }

    /// Whether a byte may be in a name.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x2d, 0x5f, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2e, 0x5e, 0x60, 0x7c,
            0x7e:
            true
        default: false
        }
    }

    /// What headers say of the end of a response.
    private struct Framing {
        private let minorVersion: Int
        private var length: Int?
        private var isChunked = false
        private var closes = false
        private var keeps = false

        init(minorVersion: Int) { self.minorVersion = minorVersion }

        var isKeptAlive: Bool { !closes && (minorVersion == 1 || keeps) }

        mutating func note(_ name: String, _ value: String) throws(ResponseFailure) {
            switch name.utf8.count {
            case 10 where name.isSameHeader(as: "connection"):
                for option in value.split(separator: ",") {
                    let option = option.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
                    if String(option).isSameHeader(as: "close") { closes = true }
                    if String(option).isSameHeader(as: "keep-alive") { keeps = true }
                }
            case 14 where name.isSameHeader(as: "content-length"):
                guard length == nil, !isChunked else { throw .twoLengths }
                guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value)
                else { throw .length }
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
    /// Whether this is a header's name, or a word of a value, whatever its case.
    ///
    /// - Parameter name: The same in lower case.
    /// - Returns: Whether it is.
    func isSameHeader(as name: StaticString) -> Bool {
        guard utf8.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            var index = 0
            for byte in utf8 {
                let lowercased = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
                if lowercased != wanted[index] { return false }
                index += 1
            }
            return true
        }
    }
}
#endif
