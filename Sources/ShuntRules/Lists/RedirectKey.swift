import ShuntCore

/// The key of a row or of a target: the parts of a URL as requests are compared with them, in an arena.
struct RedirectKey {
    var parts: RedirectList.Parts = []
    /// "http://" or "https://"; empty without one.
    private(set) var scheme = ""[...].utf8
    private(set) var host = ByteRange.empty
    /// The path as written.
    private(set) var path: ArraySlice<UInt8>
    /// The path as rules see it, and the query.
    private var decoded = ByteRange.empty
    private var query = ByteRange.empty
    private(set) var hasWildcards = false
    /// The length of the path as rules see it.
    var pathLength: Int { decoded.count }
    private(set) var problem: RowProblem?

    private static let slash = UInt8(ascii: "/")

    /// Reads a URL without a fragment, a path, or a host and a path; `host` is for a text without one, empty for any.
    init(_ text: ArraySlice<UInt8>, form: RedirectForm, host: [UInt8], in arena: ByteArena) {
        path = text
        guard !text.contains(UInt8(ascii: "#")) else {
            problem = .sourceFragment
            return
        }
        if text.first == Self.slash {
            if !host.isEmpty { takeHost(host[...], in: arena) }
        } else {
            takeAuthority(text, form, in: arena)
            if problem != nil { return }
        }
        if path.isEmpty { path = [Self.slash] }
        takePath(form, in: arena)
    }

    private mutating func takeAuthority(_ text: ArraySlice<UInt8>, _ form: RedirectForm, in arena: ByteArena) {
        var rest = text
        let colon = text.firstIndex(of: UInt8(ascii: ":"))
        if let colon, text[colon...].starts(with: Array("://".utf8)) {
            let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
            guard name == "http" || name == "https" else {
                problem = .sourceScheme
                return
            }
            rest = text[(colon + 3)...]
            // Elsewhere both are meant: those who keep such lists copy what their browser shows.
            if form == .bulk || form == .pages {
                scheme = (name == "http" ? "http://" : "https://")[...].utf8
                parts.insert(.scheme)
            }
        } else {
            let first = text.prefix { $0 != Self.slash && $0 != UInt8(ascii: "?") }
            guard first.contains(UInt8(ascii: ".")), form == .bulk || first.endIndex < text.endIndex else {
                problem = .notPath
                return
            }
        }
        let end = rest.firstIndex { $0 == Self.slash || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        takeHost(rest[..<end], in: arena)
        path = rest[end...]
        if path.first == UInt8(ascii: "?") { path = [Self.slash] + path }
    }

    private mutating func takeHost(_ text: ArraySlice<UInt8>, in arena: ByteArena) {
        var name = text
        for port in [":80", ":443"] where name.suffix(port.utf8.count).elementsEqual(port.utf8) {
            name = name.dropLast(port.utf8.count)
        }
        let mark = arena.mark
        arena.append(Array(name))
        let range = arena.range(from: mark)
        let isHost = name.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 >= 0x80 || ".-_[]:".utf8.contains($0)
        }
        guard isHost, !name.isEmpty, name.first == UInt8(ascii: "[") || !name.contains(UInt8(ascii: ":")),
            let found = try? HostName.normalise(range, in: arena)
        else {
            problem = .invalidSource
            return
        }
        host = found
        parts.insert(.host)
    }

    /// Reads the path and the query as those of a request.
    private mutating func takePath(_ form: RedirectForm, in arena: ByteArena) {
        if !form.isJSON, hasExpression(form) {
            problem = .expression
            return
        }
        let signs =
            switch form {
            case .bulk: ""
            case .plain, .csv: "*"
            case .pages: "*:("
            case .vercel: "*:({"
            case .firebase: "*:([{?"
            }
        hasWildcards = path.contains { signs.utf8.contains($0) }
        if hasWildcards {
            if !form.isJSON, path.contains(UInt8(ascii: "?")) { problem = .wildcard }
            return
        }
        let mark = arena.mark
        var escape = 0
        for byte in path {
            defer { escape = byte == UInt8(ascii: "%") ? 2 : max(0, escape - 1) }
            if byte == 0x20 || byte >= 0x7f || "\"<>".utf8.contains(byte) {
                // As browsers send it in a query; a path is decoded.
                arena.append(UInt8(ascii: "%"))
                arena.append((byte >> 4).upperHexadecimalDigit)
                arena.append(byte.upperHexadecimalDigit)
            } else if escape > 0, byte.hexadecimalValue != nil {
                arena.append(byte.isASCIILetter ? byte & 0xdf : byte)
            } else if byte < 0x20 {
                problem = .invalidSource
                return
            } else {
                arena.append(byte)
            }
        }
        let target = arena.range(from: mark)
        if let plain = PlainTarget.read(target, in: arena) {
            (decoded, query) = (plain.path, plain.arguments)
        } else if let parsed = try? RequestTarget.parse(target, in: arena, mergeSlashes: true) {
            (decoded, query) = (parsed.path, parsed.arguments)
        } else {
            problem = .invalidSource
            return
        }
        if !query.isEmpty { parts.insert(.query) }
        if arena.overflowed { problem = .invalidSource }
    }

    /// Signs of expressions, which paths do not have: such a row was written for a server that reads expressions.
    private static let expressions = ["(.*", "(.+", "([", "(?", "/.*", "[^", "\\d", "\\w", "\\.", "\\/"]
        .map { Array($0.utf8) }

    /// Returns true if the path is an expression, or has placeholders or wildcards that the form does not know.
    private func hasExpression(_ form: RedirectForm) -> Bool {
        let path = path.prefix { $0 != UInt8(ascii: "?") }
        if path.last == UInt8(ascii: "$") || Self.expressions.contains(where: { path.firstRange(of: $0) != nil }) {
            return true
        }
        if form == .pages { return false }
        if form == .bulk, path.contains(UInt8(ascii: "*")) { return true }
        return path.split(separator: Self.slash)
            .contains { part in
                part.count > 1 && part.first == UInt8(ascii: ":") && part.dropFirst().allSatisfy(\.isASCIILetter)
                    || (part.first == UInt8(ascii: "{") && part.last == UInt8(ascii: "}")
                        || part.first == UInt8(ascii: "[") && part.last == UInt8(ascii: "]"))
                        && part.dropFirst().dropLast()
                            .allSatisfy { $0.isASCIILetter && $0 == $0.asciiLowercased || $0 == UInt8(ascii: "_") }
            }
    }

    func decodedPath(in arena: ByteArena) -> [UInt8] { arena.array(decoded) }

    func queryText(in arena: ByteArena) -> [UInt8] { arena.array(query) }

    mutating func dropQuery() {
        query = .empty
        parts.remove(.query)
    }

    func text(ignoringSlash: Bool, in arena: ByteArena) -> ByteRange {
        var path = decoded
        if ignoringSlash, path.count > 1, arena[path.end - 1] == Self.slash { path.end -= 1 }
        if parts.isEmpty { return path }
        let mark = arena.mark
        if parts.contains(.scheme) { arena.append(Array(scheme)) }
        if parts.contains(.host) { arena.append(copyOf: host) }
        arena.append(copyOf: path)
        if parts.contains(.query) {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: query)
        }
        return arena.range(from: mark)
    }
}
