import ShuntAutomata
import ShuntCore
import ShuntPatterns
import ShuntRules

/// Proves that a changed expression is the same as before, and finds what is matched by just one of the two.
///
/// Subjects with control bytes are left out of account: nobody asks for a path with a line feed in it.
struct EqualityProof {
    private let checker: ValueChecker
    private let change: ExpressionChange
    private let domain: Language
    private let before: Automaton
    private let after: Automaton
    /// What is matched in a way that only one of the two has; nil where that is not known.
    private let difference: Automaton?

    /// Nil where one of the expressions has no automaton.
    init?(_ change: ExpressionChange, _ checker: ValueChecker) {
        func automaton(_ text: [UInt8], _ isCaseless: Bool) -> Automaton? {
            guard let expression = try? RegularExpression(text, caseless: isCaseless) else { return nil }
            return try? Automaton(expression, limits: checker.limits.expression)
        }
        guard let before = automaton(change.original, change.wasCaseless),
            let after = automaton(change.mutated, change.isCaseless),
            let controls = checker.automaton("[\\x00-\\x1f\\x7f]")
        else { return nil }
        var domain: [Language] = [.complement(.automaton(controls))]
        switch change.subject {
        case .path: if let path = checker.automaton(of: .path(mergesSlashes: true)) { domain.append(.automaton(path)) }
        case .url: if let url = checker.automaton(of: .url) { domain.append(.automaton(url)) }
        case .value: break
        }
        self.checker = checker
        self.change = change
        self.domain = .intersection(domain)
        self.before = before
        self.after = after
        difference = change.difference.flatMap { automaton($0, change.wasCaseless) }
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

    /// Whether both match the same subjects, and capture the same where captures are used.
    var isEqual: Bool {
        let difference = Language.automaton(before).symmetricDifference(.automaton(after))
        guard (try? Language.intersection([domain, difference]).isEmpty(limits: checker.limits.proof)) == true else {
            return false
        }
        return !change.usesCaptures || losesOnlyTheEnd || matchesInTheSameWays
    }

    /// Whether nothing is ever matched in a way that only one of the two has: then all else is tried in the same order.
    private var matchesInTheSameWays: Bool {
        guard let difference else { return false }
        return (try? Language.intersection([domain, .automaton(difference)]).isEmpty(limits: checker.limits.proof))
            == true
    }

    /// Whether all that was lost is a `$` behind what takes everything there is anyway: then the first match is the same.
    private var losesOnlyTheEnd: Bool {
        guard change.wasCaseless == change.isCaseless,
            let old = try? PatternNode(RegularExpression(change.original, caseless: change.wasCaseless)),
            let new = try? PatternNode(RegularExpression(change.mutated, caseless: change.isCaseless)),
            case .sequence(let nodes) = old, nodes.last == .end, let last = nodes.dropLast().last, last.takesAll
        else { return false }
        let rest = Array(nodes.dropLast())
        return new == .sequence(rest) || rest.count == 1 && new == rest[0]
    }
}

extension PatternNode {
    /// Whether it takes all bytes up to the end, if there are no control bytes among them.
    fileprivate var takesAll: Bool {
        switch self {
        case .capture(let inner, _): inner.takesAll
        case .repeated(.set(let set), _, nil, .greedy):
            (0x20...0x7e).allSatisfy(set.contains) && (0x80...0xff).allSatisfy(set.contains)
        default: false
        }
    }
}
