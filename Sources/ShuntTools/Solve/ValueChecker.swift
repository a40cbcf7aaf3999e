import Shunt
import ShuntPatterns
import ShuntRules

/// Checks whether values pass tests, and returns the set of values that do; makes the automaton of each expression
/// once.
final class ValueChecker {
    let model: RuleModel
    let limits: AnalysisLimits
    private var automata: KeptAutomata<RuleModel.Expression>
    private var looseAutomata: KeptAutomata<RuleModel.Expression>
    private var domains: [SubjectDomain: Automaton] = [:]
    private var patterns: [String: Automaton] = [:]
    private let scratch = MatchScratch()
    private var mapKeys: [RuleModel.Map: MapKeys] = [:]
    private var addressValues: [RuleModel.AddressTable: [AddressValue]] = [:]

    init(_ model: RuleModel, limits: AnalysisLimits) {
        self.model = model
        self.limits = limits
        automata = KeptAutomata(mostTransitions: limits.transitionsKept)
        looseAutomata = KeptAutomata(mostTransitions: limits.transitionsKept)
    }

    /// The keys of a map, which are made when they are first needed.
    func keys(of map: RuleModel.Map, orMake make: () -> MapKeys) -> MapKeys {
        if let known = mapKeys[map] { return known }
        let keys = make()
        mapKeys[map] = keys
        return keys
    }

    /// The values of a `geo`, each with clients that have it, which are found when they are first needed.
    func values(of geo: RuleModel.AddressTable) -> [AddressValue] {
        if let known = addressValues[geo] { return known }
        let values = AddressValue.all(of: geo)
        addressValues[geo] = values
        return values
    }

    /// The number of automata built for expressions.
    var automataMade: Int { automata.made + looseAutomata.made }

    /// The automaton of an expression of the program.
    func automaton(of pattern: RuleModel.Expression) throws(AutomatonRefusal) -> Automaton {
        try automata.automaton(of: pattern) { () throws(AutomatonRefusal) in
            try Automaton(pattern.expression, limits: limits.expression)
        }
    }

    /// An automaton that accepts what an expression matches, and perhaps more: for looking for subjects.
    func looseAutomaton(of pattern: RuleModel.Expression) throws(AutomatonRefusal) -> Automaton {
        do throws(AutomatonRefusal) {
            return try automaton(of: pattern)
        } catch {
            let reason = error
            return try looseAutomata.automaton(of: pattern) { () throws(AutomatonRefusal) in
                guard let tree = tree(of: pattern) else { throw reason }
                return try Automaton(tree.withoutReferences, limits: limits.expression)
            }
        }
    }

    /// The tree of an expression of the program; nil where it is not read.
    func tree(of pattern: RuleModel.Expression) -> PatternNode? { try? PatternNode(pattern.expression) }

    /// The automaton of an expression; nil if it has none.
    func automaton(of expression: RegularExpression) -> Automaton? {
        try? Automaton(expression, limits: limits.expression)
    }

    /// The automaton of an expression of our own; nil if it passes a limit.
    func automaton(_ pattern: String) -> Automaton? {
        if let known = patterns[pattern] { return known }
        let automaton = try? Automaton(pattern: pattern, limits: limits.expression)
        patterns[pattern] = automaton
        return automaton
    }

    /// The addresses of version 4 in their usual form; nil if they pass a limit.
    var addressesOfHosts: Automaton? {
        let byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
        return automaton("^(?:\(byte)\\.){3}\(byte)\\z")
    }

    /// The automaton of a domain; nil if it passes a limit.
    func automaton(of domain: SubjectDomain) -> Automaton? {
        if let known = domains[domain] { return known }
        let automaton = try? domain.automaton(limits: limits.expression)
        domains[domain] = automaton
        return automaton
    }

    /// Returns true if an expression of the program matches.
    func matches(_ pattern: RuleModel.Expression, _ value: [UInt8]) -> Bool {
        scratch.renew()
        return pattern.matches(value.span, scratch: scratch)
    }

    /// The values that pass a test; nil where they are not a regular set.
    func language(of test: ValueTest) throws(AutomatonRefusal) -> Language? {
        let language: Language
        switch test.kind {
        case .truthy:
            guard let automaton = automaton("^0?\\z") else { return nil }
            language = .complement(.automaton(automaton))
        case .equals(let text): language = .automaton(try Automaton(exactly: text, limits: limits.expression))
        case .isAny(let texts):
            var automata: [Language] = []
            for text in texts { automata.append(.automaton(try Automaton(exactly: text, limits: limits.expression))) }
            language = .union(automata)
        case .matches(let pattern):
            language = .automaton(test.isNegated ? try automaton(of: pattern) : try looseAutomaton(of: pattern))
        case .isIn(let automaton): language = .automaton(automaton)
        case .version, .moment, .timeOfDay, .share: return nil
        }
        return test.isNegated ? .complement(language) : language
    }

    func passes(_ value: [UInt8], _ test: ValueTest) -> Bool {
        let result: Bool
        switch test.kind {
        case .truthy: result = !(value.isEmpty || value == [UInt8(ascii: "0")])
        case .equals(let text): result = value == text
        case .isAny(let texts): result = texts.contains(value)
        case .matches(let pattern): result = matches(pattern, value)
        case .isIn(let automaton): result = automaton.accepts(value)
        case .version(let kind, let bound):
            result = VersionComparison.compare(value.span, bound.span).map { Self.holds(kind, $0) } ?? false
        case .moment(let kind, let bound):
            guard let moment = TimeValue.moment(of: value.span, offset: model.zoneOffset) else { return test.isNegated }
            result = Self.holds(kind, moment < bound ? .less : bound < moment ? .greater : .equal)
        case .timeOfDay(let kind, let bound):
            guard let seconds = TimeValue.timeOfDay(value.span) else { return test.isNegated }
            result = Self.holds(kind, seconds < bound ? .less : bound < seconds ? .greater : .equal)
        case .share(let split, let shares):
            let found = split.share(of: MurmurHash2.hash(value.span))
            result = found.map(shares.contains) ?? false
        }
        return result != test.isNegated
    }

    func passes(_ value: [UInt8], _ tests: [ValueTest]) -> Bool { tests.allSatisfy { passes(value, $0) } }

    private static func holds(_ kind: Condition.Kind, _ order: Ordering) -> Bool {
        switch kind {
        case .less: order == .less
        case .lessOrEqual: order != .greater
        case .greater: order == .greater
        default: order != .less
        }
    }

    /// The texts that an expression of the program matches; nil where it has no automaton.
    func language(of pattern: RuleModel.Expression) -> Language? {
        (try? automaton(of: pattern)).map(Language.automaton)
    }

    /// The texts that an expression of our own matches; nil if it passes a limit.
    func language(_ pattern: String) -> Language? { automaton(pattern).map(Language.automaton) }

    /// The texts that an expression with a changed text would match; nil where it has no automaton.
    func language(_ text: [UInt8], like pattern: RuleModel.Expression) -> Language? {
        guard let expression = try? RegularExpression(text, caseless: pattern.expression.caseless) else { return nil }
        return automaton(of: expression).map(Language.automaton)
    }

    /// The paths of requests once they are normalized; nil if they pass a limit.
    var normalPaths: Language? { automaton(of: .path(mergesSlashes: true)).map(Language.automaton) }

    /// The shortest text that is in all of some sets; nil if there is none, or a limit is passed before it is found.
    func shortest(_ languages: Language...) -> [UInt8]? {
        try? Language.intersection(languages).shortestSubject(limits: limits.proof)
    }

    /// Returns true if it is proved that no text is in all of some sets.
    func isEmpty(_ languages: Language...) -> Bool {
        (try? Language.intersection(languages).isEmpty(limits: limits.proof)) == true
    }

    /// Returns true if it is proved that two sets have the same texts of a third one.
    func areEqual(_ one: Language, _ other: Language, within domain: Language) -> Bool {
        isEmpty(domain, one.symmetricDifference(other))
    }
}

extension PatternNode {
    /// The same without what no automaton can express exactly: it matches all that this does, and perhaps more.
    var withoutReferences: PatternNode {
        var groups: [Int: PatternNode] = [:]
        collect(&groups)
        return loosened(groups, depth: 0)
    }

    private func loosened(_ groups: [Int: PatternNode], depth: Int) -> PatternNode {
        switch self {
        case .backreference(let number):
            guard depth < 4, let group = groups[number] else { return .sequence([]) }
            return group.loosened(groups, depth: depth + 1)
        case .lineBreak: return .literal([0x0a], caseless: false)
        case .atomic(let inner): return inner.loosened(groups, depth: depth)
        case .repeated(let inner, let minimum, let maximum, .possessive):
            let loose = inner.loosened(groups, depth: depth)
            return .repeated(loose, minimum: minimum, maximum: maximum, .greedy)
        case .lookaround(let inner, _, true) where !inner.isExact: return .sequence([])
        default: return changingParts { $0.loosened(groups, depth: depth) }
        }
    }

    /// True if loosening changes nothing.
    private var isExact: Bool {
        switch self {
        case .backreference, .lineBreak, .atomic, .repeated(_, _, _, .possessive): false
        default: parts.allSatisfy(\.isExact)
        }
    }
}
