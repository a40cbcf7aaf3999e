import Shunt

/// Finds the URLs of given schemes in a text, whatever language it is written in.
///
/// An interpolation is a placeholder in a URL: `\(x)`, `${x}`, `$x`, `$(x)`, `{x}`, `#{x}`, `<x>`, `%s`, `*`, and what `+` appends.
struct LinkScanner {
    struct Found {
        /// Its place in bytes.
        var place: Range<Int>
        var template: LinkTemplate
    }

    private let schemes: [[UInt8]]
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8], schemes: [[UInt8]]) {
        self.bytes = bytes
        self.schemes = schemes
    }

    /// The next URL; nil at the end of the text.
    mutating func next() -> Found? {
        while index < bytes.count {
            guard isStart, let end = endOfScheme() else {
                index += 1
                continue
            }
            let start = index
            var template = LinkTemplate(scheme: String(decoding: bytes[start..<end.colon], as: UTF8.self))
            index = end.slashes
            readRest(into: &template, isValue: start > 0 && bytes[start - 1] == UInt8(ascii: "="))
            // A scheme alone is what programs compare URLs with.
            if !template.items.isEmpty { return Found(place: start..<index, template: template) }
        }
        return nil
    }

    // MARK: Start

    /// True if a scheme can begin here: `xkl://` is not `kl://`.
    private var isStart: Bool {
        guard index > 0 else { return true }
        let before = bytes[index - 1]
        return !(Self.isName(before) && before != UInt8(ascii: "_")) && !"+-.".utf8.contains(before)
    }

    /// The ends of the scheme and of the slashes after it, which JSON and JavaScript may escape.
    private func endOfScheme() -> (colon: Int, slashes: Int)? {
        for scheme in schemes {
            let colon = index + scheme.count
            guard byte(colon) == UInt8(ascii: ":"),
                bytes[index..<colon].elementsEqual(scheme, by: { $0.asciiLowercased == $1 })
            else { continue }
            var end = colon + 1
            var slashes = 0
            while slashes < 2 {
                if byte(end) == UInt8(ascii: "\\") { end += 1 }
                guard byte(end) == UInt8(ascii: "/") else { break }
                end += 1
                slashes += 1
            }
            if slashes == 2 { return (colon, end) }
        }
        return nil
    }

    // MARK: Rest

    private mutating func readRest(into template: inout LinkTemplate, isValue: Bool) {
        while index < bytes.count {
            // A URL that is a value in the query of another ends where the value does.
            if isValue, bytes[index] == UInt8(ascii: "&") { break }
            if let end = endOfPlaceholder() {
                template.appendPlaceholder()
                index = end
            } else if bytes[index] == UInt8(ascii: "\\"), byte(index + 1) == UInt8(ascii: "/") {
                template.append(UInt8(ascii: "/"))
                index += 2
            } else if bytes[index] <= 0x20 || bytes[index] == 0x7f || "\"'`<>()[]{},;\\|^".utf8.contains(bytes[index]) {
                break
            } else {
                template.append(bytes[index])
                index += 1
            }
        }
        // A full stop after a URL ends the sentence, not the URL.
        while template.dropLast(ifOneOf: ".:!") { index -= 1 }
        if isContinued { template.appendPlaceholder() }
    }

    /// The end of an interpolation that begins here; nil if none does.
    private func endOfPlaceholder() -> Int? {
        let next = byte(index + 1)
        switch bytes[index] {
        case UInt8(ascii: "\\"): return next == UInt8(ascii: "(") ? closing(from: index + 1) : nil
        case UInt8(ascii: "$"):
            if next == UInt8(ascii: "{") || next == UInt8(ascii: "(") { return closing(from: index + 1) }
            return next.map(Self.isName) ?? false ? endOfName(from: index + 1) : nil
        case UInt8(ascii: "#"): return next == UInt8(ascii: "{") ? closing(from: index + 1) : nil
        case UInt8(ascii: "{"): return closing(from: index)
        case UInt8(ascii: "<"):
            guard next.map(Self.isName) ?? false else { return nil }
            let end = endOfName(from: index + 1)
            return byte(end) == UInt8(ascii: ">") ? end + 1 : nil
        case UInt8(ascii: "*"): return index + 1
        case UInt8(ascii: "%"): return endOfFormat()
        case UInt8(ascii: "."): return bytes[index...].starts(with: "...".utf8) ? index + 3 : nil
        case 0xe2: return bytes[index...].starts(with: "…".utf8) ? index + 3 : nil
        default: return nil
        }
    }

    /// The most bytes of an interpolation.
    private static let placeholderLimit = 4_096

    /// The end after the bracket that closes the one at `start`, on the same line.
    private func closing(from start: Int) -> Int? {
        let pairs: [UInt8: UInt8] = [UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}")]
        guard let open = byte(start), let close = pairs[open] else { return nil }
        var depth = 0
        for (place, byte) in bytes[start...].prefix(Self.placeholderLimit).enumerated() {
            if byte == open { depth += 1 }
            if byte == close { depth -= 1 }
            if depth == 0 { return start + place + 1 }
            if byte == UInt8(ascii: "\n") { return nil }
        }
        return nil
    }

    /// The end of a format such as `%s`, `%@`, `%1$s`, `%02ld` or `%(name)s`; nil for an escape such as `%2F`.
    private func endOfFormat() -> Int? {
        if let high = byte(index + 1), let low = byte(index + 2), high.hexadecimalValue != nil,
            low.hexadecimalValue != nil
        {
            // Two digits for a control character are the width of a number, as in %04d.
            guard "01".utf8.contains(high), low.isASCIIDigit else { return nil }
        }
        var end = index + 1
        if byte(end) == UInt8(ascii: "(") { end = closing(from: end) ?? end }
        while let next = byte(end), next.isASCIIDigit || "$.lhzq-+".utf8.contains(next) { end += 1 }
        guard let kind = byte(end), "@sdiufgxXcSv".utf8.contains(kind) else { return nil }
        return end + 1
    }

    /// True if the string ends here and something is appended to it.
    private var isContinued: Bool {
        guard let quote = byte(index), "\"'`".utf8.contains(quote) else { return false }
        var next = index + 1
        while let byte = byte(next), byte <= 0x20 { next += 1 }
        let rest = bytes[min(next, bytes.count)...]
        if byte(next) == UInt8(ascii: "+") { return true }
        // PHP joins with a full stop between blanks; the methods of other languages have names.
        let isPHP = next > index + 1 && byte(next) == UInt8(ascii: ".") && (byte(next + 1) ?? 0) <= 0x20
        return isPHP || [".append", ".concat", ".plus("].contains { rest.starts(with: $0.utf8) }
    }

    // MARK: Bytes

    private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func endOfName(from start: Int) -> Int {
        var end = start
        while let byte = byte(end), Self.isName(byte) { end += 1 }
        return end
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
    }
}
