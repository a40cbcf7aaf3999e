import Shunt
import ShuntPatterns

/// Proves that no request reaches a rule, because the rules before it take all that could.
///
/// A rule before another one is a cover if it ends the sequence when it applies, if the tests around it are among those
/// around the other, and if nothing between the two changes the subject: then what reaches the other has passed it.
/// Covers that are left out only make the proof harder.
///
/// What is known of rules is kept for the next question, and covers are looked up by subjects that they take. So the work on a rule does not
/// grow with the number of those before it.
final class DeadRuleProof {
    private let checker: ValueChecker
    private let matchers: RuleMatchers
    /// The rules of the sequences that were asked about.
    private var sequences: [RuleModel.Sequence: EarlierRules] = [:]
    /// The expressions of locations, by their levels.
    private var levels: [RuleModel.Level: LevelExpressions] = [:]
    private var coversOfLocations: [RuleModel.Location: [SourcePosition]?] = [:]
    /// The tests around rules; nil where there are several ways to them.
    private var tests: [RuleModel.Step: [RuleModel.Guard]?] = [:]
    /// True if expressions match every URL.
    private var matchesAll: [RuleModel.Expression: Bool] = [:]
    /// The URLs with hosts that matchers are for, by their names.
    private var urlsOfHosts: KeptAutomata<RuleModel.URLMatcher>
    private var comparisons = 0

    init(_ checker: ValueChecker) {
        self.checker = checker
        matchers = RuleMatchers(checker.model)
        urlsOfHosts = KeptAutomata(mostTransitions: checker.limits.transitionsKept)
    }

    /// The number of sets and names compared and of automata built for all questions so far.
    var work: Int { comparisons + urlsOfHosts.made + checker.automataMade }

    /// The rules because of which a goal is never reached, in none of the places that include its file; nil if that is not proved.
    func covers(of goal: RuleGoal) -> [SourcePosition]? {
        switch goal {
        case .step(let step):
            return covers(ofAll: checker.model.repetitions(of: step)) { step in
                step.sequence?.location.flatMap(covers(ofLocation:)) ?? covers(ofStep: step)
            }
        case .location(let location):
            return covers(ofAll: checker.model.repetitions(of: location), covers(ofLocation:))
        case .test, .server: return nil
        }
    }

    private func covers<Part>(ofAll parts: [Part], _ covers: (Part) -> [SourcePosition]?) -> [SourcePosition]? {
        var found: [SourcePosition] = []
        for part in parts {
            guard let own = covers(part) else { return nil }
            found += own.filter { !found.contains($0) }
        }
        return found
    }

    // MARK: Rules of a sequence

    private func covers(ofStep goal: RuleModel.Step) -> [SourcePosition]? {
        guard let sequence = goal.sequence else { return nil }
        let ways = goal.ways()
        if ways.isEmpty { return endBefore(goal).map { [$0] } }
        // More ways than are followed prove nothing.
        guard ways.count < 32 else { return nil }
        let earlier = earlier(in: sequence)
        let range = earlier.range(before: goal)
        let isAround = { (rule: RuleModel.Step) in self.isAround(rule, ways) }
        let common = ways.dropFirst().reduce(into: Set(ways[0])) { $0.formIntersection($1) }
        if let decided = earlier.deciding(within: common, in: range).first(where: isAround) {
            return [decided.position]
        }
        if let rewrite = goal.rewrite {
            guard let own = checker.language(of: rewrite.expression) else { return nil }
            return search(own) { path in
                earlier.taking(path: path, in: range).filter(isAround)
                    .compactMap { rule in
                        rule.expression.flatMap(self.checker.language(of:)).map { self.cover(rule, $0) }
                    }
            }
        }
        guard let matcher = matchers.matcher(of: goal) else { return nil }
        guard let expression = matcher.expression else {
            return covers(ofHosts: matcher, earlier: earlier, range: range, isAround)
        }
        guard let own = checker.language(of: expression) else { return nil }
        return search(own) { url in
            var rules = earlier.taking(url: url, in: range).filter { self.sees(matcher.spelling, $0) }
            if matcher.spelling == .written, let host = Self.plainHost(of: url) {
                rules += earlier.taking(host: host, in: range)
            }
            return rules.sorted().filter(isAround)
                .compactMap { rule in self.urls(of: rule).map { self.cover(rule, $0) } }
        }
    }

    private func search(_ subjects: Language, _ taking: ([UInt8]) -> [Cover]) -> [SourcePosition]? {
        var search = CoverSearch(limits: checker.limits.proof)
        defer { comparisons += search.comparisons }
        return search.covers(holding: subjects, taking: taking)
    }

    private func cover(_ rule: RuleModel.Step, _ subjects: Language) -> Cover {
        Cover(rule: rule.order, subjects: subjects, position: rule.position)
    }

    private func earlier(in sequence: RuleModel.Sequence) -> EarlierRules {
        if let known = sequences[sequence] { return known }
        let made = EarlierRules(sequence, matchers: matchers)
        sequences[sequence] = made
        return made
    }

    /// The rule that ends the sequence before a step to which nothing leads.
    private func endBefore(_ goal: RuleModel.Step) -> SourcePosition? {
        for step in goal.before {
            switch step.operation {
            case .finish, .stop: return step.position
            case .test, .testNot, .match, .jump, .end: return nil
            default: continue
            }
        }
        return nil
    }

    /// Returns true if the tests around a rule are true wherever a goal is reached.
    private func isAround(_ rule: RuleModel.Step, _ ways: [[RuleModel.Guard]]) -> Bool {
        let own: [RuleModel.Guard]?
        if let known = tests[rule] {
            own = known
        } else {
            let found = rule.ways(limit: 2)
            own = found.count == 1 ? found[0] : nil
            tests[rule] = .some(own)
        }
        guard let own else { return false }
        return ways.allSatisfy { way in own.allSatisfy(way.contains) }
    }

    // MARK: What rules take

    /// Returns true if the expression of a rule sees a URL that is spelled so.
    private func sees(_ spelling: Matcher.Spelling, _ rule: RuleModel.Step) -> Bool {
        guard let own = matchers.matcher(of: rule)?.spelling else { return false }
        return own == .both || own == spelling
    }

    /// The URLs, as they are written, with which a rule surely applies.
    private func urls(of rule: RuleModel.Step) -> Language? {
        guard let matcher = matchers.matcher(of: rule) else { return nil }
        if let expression = matcher.expression { return checker.language(of: expression) }
        guard matcher.hostNames.count <= 64, let plain = checker.automaton("^[^:/?#]+://[^/?#@]*(?:[/?#]|\\z)") else {
            return nil
        }
        let automaton = try? urlsOfHosts.automaton(of: matcher) { () throws(AutomatonRefusal) in
            // Other spellings of a host than the usual one are not among these, nor URLs with a user.
            let urls = try URLPart.host.urls(having: try hosts(of: matcher), checker)
            return try Language.intersection([urls, .automaton(plain)]).automaton(limits: checker.limits.proof)
        }
        return automaton.map { .automaton($0) }
    }

    /// The hosts that the names of a matcher stand for.
    private func hosts(of matcher: RuleModel.URLMatcher) throws(AutomatonRefusal) -> Language {
        var all: [Language] = []
        for name in matcher.hostNames {
            let test = ValueTest(name, isWanted: false, limits: checker.limits.expression)
            if let language = try checker.language(of: test) { all.append(language) }
        }
        return .union(all)
    }

    /// The host of a URL that is written as usual; nil for others.
    private static func plainHost(of url: [UInt8]) -> [UInt8]? {
        let parts = RouteSubject(splitting: url.span)
        guard let scheme = parts.scheme, let host = parts.host, host.start == scheme.end + 3 else { return nil }
        return url[host.indices].map(\.asciiLowercased)
    }

    // MARK: Hosts

    /// The rules that take all hosts of a matcher, found by the texts of their names.
    private func covers(
        ofHosts matcher: RuleModel.URLMatcher,
        earlier: EarlierRules,
        range: Range<RuleModel.Step>,
        _ isAround: (RuleModel.Step) -> Bool
    ) -> [SourcePosition]? {
        guard matcher.hostExpressions.isEmpty, !matcher.hostNames.isEmpty else { return nil }
        let takingAll = earlier.taking(url: Array("a:".utf8), in: range).filter { isAround($0) && takesEveryURL($0) }
        var holders: [Set<RuleModel.Step>] = []
        func add(_ name: HostNamePattern) -> Bool {
            comparisons += 1
            let own = takingAll + earlier.takingAll(of: name, in: range).filter(isAround)
            if !own.isEmpty { holders.append(Set(own)) }
            return !own.isEmpty
        }
        for name in matcher.hostNames {
            if add(name) { continue }
            guard name.kind == .domain else { return nil }
            for kind in [HostNamePattern.Kind.exact, .subdomains] {
                var part = name
                part.kind = kind
                guard add(part) else { return nil }
            }
        }
        let single = holders.dropFirst().reduce(holders[0]) { $0.intersection($1) }.min()
        var needed = single.map { [$0] } ?? Set(holders.compactMap { $0.min() }).sorted()
        for rule in needed.reversed() where needed.count > 1 {
            let fewer = needed.filter { $0 != rule }
            if holders.allSatisfy({ !$0.isDisjoint(with: fewer) }) { needed = fewer }
        }
        return needed.map(\.position)
    }

    private func takesEveryURL(_ rule: RuleModel.Step) -> Bool {
        guard let pattern = matchers.matcher(of: rule)?.expression else { return false }
        if let known = matchesAll[pattern] { return known }
        var result = false
        if let own = try? checker.automaton(of: pattern), own.accepts("a:".utf8), own.accepts("kl://a/".utf8),
            let urls = checker.automaton(of: .url)
        {
            comparisons += 1
            result = checker.isEmpty(.automaton(urls), .complement(.automaton(own)))
        }
        matchesAll[pattern] = result
        return result
    }

    // MARK: Locations

    /// The locations because of which an expression's location is never chosen.
    private func covers(ofLocation location: RuleModel.Location) -> [SourcePosition]? {
        if let known = coversOfLocations[location] { return known }
        let found = location.chain.lazy.compactMap { self.earlierLocations(than: $0) }.first
        coversOfLocations[location] = .some(found)
        return found
    }

    private func earlierLocations(than location: RuleModel.Location) -> [SourcePosition]? {
        guard let expression = location.expression else { return nil }
        let level = levels[location.level] ?? LevelExpressions(location.level)
        levels[location.level] = level
        guard let number = level.numbers[location], let own = checker.language(of: expression) else { return nil }
        return search(own) { path in
            level.expressions.taking(path, in: 0..<number)
                .compactMap { number in
                    let other = level.locations[number]
                    return other.expression.flatMap(checker.language(of:))
                        .map { Cover(rule: number, subjects: $0, position: other.position) }
                }
        }
    }
}

/// The locations of a level that have expressions, by the order in which they are tried.
private struct LevelExpressions {
    let locations: [RuleModel.Location]
    let numbers: [RuleModel.Location: Int]
    let expressions: MatchingExpressions<Int>

    init(_ level: RuleModel.Level) {
        locations = level.expressions
        numbers = Dictionary(locations.enumerated().map { ($1, $0) }) { first, _ in first }
        expressions = MatchingExpressions(
            locations.enumerated().compactMap { number, location in location.expression.map { (number, $0) } }
        )
    }
}
