/// An expression with a group around each of its alternatives: its captures tell which way a match went.
///
/// Alternatives in lookarounds are not told apart. An expression whose groups other parts name, or whose syntax is not followed here, has
/// no probe.
package struct AlternativeProbe: Sendable {
    /// A way that a match may go or not go.
    package struct Way: Sendable {
        package enum Kind: Sendable {
            /// Through this alternative.
            case alternative
            /// Through this group, which may be left out.
            case taken
            /// Past it.
            case leftOut
        }

        package var kind: Kind
        /// The place where it stands in the expression.
        package var range: Range<Int>
        /// The groups of which one took part if a match went here.
        fileprivate var groups: [Int]
        /// For a group that is left out: the alternative that it stands in; 0 for the whole expression.
        fileprivate var outer: Int
        /// The group among those that were found.
        fileprivate var group: Int
    }

    package let ways: [Way]
    private let expression: RegularExpression
    private let pattern: [UInt8]
    private let groups: [AlternativeReader.Group]

    /// The probe of an expression; nil where it has no alternatives, or they cannot be told apart.
    package init?(_ expression: RegularExpression) {
        var reader = AlternativeReader(expression.pattern)
        guard let groups = reader.groups(), !groups.isEmpty else { return nil }
        let (text, ways) = AlternativeReader.marked(expression.pattern, groups)
        guard let marked = try? RegularExpression(text, caseless: expression.caseless, engine: .pcre2) else {
            return nil
        }
        self.ways = ways
        self.groups = groups
        pattern = expression.pattern
        self.expression = marked
    }

    /// The expression with nothing but the alternatives on one way: what it matches can go that way.
    package func expression(of way: Int) -> [UInt8] {
        let way = ways[way]
        var cuts: [(range: Range<Int>, text: String)] = []
        for (number, group) in groups.enumerated() {
            let mark = group.end + 1
            let own = number == way.group
            guard own || group.start <= way.range.lowerBound && way.range.upperBound <= group.end else { continue }
            if own, way.kind == .leftOut {
                cuts.append((mark..<mark + 1, "{0}"))
                continue
            }
            if group.isOptional { cuts.append((mark..<mark + 1, "")) }
            let kept = group.alternatives.first {
                $0.lowerBound <= way.range.lowerBound && way.range.upperBound <= $0.upperBound
            }
            guard let kept, group.bars.count > 0 else { continue }
            cuts.append((kept.upperBound..<group.end, ""))
            cuts.append((group.start..<kept.lowerBound, ""))
        }
        var text = pattern
        for cut in cuts.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            text.replaceSubrange(cut.range, with: Array(cut.text.utf8))
        }
        return text
    }

    /// The numbers of the ways that the match in a subject goes.
    package func waysTaken(in subject: Span<UInt8>, scratch: MatchScratch) -> [Int] {
        scratch.renew()
        guard expression.match(subject, scratch: scratch) == .matched else { return [] }
        return ways.indices.filter { index in
            let way = ways[index]
            let isSet = way.groups.contains { scratch.capture($0) != nil }
            guard way.kind == .leftOut else { return isSet }
            return !isSet && (way.outer == 0 || scratch.capture(way.outer) != nil)
        }
    }
}

/// Finds the groups of an expression that have alternatives or may be left out.
private struct AlternativeReader {
    struct Group {
        /// The place where its content begins, where alternatives part, and where it ends.
        var start: Int
        var bars: [Int] = []
        var end = 0
        var isOptional = false
        /// The opening bracket; -1 for the whole expression.
        var open: Int

        var alternatives: [Range<Int>] { zip([start] + bars.map { $0 + 1 }, bars + [end]).map { $0..<$1 } }
    }

    private let text: [UInt8]
    private var index = 0

    init(_ text: [UInt8]) { self.text = text }

    private func starts(_ prefix: String) -> Bool { text[index...].starts(with: prefix.utf8) }

    /// The groups of interest, in the order of their starts; nil where something is not followed.
    mutating func groups() -> [Group]? {
        // Flags at the start hold for all of it.
        if starts("(?i)") { index = 4 }
        var open = [Group(start: index, open: -1)]
        var found: [Group] = []
        var lookarounds = 0
        // For each open group whether it is a lookaround.
        var kinds = [false]
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"):
                guard index + 1 < text.count else { return nil }
                // Backreferences and quoted text.
                if "123456789gkQEK".utf8.contains(text[index + 1]) { return nil }
                index += 2
            case UInt8(ascii: "["): index = CharacterClass.end(in: text, from: index)
            case UInt8(ascii: "("):
                let bracket = index
                guard let isLookaround = enterGroup() else { return nil }
                kinds.append(isLookaround)
                if isLookaround { lookarounds += 1 }
                open.append(Group(start: index, open: bracket))
            case UInt8(ascii: "|"):
                open[open.count - 1].bars.append(index)
                index += 1
            case UInt8(ascii: ")"):
                guard open.count > 1, var group = open.popLast(), let isLookaround = kinds.popLast() else { return nil }
                if isLookaround { lookarounds -= 1 }
                group.end = index
                index += 1
                group.isOptional = index < text.count && text[index] == UInt8(ascii: "?")
                if lookarounds == 0, !isLookaround, !group.bars.isEmpty || group.isOptional { found.append(group) }
            default: index += 1
            }
        }
        guard open.count == 1, var whole = open.first else { return nil }
        whole.end = text.count
        if !whole.bars.isEmpty { found.append(whole) }
        return found.sorted { $0.start < $1.start }
    }

    /// Goes past the beginning of a group; whether it is a lookaround, nil for a group that is not followed.
    private mutating func enterGroup() -> Bool? {
        for (prefix, isLookaround) in [
            ("(?:", false), ("(?i:", false), ("(?>", false), ("(?=", true), ("(?!", true), ("(?<=", true),
            ("(?<!", true),
        ] where starts(prefix) {
            index += prefix.utf8.count
            return isLookaround
        }
        if starts("(?<") || starts("(?P<") {
            guard let end = text[index...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            index = end + 1
            return false
        }
        if starts("(?") || starts("(*") { return nil }
        index += 1
        return false
    }

    /// The expression with a group around each alternative, and the ways through it.
    static func marked(_ text: [UInt8], _ groups: [Group]) -> (text: [UInt8], ways: [AlternativeProbe.Way]) {
        var opening: [Int: (group: Int, alternative: Int)] = [:]
        var closing: Set<Int> = []
        for (number, group) in groups.enumerated() {
            for (index, range) in group.alternatives.enumerated() {
                opening[range.lowerBound] = (number, index)
                closing.insert(range.upperBound)
            }
        }
        var result: [UInt8] = []
        var captures = 0
        var numbers = groups.map { [Int](repeating: 0, count: $0.alternatives.count) }
        var outer = [Int](repeating: 0, count: groups.count)
        var around: [Int] = []
        let brackets = Self.capturingBrackets(of: text)
        for index in 0...text.count {
            let isEmpty = opening[index].map { groups[$0.group].alternatives[$0.alternative].isEmpty } ?? false
            if closing.contains(index), !isEmpty, !around.isEmpty {
                result.append(UInt8(ascii: ")"))
                around.removeLast()
            }
            if let (group, alternative) = opening[index] {
                result.append(UInt8(ascii: "("))
                captures += 1
                numbers[group][alternative] = captures
                if isEmpty { result.append(UInt8(ascii: ")")) } else { around.append(captures) }
            }
            guard index < text.count else { break }
            if let group = groups.firstIndex(where: { $0.open == index }) { outer[group] = around.last ?? 0 }
            if brackets.contains(index) { captures += 1 }
            result.append(text[index])
        }
        var ways: [AlternativeProbe.Way] = []
        for (number, group) in groups.enumerated() {
            if group.bars.count > 0 {
                for (range, capture) in zip(group.alternatives, numbers[number]) {
                    ways.append(.init(kind: .alternative, range: range, groups: [capture], outer: 0, group: number))
                }
            }
            if group.isOptional {
                let range = group.open..<group.end + 1
                // Of a group with alternatives these say that it was taken.
                if group.bars.isEmpty {
                    ways.append(.init(kind: .taken, range: range, groups: numbers[number], outer: 0, group: number))
                }
                ways.append(
                    .init(kind: .leftOut, range: range, groups: numbers[number], outer: outer[number], group: number)
                )
            }
        }
        return (result, ways)
    }

    /// The place where the groups that capture begin.
    private static func capturingBrackets(of text: [UInt8]) -> Set<Int> {
        var reader = AlternativeReader(text)
        var found: Set<Int> = []
        while reader.index < text.count {
            switch text[reader.index] {
            case UInt8(ascii: "\\"): reader.index += 2
            case UInt8(ascii: "["): reader.index = CharacterClass.end(in: text, from: reader.index)
            case UInt8(ascii: "("):
                let named = reader.starts("(?<") && !reader.starts("(?<=") && !reader.starts("(?<!")
                if named || reader.starts("(?P<") || !reader.starts("(?") { found.insert(reader.index) }
                reader.index += 1
            default: reader.index += 1
            }
        }
        return found
    }
}
