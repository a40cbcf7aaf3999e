public import Shunt

/// Finds examples for the rules of a rule set: requests that they decide or change, and requests that they just do not.
///
/// The same rules have the same examples.
public final class ExampleSearch {
    /// The options of a search.
    public struct Options: Sendable {
        /// The number of hits wanted for each rule.
        public var hits = 1
        /// The most near misses wanted for each rule.
        public var misses = 0

        /// The usual: one hit.
        public init() {}
    }

    private enum Subject {
        case rule(RuleModel.Step)
        /// An `allow`, a `deny`, an `error_page`, a `try_files` or a `proxy_pass`.
        case setting
        /// An entry of a `map`, a `geo` or a `split_clients`.
        case entry
    }

    private let solver: RuleSolver
    private let targets: TargetSolver
    private let ruleSet: RuleSet
    private let options: Options
    /// Everything there is, in the order of the files.
    private let subjects: [(location: SourceLocation, position: SourcePosition, subject: Subject)]

    /// Makes a search.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - options: What is looked for.
    ///   - limits: The bounds on the work.
    ///   - asOf: The time of requests in which no rule asks for another one.
    public init(
        _ ruleSet: RuleSet,
        options: Options = Options(),
        limits: AnalysisLimits = AnalysisLimits(),
        asOf: Timestamp
    ) {
        self.ruleSet = ruleSet
        self.options = options
        solver = RuleSolver(ruleSet, limits: limits, asOf: asOf)
        targets = TargetSolver(solver)
        subjects = Self.subjects(of: solver.model)
    }

    private static func subjects(
        of model: RuleModel
    ) -> [(location: SourceLocation, position: SourcePosition, subject: Subject)] {
        var found: [SourcePosition: Subject] = [:]
        for position in TableEntries.positions(of: model) { found[position] = .entry }
        for position in model.ruleSet.countedPositions { found[position] = .setting }
        // Of a list its entries are the rules.
        for rule in model.rules where rule.operation != .listed { found[rule.position] = .rule(rule) }
        return found.filter { $0.key.line > 0 }
            .compactMap { position, subject in model.location(of: position).map { ($0, position, subject) } }
            .sorted { $0.location.isBefore($1.location) }
    }

    /// The places of the rules, in the order of the files.
    public var rules: [SourceLocation] {
        subjects.compactMap { if case .entry = $0.subject { nil } else { $0.location } }
    }

    /// The places of the entries of tables, in the order of the files.
    public var entries: [SourceLocation] {
        subjects.compactMap { if case .entry = $0.subject { $0.location } else { nil } }
    }

    /// The examples of the rules and entries at places, in the order of the files.
    ///
    /// - Parameter isWanted: Which rules and entries are asked for.
    /// - Returns: One entry for each.
    /// - Complexity: In proportion to the rules, and to what their expressions cost.
    public func examples(where isWanted: (SourceLocation) -> Bool = { _ in true }) -> [RuleExamples] {
        var found: [RuleExamples] = []
        var open: [(entry: Int, rule: RuleModel.Step)] = []
        let wanted = subjects.filter { isWanted($0.location) }
        let positions = Set(wanted.map(\.position))
        // A file that several tables include has the entries of each at one place.
        var entries: [SourcePosition: [CoverageTarget]] = [:]
        for (position, target) in TableEntries.all(of: solver.model, where: positions.contains) {
            entries[position, default: []].append(target)
        }
        for (location, position, subject) in wanted {
            switch subject {
            case .rule(let rule):
                found.append(examples(rule, at: location, position: position))
                if found[found.count - 1].reason != nil { open.append((found.count - 1, rule)) }
            case .setting: found.append(examples(.rule(position), at: location, position: position))
            case .entry:
                let all = (entries[position] ?? []).lazy.map { self.examples($0, at: location, position: position) }
                guard var best = all.first(where: { !$0.hits.isEmpty }) ?? all.first else { continue }
                best.isTableEntry = true
                found.append(best)
            }
        }
        // What was not found from the rule itself may have been seen while another one was read.
        for (entry, rule) in open {
            guard let request = solver.seen[rule.position] else { continue }
            let sighting = solver.ask(request)
            guard solver.reaches(.step(rule), sighting) else { continue }
            found[entry].hits = [example(sighting, rule: found[entry].rule, kind: .hit)]
            found[entry].reason = nil
        }
        return found
    }

    private func examples(_ step: RuleModel.Step, at location: SourceLocation, position: SourcePosition) -> RuleExamples
    {
        var result = RuleExamples(rule: location, text: ruleSet.text(at: position))
        let goal = RuleGoal.step(step)
        switch solver.solve(goal) {
        case .confirmed(let request): result.hits.append(example(solver.ask(request), rule: location, kind: .hit))
        case .unproved(let reason): result.reason = reason
        case .dead(let covers): result.covers = covers
        }
        guard let draft = solver.lastDraft else { return result }
        var known = result.hits.map { RequestDescription($0.request.request, files: draft.files) }
        while result.hits.count < options.hits {
            guard case .success(let request) = solver.refine(draft, goal, besides: known) else { break }
            known.append(request)
            result.hits.append(example(solver.ask(request), rule: location, kind: .hit))
        }
        if options.misses > 0 {
            for (part, sighting) in NearMissSearch(solver).misses(of: step, near: draft, count: options.misses) {
                result.misses.append(example(sighting, rule: location, kind: .nearMiss(of: part)))
            }
        }
        return result
    }

    private func examples(
        _ target: CoverageTarget,
        at location: SourceLocation,
        position: SourcePosition
    ) -> RuleExamples {
        var result = RuleExamples(rule: location, text: ruleSet.text(at: position))
        solver.begin()
        for request in targets.requests(reaching: target, count: options.hits) {
            result.hits.append(example(solver.ask(request), rule: location, kind: .hit))
        }
        if result.hits.isEmpty {
            if let covers = targets.covers(of: target) {
                result.covers = covers.compactMap { solver.model.location(of: $0) }
            } else {
                result.reason = .notFound(tried: solver.tried)
            }
        }
        for (part, request) in targets.misses(of: target, count: options.misses) {
            result.misses.append(example(solver.ask(request), rule: location, kind: .nearMiss(of: part)))
        }
        return result
    }

    private func example(_ sighting: Sighting, rule: SourceLocation, kind: Example.Kind) -> Example {
        var request = sighting.request
        let named = sighting.named()
        request.files = named?.files ?? request.files
        return Example(
            request: request,
            rule: rule,
            kind: kind,
            decision: named?.decision ?? sighting.decision
        )
    }
}
