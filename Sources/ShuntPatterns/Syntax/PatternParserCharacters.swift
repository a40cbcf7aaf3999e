import ShuntCore

/// Escapes and classes.
extension PatternParser {
    mutating func parseEscape() throws(NotUnderstood) -> Atom {
        guard let letter = byte(1) else { throw notUnderstood(length: 1) }
        if let character = try literalEscape(inClass: false) { return .byte(character) }
        let node: PatternNode
        switch letter {
        case UInt8(ascii: "A"): node = .start
        case UInt8(ascii: "Z"): node = .end
        case UInt8(ascii: "z"): node = .absoluteEnd
        case UInt8(ascii: "b"): node = .wordBoundary(negated: false)
        case UInt8(ascii: "B"): node = .wordBoundary(negated: true)
        case UInt8(ascii: "K"): node = .matchStart
        case UInt8(ascii: "C"): node = .set(.all)
        case UInt8(ascii: "R"): node = .lineBreak
        case UInt8(ascii: "N"):
            guard byte(2) != UInt8(ascii: "{") else { throw notUnderstood(length: 3) }
            node = .set(.notLineFeed)
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            // With a second digit it is a backreference or an octal number, depending on the whole pattern.
            if let next = byte(2), ByteSet.digits.contains(next) { throw notUnderstood(length: 3) }
            node = .backreference(Int(letter - UInt8(ascii: "0")))
        default:
            guard let set = Self.classEscape(letter) else { throw notUnderstood(length: 2) }
            node = .set(set)
        }
        position += 2
        return .node(node)
    }

    private static func classEscape(_ letter: UInt8) -> ByteSet? {
        switch letter {
        case UInt8(ascii: "d"): .digits
        case UInt8(ascii: "D"): ByteSet.digits.inverted
        case UInt8(ascii: "w"): .word
        case UInt8(ascii: "W"): ByteSet.word.inverted
        case UInt8(ascii: "s"): .space
        case UInt8(ascii: "S"): ByteSet.space.inverted
        case UInt8(ascii: "h"): .horizontalSpace
        case UInt8(ascii: "H"): ByteSet.horizontalSpace.inverted
        case UInt8(ascii: "v"): .verticalSpace
        case UInt8(ascii: "V"): ByteSet.verticalSpace.inverted
        default: nil
        }
    }

    /// An escape that stands for one byte; nil, without moving, for any other.
    private mutating func literalEscape(inClass: Bool) throws(NotUnderstood) -> UInt8? {
        guard let letter = byte(1) else { return nil }
        let value: UInt8
        switch letter {
        case UInt8(ascii: "a"): value = 7
        case UInt8(ascii: "b") where inClass: value = 8
        case UInt8(ascii: "t"): value = 9
        case UInt8(ascii: "n"): value = 10
        case UInt8(ascii: "f"): value = 12
        case UInt8(ascii: "r"): value = 13
        case UInt8(ascii: "e"): value = 27
        case UInt8(ascii: "x"):
            guard let high = byte(2).flatMap(\.hexadecimalValue), let low = byte(3).flatMap(\.hexadecimalValue) else {
                return nil
            }
            position += 4
            return high << 4 | low
        default:
            guard !ByteSet.word.contains(letter) || letter == UInt8(ascii: "_") else { return nil }
            value = letter
        }
        position += 2
        return value
    }

    private enum ClassItem {
        case byte(UInt8)
        case set(ByteSet)
    }

    /// A class from its `[` to its `]`.
    mutating func parseClass(_ options: Options) throws(NotUnderstood) -> ByteSet {
        position += 1
        var set = ByteSet()
        var isNegated = false
        if byte() == UInt8(ascii: "^") {
            isNegated = true
            position += 1
        }
        var isFirst = true
        while isFirst || byte() != UInt8(ascii: "]") {
            isFirst = false
            let item = try parseClassItem(options)
            guard byte() == UInt8(ascii: "-"), byte(1) != UInt8(ascii: "]") else {
                Self.insert(item, into: &set)
                continue
            }
            let dash = position
            position += 1
            let upper = try parseClassItem(options)
            guard case .byte(let low) = item, case .byte(let high) = upper else {
                // A hyphen next to a class such as \d stands for itself, unless PCRE2 refuses it.
                Self.insert(item, into: &set)
                set.insert(UInt8(ascii: "-"))
                Self.insert(upper, into: &set)
                continue
            }
            guard low <= high else { throw notUnderstood(at: dash, length: 2) }
            set.insert(low...high)
        }
        position += 1
        if options.caseless { set = set.closedUnderCase }
        return isNegated ? set.inverted : set
    }

    private static func insert(_ item: ClassItem, into set: inout ByteSet) {
        switch item {
        case .byte(let byte): set.insert(byte)
        case .set(let other): set.formUnion(other)
        }
    }

    private mutating func parseClassItem(_ options: Options) throws(NotUnderstood) -> ClassItem {
        guard let current = byte() else { throw notUnderstood(length: 1) }
        if current == UInt8(ascii: "["), let next = byte(1),
            next == UInt8(ascii: ":") || next == UInt8(ascii: ".") || next == UInt8(ascii: "=")
        {
            return .set(try parseNamedClass(options))
        }
        guard current == UInt8(ascii: "\\") else {
            position += 1
            return .byte(current)
        }
        if let letter = byte(1), let set = Self.classEscape(letter) {
            position += 2
            return .set(set)
        }
        guard let character = try literalEscape(inClass: true) else { throw notUnderstood(length: 2) }
        return .byte(character)
    }

    /// `[:name:]` or `[:^name:]` inside a class.
    private mutating func parseNamedClass(_ options: Options) throws(NotUnderstood) -> ByteSet {
        let start = position
        position += 2
        let isNegated = byte() == UInt8(ascii: "^")
        if isNegated { position += 1 }
        let nameStart = position
        while let current = byte(), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(current) { position += 1 }
        guard pattern[start + 1] == UInt8(ascii: ":"), byte() == UInt8(ascii: ":"), byte(1) == UInt8(ascii: "]"),
            var set = ByteSet.named(Array(pattern[nameStart..<position]))
        else { throw notUnderstood(at: start, length: 2) }
        position += 2
        // Without regard to case `[:^upper:]` is what is not a letter, not everything.
        if options.caseless { set = set.closedUnderCase }
        return isNegated ? set.inverted : set
    }
}
