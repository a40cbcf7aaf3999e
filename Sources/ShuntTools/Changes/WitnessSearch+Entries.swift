import Shunt
import ShuntPatterns

extension WitnessSearch {
    /// The most expressions of the other set that requests are to avoid, one after the other, and the most requests asked for so.
    private static let avoidedLimit = 8
    private static let searchLimit = 200
    /// The most values whose shares are compared.
    private static let valueLimit = 20_000

    /// Adds requests for lines of lists that `blocklist` reads, which are not rules; returns these lines.
    mutating func addHosts(onLines lines: [RuleChanges.Rule], in ruleSet: RuleSet) -> [RuleChanges.Rule] {
        guard ruleSet.document.nodes.contains(where: { $0.name == "blocklist" }) else { return [] }
        let engine = Engine(ruleSet)
        return lines.filter { line in
            let host = ListRequests.host(onLine: line.text)
            let requests = ["\(host)", "a.\(host)"].map { RuleRequest(url: "https://\($0)/") }
                .filter { request in
                    let decision = engine.decide(request)
                    return decision.kind == .block
                        && ruleSet.document.directive(at: decision.position)?.name == "blocklist"
                }
            for request in requests { add(RequestDescription(request)) }
            return !requests.isEmpty
        }
    }

    /// Adds requests that a changed entry of a table takes, and none of the changed entries of the other set.
    mutating func searchEntries(
        _ before: [RuleChanges.Rule],
        in old: LoadedRules,
        _ after: [RuleChanges.Rule],
        in new: LoadedRules
    ) {
        let sides = [ChangedEntries(before, in: old), ChangedEntries(after, in: new)]
        for (own, other) in [(sides[0], sides[1]), (sides[1], sides[0])] where !own.entries.isEmpty {
            var left = Self.searchLimit
            let known = Set(unshown.map(\.location))
            unshown += own.entries.filter { $0.isOpen && !known.contains($0.rule.location) }.map(\.rule)
            let solver = TargetSolver(own.ruleSet, limits: limits, asOf: time)
            let others = other.entries.compactMap(\.expression).prefix(Self.avoidedLimit)
                .compactMap { try? Automaton($0, limits: limits.expression) }
                .map { ValueTest(.isIn($0), negated: true) }
            for entry in own.entries {
                var tests = others.map { [$0] }
                if case .share(let split, _, let number) = entry.target {
                    tests = other.values(otherwiseThan: number, of: split, among: Self.valueLimit)
                        .map { [ValueTest(.equals($0))] }
                } else {
                    // Keys are compared without regard to case, and expressions mostly are not.
                    for hit in solver.requests(reaching: entry.target, count: 1) {
                        for request in RequestVariations.inOtherCase(hit) { add(request) }
                    }
                }
                for test in tests.prefix(left) {
                    left -= 1
                    for request in solver.requests(reaching: entry.target, count: 1, passing: test) { add(request) }
                }
            }
        }
    }
}

/// The entries of the maps and shares of a set that another set has not, or has otherwise.
private struct ChangedEntries {
    struct Entry {
        let rule: RuleChanges.Rule
        let target: CoverageTarget
        /// The expression of a key that is one.
        let expression: RegularExpression?
        /// True if it takes more values than one.
        let isOpen: Bool
    }

    let ruleSet: RuleSet
    let entries: [Entry]

    /// Numbers, addresses and paths that a share takes and for which a split among these entries has another value: a few of each.
    func values(otherwiseThan number: Int, of split: RuleModel.Split, among limit: Int) -> [[UInt8]] {
        let value = split.values[number]
        let splits = Set(entries.compactMap { if case .share(let other, _, _) = $0.target { other } else { nil } })
            .map { ($0, $0.values) }
        func differs(_ text: [UInt8]) -> Bool {
            let hash = MurmurHash2.hash(text.span)
            guard split.share(of: hash) == number else { return false }
            return splits.contains { other, values in other.share(of: hash).map { values[$0] } != value }
        }
        let forms: [(Int) -> String] = [{ "\($0)" }, { "10.0.\($0 / 250).\($0 % 250 + 1)" }, { "/\($0)" }]
        return forms.flatMap { form in (0..<limit).lazy.map { Array(form($0).utf8) }.filter(differs).prefix(2) }
    }

    init(_ rules: [RuleChanges.Rule], in set: LoadedRules) {
        ruleSet = set.ruleSet
        let model = set.ruleSet.model
        let places = WitnessSearch.places(of: rules, in: set)
        func rule(at position: SourcePosition) -> RuleChanges.Rule? {
            model.location(of: position).flatMap { places[WitnessSearch.place($0)] }
        }
        var found: [Entry] = []
        guard !places.isEmpty else {
            entries = []
            return
        }
        for map in model.maps {
            for entry in map.entries {
                guard let rule = rule(at: entry.key.position) else { continue }
                let expression = entry.expression?.expression
                let target = CoverageTarget.mapEntry(map, at: entry.key.position)
                found.append(Entry(rule: rule, target: target, expression: expression, isOpen: expression != nil))
            }
        }
        for (position, target) in TableEntries.all(of: model, where: { rule(at: $0) != nil }) {
            guard case .share = target, let rule = rule(at: position) else { continue }
            found.append(Entry(rule: rule, target: target, expression: nil, isOpen: true))
        }
        entries = found
    }
}
