import ShuntCore

/// Patterns of the plainest kind, of which it is certain without PCRE2 that they are right.
///
/// Compiling a pattern only to find its errors takes about ten times as long, and nearly all patterns of a large rule set
/// are of this kind: letters, digits and the punctuation of paths, `^`, `$`, `.`, simple classes and
/// escapes, groups and alternatives, and counts of single characters. Whatever else there is, and whatever looks wrong,
/// is left to PCRE2, so that people see its messages.
struct PlainPattern {
    /// Longer patterns are left to PCRE2, which bounds the size of what it compiles.
    private static let longest = 512
    /// Groups nested deeper than this are left to PCRE2, which bounds their depth.
    private static let deepest = 64

    /// The last thing read, which decides what may follow it.
    private enum Last {
        /// Nothing that can be repeated.
        case nothing
        /// Something that stands for one byte.
        case character
        case group
    }

    private let pattern: [UInt8]
    private var position = 0
    private var captureCount = 0
    private var depth = 0
    private var last = Last.nothing

    /// The number of groups of a plain pattern, none of which has a name; nil for any other pattern.
    static func captureCount(of pattern: [UInt8]) -> Int? {
        guard pattern.count <= longest else { return nil }
        var reader = PlainPattern(pattern: pattern)
        if pattern.starts(with: "(?i)".utf8) { reader.position = 4 }
        while let byte = reader.next() {
            guard reader.read(byte) else { return nil }
        }
        return reader.depth == 0 ? reader.captureCount : nil
    }

    /// The byte at the position, which is passed.
    private mutating func next() -> UInt8? {
        guard position < pattern.count else { return nil }
        defer { position += 1 }
        return pattern[position]
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < pattern.count, pattern[position] == byte else { return false }
        position += 1
        return true
    }

    /// Goes past what begins with `byte`; false where PCRE2 is to read the pattern.
    private mutating func read(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("): return open()
        case UInt8(ascii: ")"):
            guard depth > 0 else { return false }
            depth -= 1
            last = .group
        case UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "$"): last = .nothing
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
            guard last != .nothing else { return false }
            repeated()
        case UInt8(ascii: "{"):
            // A group that is repeated by number is compiled as often.
            guard last == .character, readCounts() else { return false }
            repeated()
        case UInt8(ascii: "["):
            guard readClass() else { return false }
            last = .character
        case UInt8(ascii: "\\"):
            guard let letter = next(), Self.isEscape(letter) else { return false }
            last = .character
        case UInt8(ascii: "."): last = .character
        default:
            guard Self.isLiteral(byte) || byte == UInt8(ascii: ":") else { return false }
            last = .character
        }
        return true
    }

    private mutating func open() -> Bool {
        if skip(UInt8(ascii: "?")) {
            _ = skip(UInt8(ascii: "i"))
            guard skip(UInt8(ascii: ":")) else { return false }
        } else {
            captureCount += 1
        }
        depth += 1
        last = .nothing
        return depth <= Self.deepest
    }

    /// Goes past the mark of a lazy or possessive repetition; what was repeated cannot be repeated once more.
    private mutating func repeated() {
        if !skip(UInt8(ascii: "?")) { _ = skip(UInt8(ascii: "+")) }
        last = .nothing
    }

    /// `2}`, `2,}` or `2,4}`, each number of at most three digits.
    private mutating func readCounts() -> Bool {
        guard let least = readNumber() else { return false }
        if skip(UInt8(ascii: "}")) { return true }
        guard skip(UInt8(ascii: ",")) else { return false }
        if skip(UInt8(ascii: "}")) { return true }
        guard let greatest = readNumber() else { return false }
        return least <= greatest && skip(UInt8(ascii: "}"))
    }

    private mutating func readNumber() -> Int? {
        let start = position
        var number = 0
        while position < pattern.count, pattern[position].isASCIIDigit, position - start < 3 {
            number = number * 10 + Int(pattern[position] - UInt8(ascii: "0"))
            position += 1
        }
        return position > start ? number : nil
    }

    /// A class after its `[`, of letters, digits, some punctuation, ranges such as `a-z`, and escapes.
    private mutating func readClass() -> Bool {
        _ = skip(UInt8(ascii: "^"))
        let start = position
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "]"): return position - 1 > start
            case UInt8(ascii: "-"):
                // A hyphen that could mean a range is at either end, or PCRE2 reads it.
                guard position - 1 == start || peek() == UInt8(ascii: "]") else { return false }
            case UInt8(ascii: "\\"):
                guard let letter = next(), Self.isEscape(letter) else { return false }
            default:
                guard Self.isLiteral(byte) || byte == UInt8(ascii: "."), !isCollation(byte, at: start) else {
                    return false
                }
                guard byte.isASCIILetter || byte.isASCIIDigit, peek() == UInt8(ascii: "-"),
                    peek(1) != UInt8(ascii: "]")
                else { continue }
                position += 1
                guard let high = next(), high.isASCIILetter || high.isASCIIDigit, byte <= high else { return false }
                // What follows a range is not another one's middle.
                if peek() == UInt8(ascii: "-"), peek(1) != UInt8(ascii: "]") { return false }
            }
        }
        return false
    }

    /// Returns true if a byte is one that begins `[.name.]` or `[=name=]`, which PCRE2 refuses.
    private func isCollation(_ byte: UInt8, at start: Int) -> Bool {
        position - 1 == start && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "="))
    }

    private func peek(_ ahead: Int = 0) -> UInt8? { position + ahead < pattern.count ? pattern[position + ahead] : nil }

    /// Returns true if a byte stands for itself wherever it is.
    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "/")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="),
            UInt8(ascii: "&"), UInt8(ascii: "%"), UInt8(ascii: ","), UInt8(ascii: "~"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// Returns true if a backslash before this stands for one byte, inside a class and outside: `\d` and the like,
    /// `\.`.
    private static func isEscape(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "w"), UInt8(ascii: "W"), UInt8(ascii: "s"),
            UInt8(ascii: "S"):
            true
        case UInt8(ascii: "!")...UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"),
            UInt8(ascii: "\\"):
            true
        default: false
        }
    }
}
