import Shunt
import ShuntPatterns

/// Finds requests that show a change of the rules: the engine decides otherwise with it.
final class KillingRequestSearch {
    private let solver: RuleSolver
    private let targets: TargetSolver
    private let entries: [SourcePosition: CoverageTarget]
    private let ruleSet: RuleSet
    private let limits: AnalysisLimits
    private let asOf: Timestamp
    /// Requests that reach some rule, and such that just do not, by the place of the rule.
    private var examples: [SourcePosition: [RequestDescription]] = [:]
    private var hits: [RequestDescription]?

    init(_ ruleSet: RuleSet, limits: AnalysisLimits, asOf: Timestamp) {
        self.ruleSet = ruleSet
        self.limits = limits
        self.asOf = asOf
        solver = RuleSolver(ruleSet, limits: limits, asOf: asOf)
        targets = TargetSolver(solver)
        entries = Dictionary(TableEntries.all(of: solver.model).map { ($0.position, $0.target) }) { first, _ in first }
    }

    /// A request about which the rules and a mutant decide otherwise; nil if none was found.
    func suggestion(
        for mutation: Mutation,
        proof: EqualityProof?,
        mutant: RuleSet,
        engine: Engine
    ) -> MutationReport.Suggestion? {
        func first(of requests: some Sequence<RequestDescription>) -> MutationReport.Suggestion? {
            for request in requests {
                if let found = shown(request, mutant: mutant, engine: engine) { return found }
            }
            return nil
        }
        var near: [RequestDescription] = []
        if let proof, let found = difference(mutation, proof: proof, mutant: mutant, engine: engine, to: &near) {
            return found
        }
        let position = mutation.position
        return mutation.next.flatMap { first(of: overlaps(of: position, and: $0)) }
            ?? first(of: examples(at: position)) ?? first(of: allHits())
            ?? first(of: examples(at: position).lazy.flatMap(RequestVariations.all))
            ?? first(of: variations(mutation))
            ?? first(of: (near + examples(at: position).prefix(4)).lazy.flatMap { self.withFiles($0, mutant) })
    }

    /// The most files that are tried for a request.
    private let mostFiles = 4

    /// The request with one of the files that the rules require, those before the change or those after it.
    private func withFiles(_ request: RequestDescription, _ mutant: RuleSet) -> [RequestDescription] {
        guard request.files.isEmpty else { return [] }
        var found: [RequestDescription] = []
        for rules in [ruleSet, mutant] {
            let recorder = RecordingFiles()
            _ = Engine(rules, files: recorder).decide(request.request)
            for path in recorder.missing.prefix(mostFiles) {
                var other = request
                other.files = [path]
                found.append(other)
            }
        }
        return found
    }

    /// The suggestion, if the decisions about a request are different.
    private func shown(_ request: RequestDescription, mutant: RuleSet, engine: Engine) -> MutationReport.Suggestion? {
        let today = MutationRun.decide(request, ruleSet: ruleSet, usual: solver.engine, asOf: asOf)
        let changed = MutationRun.decide(request, ruleSet: mutant, usual: engine, asOf: asOf)
        guard !today.isSameOutcome(as: changed), today.kind != .fail || changed.kind != .fail else { return nil }
        return MutationReport.Suggestion(request: request, today: today, changed: changed)
    }

    // MARK: Expressions

    /// Requests that the rule at a place takes, and that the expression at another place matches.
    func overlaps(of position: SourcePosition, and other: SourcePosition) -> [RequestDescription] {
        guard let goal = goal(at: position, in: solver.model), let expression = expression(at: other) else { return [] }
        solver.begin()
        return solver.goals.drafts(for: goal).prefix(4)
            .compactMap { draft in
                let both = draft.adding(source(of: goal), ValueTest(.matches(expression)))
                guard case .success(let request) = solver.refine(both, goal) else { return nil }
                return request
            }
    }

    /// The expression on the path or the URL that is at a place.
    private func expression(at position: SourcePosition) -> RuleModel.Expression? {
        if let rule = solver.model.rule(at: position) { return rule.expression }
        return solver.model.location(at: position)?.expression
    }

    /// A request whose subject just one of the two expressions matches; those about which both decide the same are added to `near`.
    private func difference(
        _ mutation: Mutation,
        proof: EqualityProof,
        mutant: RuleSet,
        engine: Engine,
        to near: inout [RequestDescription]
    ) -> MutationReport.Suggestion? {
        var other: RuleSolver?
        for subjects in proof.differences {
            // What only the mutant matches reaches the rule in the mutant only.
            for isMutant in [false, true] {
                let asked: RuleSolver
                if isMutant {
                    asked = other ?? RuleSolver(mutant, limits: limits, asOf: asOf)
                    other = asked
                } else {
                    asked = solver
                }
                guard let goal = goal(at: mutation.position, in: asked.model) else { continue }
                for draft in drafts(for: goal, asked, subjects) {
                    guard case .success(let request) = asked.refine(draft, goal) else { continue }
                    if let found = shown(request, mutant: mutant, engine: engine) { return found }
                    near.append(request)
                }
            }
        }
        return nil
    }

    /// The goal at the place of a changed rule: the rule itself, or the location whose expression it is.
    private func goal(at position: SourcePosition, in model: RuleModel) -> RuleGoal? {
        model.rule(at: position).map { .step($0) } ?? model.location(at: position).map { .location($0) }
    }

    private func drafts(for goal: RuleGoal, _ solver: RuleSolver, _ subjects: Automaton) -> [RequestDraft] {
        solver.begin()
        let source = source(of: goal)
        return solver.goals.drafts(for: goal).prefix(4).map { $0.adding(source, ValueTest(.isIn(subjects))) }
    }

    /// Returns the text that the expression of a goal is matched with.
    private func source(of goal: RuleGoal) -> RequestSource {
        guard case .step(let rule) = goal else { return .path }
        return rule.operation == .rewrite ? .path : .url
    }

    // MARK: Examples

    private func examples(at position: SourcePosition) -> [RequestDescription] {
        if let known = examples[position] { return known }
        var found: [RequestDescription] = []
        if let goal = goal(at: position, in: solver.model), case .confirmed(let request) = solver.solve(goal) {
            found.append(request)
            if let draft = solver.lastDraft {
                for _ in 0..<3 {
                    guard case .success(let next) = solver.refine(draft, goal, besides: found) else { break }
                    found.append(next)
                }
                if case .step(let rule) = goal {
                    found += NearMissSearch(solver).misses(of: rule, near: draft, count: 8).map(\.sighting.request)
                }
            }
        } else if goal(at: position, in: solver.model) == nil {
            let target = entries[position] ?? .rule(position)
            found = targets.requests(reaching: target, count: 8) + targets.misses(of: target, count: 4).map(\.request)
        }
        examples[position] = found
        return found
    }

    /// Requests that are like those that reach the place of a change, if no rule is there: like those for the server or
    /// the location, from addresses of a network that the change made larger.
    private func variations(_ mutation: Mutation) -> [RequestDescription] {
        let goals = solver.goals
        var drafts: [RequestDraft] = []
        for server in solver.model.servers where server.position == mutation.around {
            drafts += goals.drafts(server: server)
        }
        if let around = mutation.around, let location = solver.model.location(at: around) {
            drafts += goals.drafts(location: location)
        }
        var found: [RequestDescription] = []
        for draft in drafts.prefix(8) {
            guard case .success(let request) = solver.assembly.request(for: draft) else { continue }
            let description = RequestDescription(request)
            found.append(description)
            found += RequestVariations.all(of: description)
            found += mutation.addresses.map { address in description.changed { $0.remoteAddress = address } }
        }
        return found
    }

    /// An example of every rule, near misses not among them.
    private func allHits() -> [RequestDescription] {
        if let hits { return hits }
        var found: [RequestDescription] = []
        for rule in solver.model.rules {
            if case .confirmed(let request) = solver.solve(.step(rule)) { found.append(request) }
        }
        hits = found
        return found
    }
}
