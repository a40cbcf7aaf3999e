#if Gateway
import NIOHTTP1
import ShuntCore

/// The first line of a request.
struct RequestLine {
    let method: HTTPMethod
    let target: [UInt8]
    let minorVersion: Int

    /// The longest method.
    private static let methodLimit = 64

    /// Reads a line without its end: a method, a target and a version of HTTP/1, each one blank apart.
    ///
    /// - Returns: Nil where it is anything else.
    init?(_ line: Span<UInt8>) {
        var end = 0
        while end < line.count, end <= Self.methodLimit, Self.isMethodByte(line[end]) { end += 1 }
        // The shortest rest is " / HTTP/1.1".
        guard end > 0, end <= Self.methodLimit, line.count >= end + 11, line[end] == 0x20 else { return nil }
        let rest = line.count - 9
        guard line[rest] == 0x20, line[rest + 1] == 0x48, line[rest + 2] == 0x54, line[rest + 3] == 0x54,
            line[rest + 4] == 0x50, line[rest + 5] == 0x2f, line[rest + 6] == 0x31, line[rest + 7] == 0x2e,
            (0x30...0x39).contains(line[rest + 8])
        else { return nil }
        let place = line.extracting((end + 1)..<rest)
        for index in place.indices where place[index] <= 0x20 || place[index] >= 0x7f { return nil }
        let name = line.extracting(0..<end)
        let isGET = end == 3 && name[0] == 0x47 && name[1] == 0x45 && name[2] == 0x54
        method = isGET ? .GET : HTTPMethod(rawValue: String(repairing: name))
        target = Array(copying: place)
        // A later version than 1.1 is read as 1.1 (RFC 9110, 2.5).
        minorVersion = min(1, Int(line[rest + 8] - 0x30))
    }

    /// Returns true if a line that is not HTTP/1 has a later version, after a method and a path.
    static func hasLaterVersion(_ line: Span<UInt8>) -> Bool {
        var index = 0
        while index < line.count, isMethodByte(line[index]) { index += 1 }
        guard index > 0, index + 1 < line.count, line[index] == 0x20, line[index + 1] == 0x2f else { return false }
        index += 1
        while index < line.count, (0x21...0x7e).contains(line[index]) { index += 1 }
        let version = line.extracting(index...)
        guard version.count > 6 else { return false }
        for (offset, byte) in " HTTP/".utf8.enumerated() where version[offset] != byte { return false }
        let isLater = (0x32...0x39).contains(version[6])
        return isLater || version[6] == 0x31 && version.count > 7 && (0x30...0x39).contains(version[7])
    }

    /// As in nginx, methods consist of upper-case letters, `-` and `_`.
    static func isMethodByte(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) || byte == 0x2d || byte == 0x5f }
}
#endif
