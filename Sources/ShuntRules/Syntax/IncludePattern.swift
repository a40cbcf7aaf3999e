/// File name patterns as `include` takes them: `*`, `?`, `[a-z]`, `[!a]` and `\` before a plain character.
///
/// As in a shell, none of them matches a `/`, nor a `.` at the beginning of a name.
enum IncludePattern {
    /// Returns true if a path is a pattern at all.
    static func isPattern(_ path: some StringProtocol) -> Bool {
        path.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
    }

    /// Returns true if a name matches; the time is bounded by the product of both lengths.
    static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        if name.first == UInt8(ascii: "."), pattern.first != UInt8(ascii: ".") { return false }
        var nameIndex = 0
        var patternIndex = 0
        // Where to continue when what follows the last `*` does not fit: one more byte for that `*`.
        var retry: (name: Int, pattern: Int)?
        while nameIndex < name.count {
            if patternIndex < pattern.count {
                if pattern[patternIndex] == UInt8(ascii: "*") {
                    patternIndex += 1
                    retry = (nameIndex, patternIndex)
                    continue
                }
                let (isMatch, next) = matchesOne(name[nameIndex], pattern, at: patternIndex)
                if isMatch {
                    nameIndex += 1
                    patternIndex = next
                    continue
                }
            }
            guard let again = retry else { return false }
            retry = (again.name + 1, again.pattern)
            nameIndex = again.name + 1
            patternIndex = again.pattern
        }
        return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Returns true if the pattern element at `index` matches a byte, and where the next element begins.
    private static func matchesOne(_ byte: UInt8, _ pattern: [UInt8], at index: Int) -> (Bool, Int) {
        switch pattern[index] {
        case UInt8(ascii: "?"):
            return (true, index + 1)
        case UInt8(ascii: "\\") where index + 1 < pattern.count:
            return (pattern[index + 1] == byte, index + 2)
        case UInt8(ascii: "["):
            return matchesSet(byte, pattern, at: index) ?? (byte == UInt8(ascii: "["), index + 1)
        case let literal:
            return (literal == byte, index + 1)
        }
    }

    /// Like `matchesOne` for a set in brackets; nil when the bracket is not closed and so stands for itself.
    private static func matchesSet(_ byte: UInt8, _ pattern: [UInt8], at index: Int) -> (Bool, Int)? {
        var position = index + 1
        var isNegated = false
        if position < pattern.count, pattern[position] == UInt8(ascii: "!") || pattern[position] == UInt8(ascii: "^") {
            isNegated = true
            position += 1
        }
        let first = position
        var found = false
        while position < pattern.count {
            let low = pattern[position]
            if low == UInt8(ascii: "]"), position > first { return (found != isNegated, position + 1) }
            if position + 2 < pattern.count, pattern[position + 1] == UInt8(ascii: "-"),
                pattern[position + 2] != UInt8(ascii: "]")
            {
                if low <= byte, byte <= pattern[position + 2] { found = true }
                position += 3
            } else {
                if low == byte { found = true }
                position += 1
            }
        }
        return nil
    }
}
