import ShuntCore
import Testing

/// Texts are read in blocks of eight and sixteen bytes: whatever means something has to be seen at each place of a block,
/// in the last one, which overlaps the one before, and in texts that are shorter than a block.
@Suite("Reading in blocks")
struct BlockScanTests {
    private let arena = ByteArena()

    private func range(of bytes: [UInt8]) -> ByteRange {
        arena.refilled(with: bytes, after: "x/")
    }

    /// A host as nginx takes it, one byte after another; nil where it refuses it.
    ///
    /// Source: ngx_http_validate_host of nginx 1.22, for hosts without brackets.
    private static func reference(host: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var isOver = false
        for (index, byte) in host.enumerated() {
            if byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "/") { return nil }
            if byte == UInt8(ascii: "."), index > 0, host[index - 1] == byte { return nil }
            if byte == UInt8(ascii: ":") { isOver = true }
            if !isOver { result.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte) }
        }
        if host.last == UInt8(ascii: "."), !isOver { result.removeLast() }
        return result.isEmpty ? nil : result
    }

    @Test("Each byte at each place of a host")
    func hosts() {
        for length in 1...34 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "[") {
                    for filling in [UInt8(ascii: "a"), UInt8(ascii: "7")] {
                        var host = [UInt8](repeating: filling, count: length)
                        host[place] = byte
                        if place > 0, byte == UInt8(ascii: "."), filling == UInt8(ascii: "7") { host[place - 1] = byte }
                        let value = range(of: host)
                        let normalised = (try? HostName.normalise(value, in: arena)).map { arena.array($0) }
                        guard normalised != Self.reference(host: host) else { continue }
                        Issue.record("byte \(byte) at \(place) of \(length)")
                    }
                }
            }
        }
    }

    @Test("Each byte at each place of a path")
    func paths() {
        for length in 1...40 {
            for place in 1..<max(2, length) where place < length {
                for byte in UInt8.min...UInt8.max {
                    var path = [UInt8](repeating: UInt8(ascii: "p"), count: length)
                    path[0] = UInt8(ascii: "/")
                    path[place] = byte
                    let source = range(of: path)
                    let target = try? RequestTarget.parse(source, in: arena, mergeSlashes: true)
                    let isForbidden = byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "%")
                    let isEnd = byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
                    let isMerged = byte == UInt8(ascii: "/") && place == 1
                    // The only segment is a dot.
                    let isDot = byte == UInt8(ascii: ".") && length == 2
                    var expected: [UInt8]? = path
                    if isForbidden { expected = nil }
                    if isEnd { expected = Array(path[..<place]) }
                    if isMerged || isDot { expected?.remove(at: 1) }
                    guard target.map({ arena.array($0.path) }) != expected else { continue }
                    Issue.record("byte \(byte) at \(place) of \(length)")
                }
            }
        }
    }

    @Test(
        "Signs of more than one byte at each place of a path",
        arguments: [("//", "/"), ("/./", "/"), ("%41", "A"), ("/../", "/"), ("+", "+"), ("/.", "/"), ("/..", "/")]
    )
    func sequences(_ written: String, _ meant: String) throws {
        for before in 1...36 {
            for after in 0...36 {
                let goesUp = written.hasPrefix("/..")
                let isOpen = written == "/." || written == "/.."
                if isOpen, after > 0 { continue }
                let head = "/" + String(repeating: "a", count: before)
                let tail = String(repeating: "b", count: after)
                let source = range(of: Array((head + written + tail).utf8))
                let target = try RequestTarget.parse(source, in: arena, mergeSlashes: true)
                let expected = (goesUp ? "" : head) + meant + tail
                #expect(latin1Text(arena.array(target.path)) == expected)
                #expect(target.isQuoted == (written == "%41") && target.hasPlus == (written == "+"))
            }
        }
    }

    /// A URL's host, path, query and fragment, found one part after another; nil where it is refused.
    ///
    /// Source: RFC 3986, section 3, for URLs whose authority begins at byte 7 and that have no brackets. Of `http` the
    /// host has to be there, of ASCII without escapes, and one label of digits is not an address.
    private static func reference(url: [UInt8]) -> [[UInt8]?]? {
        func isName(_ byte: UInt8) -> Bool {
            byte >= 0x80 || UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
                || "-._~!$&'()*+,;=".utf8.contains(byte)
        }
        func isMade(of other: String, _ bytes: ArraySlice<UInt8>) -> Bool {
            for (index, byte) in zip(bytes.indices, bytes) where !isName(byte) && !other.utf8.contains(byte) {
                let digits = bytes[(index + 1)...].prefix(2)
                let isHex = digits.allSatisfy { $0 < 0x80 && Character(UnicodeScalar($0)).isHexDigit }
                if byte != UInt8(ascii: "%") || digits.count < 2 || !isHex { return false }
            }
            return true
        }
        if url.contains(where: { $0 < 0x20 || $0 == 0x7f }) { return nil }
        let end = url[7...].firstIndex { "/?#".utf8.contains($0) } ?? url.count
        let users = url[7..<end].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard users.count <= 2, users.count == 1 || isMade(of: ":", users[0]), let authority = users.last else {
            return nil
        }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        let port = authority.dropFirst(host.count + 1)
        guard isMade(of: "", host), port.allSatisfy({ (0x30...0x39).contains($0) }), port.count <= 4 else { return nil }
        if url.starts(with: "http".utf8) {
            let isDigits = host.allSatisfy { (0x30...0x39).contains($0) }
            guard !isDigits, host.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else { return nil }
        }
        let tail = url[end...].prefix { $0 != UInt8(ascii: "#") }
        let fragment = end + tail.count < url.count ? Array(url[(end + tail.count + 1)...]) : nil
        let path = tail.prefix { $0 != UInt8(ascii: "?") }
        let query = path.count < tail.count ? Array(tail.dropFirst(path.count + 1)) : nil
        return [Array(host), Array(path), query, fragment]
    }

    /// Bytes that mean something in a URL, their neighbours, and some that do not.
    private static let telling: [UInt8] =
        [0, 0x1f, 0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a, 0x80, 0xff] + (0x20...0x2f) + (0x3a...0x40) + (0x5c...0x60)
        + (0x7b...0x7f)

    @Test(
        "Each byte at each place of a URL",
        arguments: ["http://", "link://"],
        ["", "/", "/pp?q#f", "/ppppppppppppppppppppppp?qqqqqqq"]
    )
    func urls(start: String, tail: String) {
        for length in [0, 1, 2, 7, 8, 9, 14, 15, 16, 17, 18, 31, 32, 33] {
            for place in 0...(length + tail.utf8.count) {
                for byte in Self.telling {
                    let digit = UInt8(ascii: start == "http://" ? "w" : "7")
                    var url = Array(start.utf8) + [UInt8](repeating: digit, count: length)
                    url += Array(tail.utf8)
                    url.insert(byte, at: 7 + place)
                    let parts = try? URLParser.parse(url.span)
                    let found = parts.map { parts in
                        [parts.host, parts.path, parts.query, parts.fragment].map { $0.map { Array(url[$0.indices]) } }
                    }
                    guard found != Self.reference(url: url) else { continue }
                    // Only the length of a port is read by the one, and by the other its value.
                    if parts?.portNumber ?? 0 > 9999 { continue }
                    Issue.record("byte \(byte) at \(place) of \(length) before \(tail)")
                }
            }
        }
    }

    @Test(
        "A URL in an arena has the parts that it has alone",
        arguments: ["", "/", "/pp?q#f", "/ppppppppppppppppppppppp?qqqqqqq"]
    )
    func arenaURLs(tail: String) {
        for length in [0, 1, 7, 8, 15, 16, 17, 33, 62, 63, 64] {
            for place in 0...(length + tail.utf8.count) {
                for byte in Self.telling {
                    var url = Array("https://".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    url += Array(tail.utf8)
                    url.insert(byte, at: 8 + place)
                    let range = range(of: url)
                    let parts = (try? URLParser.parse(url.span)).map { $0.shifted(by: range.start) }
                    guard (try? URLParser.split(range, in: arena).parts) != parts else { continue }
                    Issue.record("byte \(byte) at \(place) of \(length) before \(tail)")
                }
            }
        }
    }

    @Test("A host is reported as normal only if normalising it changes nothing")
    func normalHosts() throws {
        for length in [1, 2, 7, 8, 15, 16, 17, 18, 31, 32, 33] {
            for place in 0...length {
                for byte in Self.telling {
                    var host = [UInt8](repeating: UInt8(ascii: "w"), count: length)
                    host.insert(byte, at: place)
                    let url = range(of: Array("link://".utf8) + host + Array("/p".utf8))
                    guard let split = try? URLParser.split(url, in: arena), let found = split.parts.host else {
                        continue
                    }
                    if split.hasNormalHost {
                        #expect(split.parts.authority == found)
                        #expect(try HostName.normalise(found, in: arena) == found)
                        #expect(try HostName.normaliseURLHost(found, in: arena) == found)
                    } else if url.count > 24,
                        byte == UInt8(ascii: "w") || byte == UInt8(ascii: "7") || byte == UInt8(ascii: "-")
                    {
                        Issue.record("\(byte) at \(place) of \(length)")
                    }
                }
            }
        }
    }

    @Test("Each byte at each place of what is escaped")
    func escapes() {
        for length in 1...36 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "t"), count: length)
                    text[place] = byte
                    let source = range(of: text)
                    let mark = arena.mark
                    PercentCoding.appendEscapedURI(source, to: arena)
                    let written = arena.array(arena.range(from: mark))
                    let digits = Array(String(byte, radix: 16, uppercase: true).utf8)
                    let escape = [UInt8(ascii: "%")] + (digits.count < 2 ? [UInt8(ascii: "0")] : []) + digits
                    let isEscaped = PercentCoding.uriBytes.contains(byte)
                    let expected = text[..<place] + (isEscaped ? escape : [byte]) + text[(place + 1)...]
                    guard written != Array(expected) else { continue }
                    Issue.record("byte \(byte) at \(place) of \(length)")
                }
            }
        }
    }
}
