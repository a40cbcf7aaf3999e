public import ShuntCore
public import ShuntRules

/// Finds examples for the rules of a rule set: requests that they decide or change, and requests that they just do not.
///
/// The same rules give the same examples.
public final class ExampleSearch {
    /// What is looked for.
    public struct Options: Sendable {
        /// How many hits are wanted for each rule.
        public var hits = 1
        /// How many near misses are wanted for each rule at most.
        public var misses = 0

        /// The usual: one hit.
        public init() {}
    }

    private let solver: RuleSolver
    private let ruleSet: RuleSet
    private let options: Options

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
    }

    /// The places of the rules, in the order of the files.
    public var rules: [SourceLocation] {
        positions.compactMap { ruleSet.program.location(of: $0) }
    }

    private var positions: [SourcePosition] {
        solver.outline.instructions.keys.filter { $0.line > 0 }
            .map { (ruleSet.program.location(of: $0), $0) }
            .sorted {
                ($0.0?.file ?? "", $0.1.line, $0.1.column) < ($1.0?.file ?? "", $1.1.line, $1.1.column)
            }
            .map(\.1)
    }

    /// The examples of the rules at places, in the order of the files.
    ///
    /// - Parameter isWanted: Which rules are asked for.
    /// - Returns: One entry for each rule.
    /// - Complexity: In proportion to the rules, and to what their expressions cost.
    public func examples(where isWanted: (SourceLocation) -> Bool = { _ in true }) -> [RuleExamples] {
        var found: [RuleExamples] = []
        var open: [(entry: Int, index: Int)] = []
        for position in positions {
            guard let location = ruleSet.program.location(of: position), isWanted(location),
                let index = solver.outline.instructions[position]
            else { continue }
            found.append(examples(index, location, position))
            if found[found.count - 1].reason != nil { open.append((found.count - 1, index)) }
        }
        // What was not found from the rule itself may have been seen while another one was looked at.
        for (entry, index) in open {
            let position = ruleSet.program.instructions[index].position
            guard let request = solver.seen[position] else { continue }
            let sighting = solver.ask(request)
            guard solver.reaches(.instruction(index), sighting) else { continue }
            found[entry].hits = [example(sighting, found[entry].rule, .hit)]
            found[entry].reason = nil
        }
        return found
    }

    private func examples(_ index: Int, _ location: SourceLocation, _ position: SourcePosition) -> RuleExamples {
        var result = RuleExamples(rule: location, text: ruleSet.text(at: position))
        let goal = RuleGoal.instruction(index)
        switch solver.solve(goal) {
        case .confirmed(let request): result.hits.append(example(solver.ask(request), location, .hit))
        case .unproved(let reason): result.reason = reason
        case .dead(let covers): result.covers = covers
        }
        guard let draft = solver.lastDraft else { return result }
        while result.hits.count < options.hits {
            guard case .success(let request) = solver.refine(draft, goal, besides: result.hits.map(\.request)) else {
                break
            }
            result.hits.append(example(solver.ask(request), location, .hit))
        }
        if options.misses > 0 {
            for (part, sighting) in NearMissSearch(solver).misses(of: index, near: draft, count: options.misses) {
                result.misses.append(example(sighting, location, .nearMiss(of: part)))
            }
        }
        return result
    }

    private func example(_ sighting: Sighting, _ rule: SourceLocation, _ kind: Example.Kind) -> Example {
        Example(request: sighting.request, rule: rule, kind: kind, decision: sighting.decision)
    }
}
