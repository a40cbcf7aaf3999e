/// An expression with a group around each of its alternatives: its captures show which way a match went.
///
/// Alternatives in lookarounds are not distinguished. An expression whose groups other parts name, or whose syntax is
/// not followed here, has no probe.
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
        /// The place where it is in the expression.
        package var range: Range<Int>
        /// The groups of which one took part if a match went here.
        fileprivate var groups: [Int]
        /// For a group that is left out: the alternative that it is in; 0 for the whole expression.
        fileprivate var outer: Int
        /// The group among those that were found.
        fileprivate var group: Int
    }

    package let ways: [Way]
    private let expression: RegularExpression
    private let written: ExpressionText
    private let groups: [ExpressionText.Group]

    /// The probe of an expression; nil where it has no alternatives, or they cannot be distinguished.
    package init?(_ expression: RegularExpression) {
        guard let written = ExpressionText(expression.pattern), let whole = written.groups.first,
            // Flags at the start hold for all of it.
            ["", "(?i)"].contains(String(decoding: written.text[..<whole.start], as: UTF8.self)),
            !written.refersBack, !written.escaped.contains(UInt8(ascii: "K"))
        else { return nil }
        let lookarounds = written.groups.filter { $0.kind == .lookaround }
        let groups = written.groups.filter { group in
            (!group.bars.isEmpty || written.isOptional(group))
                && !lookarounds.contains { $0.open <= group.open && group.end <= $0.end }
        }
        guard !groups.isEmpty else { return nil }
        let (text, ways) = Self.marked(written, groups)
        guard let marked = try? RegularExpression(text, caseless: expression.caseless, engine: .pcre2) else {
            return nil
        }
        self.ways = ways
        self.groups = groups
        self.written = written
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
            if written.isOptional(group) { cuts.append((mark..<mark + 1, "")) }
            let kept = group.alternatives.first {
                $0.lowerBound <= way.range.lowerBound && way.range.upperBound <= $0.upperBound
            }
            guard let kept, group.bars.count > 0 else { continue }
            cuts.append((kept.upperBound..<group.end, ""))
            cuts.append((group.start..<kept.lowerBound, ""))
        }
        var text = written.text
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

extension AlternativeProbe {
    /// The expression with a group around each alternative, and the ways through it.
    private static func marked(_ written: ExpressionText, _ groups: [ExpressionText.Group]) -> (
        text: [UInt8], ways: [Way]
    ) {
        let text = written.text
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
        let brackets = Set(written.groups.filter(\.captures).map(\.open))
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
        var ways: [Way] = []
        for (number, group) in groups.enumerated() {
            if group.bars.count > 0 {
                for (range, capture) in zip(group.alternatives, numbers[number]) {
                    ways.append(.init(kind: .alternative, range: range, groups: [capture], outer: 0, group: number))
                }
            }
            if written.isOptional(group) {
                let range = group.open..<group.end + 1
                // For a group with alternatives these show that it was taken.
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
}

extension ExpressionText {
    /// Returns true if a group may be left out.
    fileprivate func isOptional(_ group: Group) -> Bool { text[group.end...].starts(with: ")?".utf8) }
}

extension ExpressionText.Group {
    fileprivate var captures: Bool {
        switch kind {
        case .capture, .named: true
        case .plain, .lookaround: false
        }
    }
}
