import ShuntPatterns

/// Finds pairs of routes that match the same path and of which neither is more specific, though they do not end at one
/// state: components whose texts cross (`a:x` and `:y.b`), and expressions that match the same value.
struct AmbiguityCheck {
    struct Finding {
        var first: Int
        var second: Int
        /// A component that both match; nil when that is possible but not certain.
        var witness: String?
    }

    private let compiler: TableCompiler
    private let expressions: [RegularExpression]
    private let scratch = MatchScratch()
    private var budget: Int
    private var reported: Set<TableCompiler.Conflict> = []
    private(set) var findings: [Finding] = []

    /// The most alternatives of one state that are compared with each other.
    private static let maximumAlternatives = 200

    /// Values that expressions are tried on.
    private static let samples: [String] =
        (0...9).map(String.init) + ["12", "123", "1234", "12345", "2024", "00000000", "2024-02-29", "1.2.3", "-1"]
        + ["a", "b", "z", "ab", "abc", "abcd", "abcdef", "A", "AB", "ABC", "en", "de", "fr", "en-us", "en_US", "de-DE"]
        + ["a1", "a-b", "a_b", "a.b", "ab12", "index.html", "x.json", "true", "deadbeef", "v1", "_", "-", "."]

    init(_ compiler: TableCompiler, expressions: [RegularExpression]) {
        self.compiler = compiler
        self.expressions = expressions
        budget = 100_000 + 32 * compiler.states.count
    }

    /// Compares the alternatives of every state.
    mutating func run() {
        for state in compiler.states where state.alternatives.count > 1 {
            let alternatives = Array(compiler.alternatives[state.alternatives].prefix(Self.maximumAlternatives))
            for (index, second) in alternatives.enumerated() {
                for first in alternatives[..<index] where first.kind == second.kind { compare(first, second) }
            }
        }
    }

    private mutating func compare(_ first: AlternativeRecord, _ second: AlternativeRecord) {
        budget -= 1
        guard budget > 0 else { return }
        let witness: String?
        switch first.kind {
        case .expression: witness = sample(first.constraint, second.constraint)
        case .pieces:
            guard let crossing = Self.crossing(compiler.labels[Int(first.label)], compiler.labels[Int(second.label)])
            else { return }
            witness = crossing
        case .plain, .typed, .tail, .tailPieces: return
        }
        guard let (one, two) = common(first.target, second.target, depth: 0) else { return }
        let pair = TableCompiler.Conflict(first: min(one, two), second: max(one, two))
        guard reported.insert(pair).inserted else { return }
        findings.append(Finding(first: pair.first, second: pair.second, witness: witness))
    }

    /// A value that both expressions match.
    private func sample(_ first: UInt32, _ second: UInt32) -> String? {
        Self.samples.first { sample in
            let bytes = Array(sample.utf8)
            scratch.renew()
            return expressions[Int(first)].match(bytes.span, scratch: scratch) == .matched
                && expressions[Int(second)].match(bytes.span, scratch: scratch) == .matched
        }
    }

    /// A component that two components of text and one plain value both match, when neither includes the other.
    private static func crossing(_ first: RouteLabel, _ second: RouteLabel) -> String? {
        guard let one = affixes(first), let two = affixes(second) else { return nil }
        let prefixes = (one.prefix.starts(with: two.prefix), two.prefix.starts(with: one.prefix))
        let suffixes = (
            one.suffix.reversed().starts(with: two.suffix.reversed()),
            two.suffix.reversed().starts(with: one.suffix.reversed())
        )
        guard prefixes.0 || prefixes.1, suffixes.0 || suffixes.1 else { return nil }
        if (prefixes.0 && suffixes.0) || (prefixes.1 && suffixes.1) { return nil }
        let prefix = prefixes.0 ? one.prefix : two.prefix
        let suffix = suffixes.0 ? one.suffix : two.suffix
        return String(decoding: prefix + [UInt8(ascii: "x")] + suffix, as: UTF8.self)
    }

    /// The texts around the one plain value of a component.
    private static func affixes(_ label: RouteLabel) -> (prefix: [UInt8], suffix: [UInt8])? {
        guard case .component(let pieces) = label else { return nil }
        var prefix: [UInt8] = []
        var suffix: [UInt8] = []
        var values = 0
        for piece in pieces {
            switch piece {
            case .literal(let bytes): if values == 0 { prefix = bytes } else { suffix = bytes }
            case .value(.none, _): values += 1
            case .value, .wildcard, .splat, .components, .anyByte: return nil
            }
        }
        return values == 1 ? (prefix, suffix) : nil
    }

    /// Two routes of one level with a method in common, that end after the same components from the two states on.
    private mutating func common(_ first: UInt32, _ second: UInt32, depth: Int) -> (Int, Int)? {
        budget -= 1
        guard budget > 0, depth <= RoutingLimits.components * 2 else { return nil }
        let (one, two) = (compiler.states[Int(first)], compiler.states[Int(second)])
        for left in compiler.terminals[one.terminals] {
            for right in compiler.terminals[two.terminals] where left != right {
                let (a, b) = (compiler.inputs[left], compiler.inputs[right])
                if a.level == b.level, a.methods & b.methods != 0 { return (left, right) }
            }
        }
        for left in compiler.edges[one.edges] where left.length != EdgeRecord.unused {
            for right in compiler.edges[two.edges] where right.length != EdgeRecord.unused && right.label == left.label
            {
                if let found = common(left.target, right.target, depth: depth + 1) { return found }
            }
        }
        for left in compiler.alternatives[one.alternatives] {
            for right in compiler.alternatives[two.alternatives]
            where left.label == right.label || (left.kind == .plain && right.kind == .plain) {
                if let found = common(left.target, right.target, depth: depth + 1) { return found }
            }
        }
        return nil
    }
}
