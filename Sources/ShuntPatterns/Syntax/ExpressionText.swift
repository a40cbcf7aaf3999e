/// The place where the groups, alternatives and classes of an expression are in its text.
package struct ExpressionText: Sendable {
    /// A group, or the whole expression.
    package struct Group: Sendable {
        package enum Kind: Hashable, Sendable {
            /// It captures, under this number.
            case capture(Int)
            /// It captures under a name, too.
            case named(Int)
            case plain
            case lookaround
        }

        package var kind: Kind
        /// The opening bracket; -1 for the whole expression.
        package var open: Int
        /// The place where the content begins, where alternatives part, and where it ends.
        package var start: Int
        package var bars: [Int] = []
        package var end = 0

        package var alternatives: [Range<Int>] { zip([start] + bars.map { $0 + 1 }, bars + [end]).map { $0..<$1 } }
    }

    package let text: [UInt8]
    /// The whole expression first, then the groups in the order of their starts.
    package private(set) var groups: [Group] = []
    /// The classes, with their brackets.
    package private(set) var classes: [Range<Int>] = []
    /// The dots that are in no group and in no class.
    package private(set) var dots: [Int] = []
    /// The characters after backslashes outside of classes.
    private(set) var escaped: Set<UInt8> = []

    /// Nil where something in the text is not followed.
    package init?(_ text: [UInt8]) {
        self.text = text
        guard scan() else { return nil }
    }

    /// True if groups are named in the expression itself: `\1`.
    package var refersBack: Bool { !escaped.isDisjoint(with: "123456789gk".utf8) }

    /// The numbers of the groups that capture.
    package var captures: [Int] {
        groups.compactMap { if case .capture(let number) = $0.kind { number } else { nil } }
    }

    package var hasNames: Bool { groups.contains { if case .named = $0.kind { true } else { false } } }

    /// The text without some of it.
    package func without(_ range: Range<Int>) -> [UInt8] {
        Array(text[..<range.lowerBound] + text[range.upperBound...])
    }

    private mutating func scan() -> Bool {
        var index = 0
        var open = [0]
        var captures = 0
        for flags in ["(?i)", "(?s)"] where text[index...].starts(with: flags.utf8) { index += flags.utf8.count }
        groups = [Group(kind: .plain, open: -1, start: index)]
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"):
                guard index + 1 < text.count, !"QE".utf8.contains(text[index + 1]) else { return false }
                escaped.insert(text[index + 1])
                index += 2
            case UInt8(ascii: "["):
                let end = CharacterClass.end(in: text, from: index)
                classes.append(index..<end)
                index = end
            case UInt8(ascii: "("):
                guard let (kind, start) = entered(index, &captures) else { return false }
                open.append(groups.count)
                groups.append(Group(kind: kind, open: index, start: start))
                index = start
            case UInt8(ascii: "|"):
                groups[open[open.count - 1]].bars.append(index)
                index += 1
            case UInt8(ascii: ")"):
                guard open.count > 1, let last = open.popLast() else { return false }
                groups[last].end = index
                index += 1
            default:
                if text[index] == UInt8(ascii: "."), open.count == 1 { dots.append(index) }
                index += 1
            }
        }
        groups[0].end = text.count
        return open.count == 1
    }

    /// Returns the kind of group that begins at a bracket, and the place of its content; nil for one that is not
    /// followed.
    private func entered(_ bracket: Int, _ captures: inout Int) -> (Group.Kind, Int)? {
        let rest = text[bracket...]
        let forms: [(String, Group.Kind)] = [
            ("(?:", .plain), ("(?i:", .plain), ("(?>", .plain), ("(?=", .lookaround), ("(?!", .lookaround),
            ("(?<=", .lookaround), ("(?<!", .lookaround),
        ]
        for (prefix, kind) in forms where rest.starts(with: prefix.utf8) { return (kind, bracket + prefix.utf8.count) }
        if rest.starts(with: "(?<".utf8) || rest.starts(with: "(?P<".utf8) {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            captures += 1
            return (.named(captures), end + 1)
        }
        if rest.starts(with: "(?".utf8) || rest.starts(with: "(*".utf8) { return nil }
        captures += 1
        return (.capture(captures), bracket + 1)
    }
}
