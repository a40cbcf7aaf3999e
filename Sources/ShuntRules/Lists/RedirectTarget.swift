import ShuntCore

/// The target of a row in the form that clients get: encoded, with marks for captures.
struct RedirectTarget {
    private(set) var bytes: [UInt8] = []
    private(set) var isPath = false
    private(set) var problem: RowProblem?
    private(set) var hasCaptures = false

    private static let schemes = [Array("https://".utf8), Array("http://".utf8)]
    private static let slash = UInt8(ascii: "/")

    /// Reads a target; `appendsRest` if the last group is added to its path.
    init(_ text: ArraySlice<UInt8>, source: RedirectSource?, form: RedirectForm, appendsRest: Bool = false) {
        guard let start = takeOrigin(text) else { return }
        let rest = text[start...]
        let pathEnd = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
        append(rest[..<pathEnd], source: source, form: form)
        if appendsRest, let source { appendCapture(source.groupCount, of: source) }
        append(rest[pathEnd...], source: source, form: form)
        if problem == nil, !isPath, (try? URLText(bytes.filter { $0 > 0x20 })) == nil {
            problem = .invalidTarget
        }
    }

    /// Takes the scheme and the host of a target; returns the place where its path begins, or nil where it has none.
    private mutating func takeOrigin(_ text: ArraySlice<UInt8>) -> Int? {
        if text.first == Self.slash {
            isPath = true
            let second = text.dropFirst().first
            if second == Self.slash || second == UInt8(ascii: "\\") { problem = .relativeTarget }
            return text.startIndex
        }
        guard let scheme = Self.scheme(of: text) else {
            problem = text.contains(UInt8(ascii: ":")) && !text.contains(Self.slash) ? .targetScheme : .relativeTarget
            return nil
        }
        guard Self.schemes.contains(scheme) else {
            problem = .targetScheme
            return nil
        }
        let start = text.startIndex + scheme.count
        var end = start
        while end < text.endIndex, ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(text[end]) {
            end += 1
        }
        bytes = scheme
        bytes += text[start..<end]
        if !Self.isHost(Array(text[start..<end])) { problem = .invalidTarget }
        return end
    }

    /// Returns true if a text is a host, perhaps with a port.
    private static func isHost(_ text: [UInt8]) -> Bool {
        if text.isEmpty || text.contains(where: { $0 <= 0x20 || "*$".utf8.contains($0) }) { return false }
        guard let colon = text.lastIndex(of: UInt8(ascii: ":")), text.last != UInt8(ascii: "]") else { return true }
        return text.dropFirst(colon + 1).allSatisfy(\.isASCIIDigit)
    }

    /// The scheme with its "://", in lower case; nil without one.
    private static func scheme(of text: ArraySlice<UInt8>) -> [UInt8]? {
        let name = text.prefix { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
        guard !name.isEmpty, text[name.endIndex...].starts(with: Array("://".utf8)) else { return nil }
        return name.map(\.asciiLowercased) + Array("://".utf8)
    }

    private mutating func appendCapture(_ number: Int, of source: RedirectSource?) {
        hasCaptures = true
        let flag = source?.isOnQuery(number) == true ? RedirectList.queryFlag : 0
        bytes += [RedirectList.captureMark, UInt8(number) | flag]
    }

    /// Appends a part, with captures for the placeholders that the source has, and with bytes encoded that no URL has.
    private mutating func append(_ text: ArraySlice<UInt8>, source: RedirectSource?, form: RedirectForm) {
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            if let group = placeholder(byte, text: text, in: &index, source: source, form: form) {
                appendCapture(group, of: source)
                continue
            }
            let isGroup = source?.isExpression == true && Self.isGroup(byte, before: text[index...])
            if isGroup || isOpen(byte, before: text[index...], form) { problem = .openCapture }
            let isEscape =
                byte == UInt8(ascii: "%") && index + 1 < text.endIndex
                && text[index].hexadecimalValue != nil && text[index + 1].hexadecimalValue != nil
            if isEscape || "?#".utf8.contains(byte) || !PercentCoding.uriBytes.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), (byte >> 4).upperHexadecimalDigit, byte.upperHexadecimalDigit]
            }
        }
    }

    /// Returns true if a group of an expression begins with a byte, in any of the forms that programs read: `$1`, `${1}` and `\1`.
    private static func isGroup(_ byte: UInt8, before rest: ArraySlice<UInt8>) -> Bool {
        guard let next = rest.first else { return false }
        return byte == UInt8(ascii: "$") && (next.isASCIIDigit || next == UInt8(ascii: "{"))
            || byte == UInt8(ascii: "\\") && next.isASCIIDigit
    }

    /// Returns true if a placeholder begins with a byte, which clients would get as a text.
    private func isOpen(_ byte: UInt8, before rest: ArraySlice<UInt8>, _ form: RedirectForm) -> Bool {
        switch byte {
        case UInt8(ascii: "$"):
            bytes.last.map { "/=".utf8.contains($0) } == true && rest.first?.isASCIIDigit == true
                && rest.dropFirst().first.map { "/?&#".utf8.contains($0) } != false
        case UInt8(ascii: "*"):
            form != .bulk && bytes.last == Self.slash && rest.first.map { "?#".utf8.contains($0) } != false
        case UInt8(ascii: ":"):
            rest.starts(with: "splat".utf8)
                || form.isOrdered && bytes.last == Self.slash && rest.first?.isASCIILetter == true
        default: false
        }
    }

    /// The group of the placeholder that begins with a byte; nil where none does.
    private func placeholder(
        _ byte: UInt8,
        text: ArraySlice<UInt8>,
        in index: inout Int,
        source: RedirectSource?,
        form: RedirectForm
    ) -> Int? {
        guard let source, source.groupCount > 0 else { return nil }
        switch byte {
        case UInt8(ascii: "*") where !form.isOrdered: return source.groups[[byte]]
        case UInt8(ascii: "$") where form == .vercel || source.isExpression:
            guard index < text.endIndex, text[index].isASCIIDigit else { return nil }
            let number = Int(text[index] - UInt8(ascii: "0"))
            // An expression has groups of two digits, of which no row has as many.
            if source.isExpression, index + 1 < text.endIndex, text[index + 1].isASCIIDigit { return nil }
            guard (1...max(1, source.groupCount)).contains(number) else { return nil }
            index += 1
            return number
        case UInt8(ascii: ":"):
            let name = text[index...].prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            guard let group = source.groups[Array(name)] else { return nil }
            index = name.endIndex
            let isModified = form == .vercel || form == .firebase
            if isModified, index < text.endIndex, "*+?".utf8.contains(text[index]),
                text[index] != UInt8(ascii: "?") || index + 1 == text.endIndex
            {
                index += 1
            }
            return group
        default: return nil
        }
    }
}
