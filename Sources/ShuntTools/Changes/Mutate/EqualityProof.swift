import ShuntCore
import ShuntPatterns

/// Proves that a changed expression is the same as before, and finds what is matched by just one of the two.
///
/// Subjects with control bytes are left out of account, unless they are asked for: hardly anybody asks for a path with a line feed in it.
struct EqualityProof {
    private let checker: ValueChecker
    private let change: ExpressionChange
    private let domain: Language
    private let withControls: Bool
    private let before: Automaton
    private let after: Automaton
    /// The texts that only one of the two matches; nil if unknown.
    private let difference: Automaton?

    /// Nil where one of the expressions has no automaton.
    ///
    /// Without `paths` they are those that clients send, and without `place` all subjects reach the rule.
    init?(
        _ change: ExpressionChange,
        _ checker: ValueChecker,
        among paths: Language? = nil,
        within place: Language? = nil,
        withControls: Bool = false
    ) {
        guard let before = change.before.flatMap({ checker.automaton(of: $0) }),
            let after = change.after.flatMap({ checker.automaton(of: $0) }),
            let controls = checker.automaton("[\\x00-\\x1f\\x7f]")
        else { return nil }
        var domain: [Language] = withControls ? [] : [.complement(.automaton(controls))]
        switch change.subject {
        case .path:
            if let paths = paths ?? checker.normalPaths { domain.append(paths) }
        case .url: if let url = checker.automaton(of: .url) { domain.append(.automaton(url)) }
        case .value: break
        }
        self.withControls = withControls
        self.checker = checker
        self.change = change
        self.domain = .intersection(domain + (place.map { [$0] } ?? []))
        self.before = before
        self.after = after
        difference = change.difference.flatMap { try? RegularExpression($0, caseless: change.wasCaseless) }
            .flatMap { checker.automaton(of: $0) }
    }

    /// The subjects that only the expression before matches, and those that only the one after does.
    var differences: [Automaton] {
        [
            Language.automaton(before).subtracting(.automaton(after)),
            Language.automaton(after).subtracting(.automaton(before)),
        ]
        .compactMap { language in
            let within = Language.intersection([domain, language])
            guard let automaton = try? within.automaton(limits: checker.limits.proof), !automaton.isEmpty else {
                return nil
            }
            return automaton
        }
    }

    /// True if both match the same subjects, and capture the same where captures are used.
    var isEqual: Bool {
        guard checker.areEqual(.automaton(before), .automaton(after), within: domain) else { return false }
        return !change.usesCaptures || isTheSameButForItsWriting
            || !withControls && losesOnlyTheEnd || matchesInTheSameWays
    }

    /// True if nothing is ever matched in a way that only one of the two has: then all else is tried in the same order.
    private var matchesInTheSameWays: Bool {
        difference.map { checker.isEmpty(domain, .automaton($0)) } ?? false
    }

    private func trees() -> (old: PatternNode, new: PatternNode)? {
        guard let old = change.before.flatMap({ try? PatternNode($0) }),
            let new = change.after.flatMap({ try? PatternNode($0) })
        else { return nil }
        return (old, new)
    }

    /// Returns true if only the case is another of the bytes with which all that is matched begins.
    private func startsWithTheSameBytes(_ old: PatternNode, _ new: PatternNode) -> Bool {
        guard case .sequence(let before) = old, case .sequence(let after) = new, before.count > 2,
            before.first == .start, after.first == .start, case .literal(let some, _) = before[1],
            case .literal(let others, _) = after[1], some.count == others.count
        else { return false }
        return before.dropFirst(2).map(\.withoutCase) == after.dropFirst(2).map(\.withoutCase)
    }

    /// True if both have the same meaning, because there is no letter in them; or all that was lost is a `^`: what is
    /// matched at all is matched at the start then, where both look first.
    private var isTheSameButForItsWriting: Bool {
        guard let (old, new) = trees() else { return false }
        if old.withoutCase == new.withoutCase || startsWithTheSameBytes(old, new) { return true }
        guard case .sequence(let nodes) = old, nodes.first == .start else { return false }
        let rest = Array(nodes.dropFirst())
        return new == .sequence(rest) || rest.count == 1 && new == rest[0]
    }

    /// True if all that was lost is a `$` after what takes everything there is anyway: then the first match is the
    /// same.
    private var losesOnlyTheEnd: Bool {
        guard change.wasCaseless == change.isCaseless, let (old, new) = trees(),
            case .sequence(let nodes) = old, nodes.last == .end, let last = nodes.dropLast().last, last.takesAll
        else { return false }
        let rest = Array(nodes.dropLast())
        return new == .sequence(rest) || rest.count == 1 && new == rest[0]
    }
}

extension PatternNode {
    /// True if it takes all bytes up to the end, if there are no control bytes among them.
    fileprivate var takesAll: Bool {
        switch self {
        case .capture(let inner, _): inner.takesAll
        case .sequence(let nodes): nodes.last?.takesAll ?? false
        case .repeated(.set(let set), _, nil, .greedy):
            (0x20...0x7e).allSatisfy(set.contains) && (0x80...0xff).allSatisfy(set.contains)
        default: false
        }
    }

    /// The same with texts that have no letters marked as if case were regarded in them.
    fileprivate var withoutCase: PatternNode {
        switch self {
        case .literal(let bytes, _) where !bytes.contains(where: \.isASCIILetter): .literal(bytes, caseless: false)
        case .atomic, .lookaround: self
        default: changingParts(\.withoutCase)
        }
    }
}
