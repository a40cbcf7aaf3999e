import Shunt

/// Questions to the engine.
extension LintSubject {
    /// The engine's steps for the request that reaches a rule, where that rule decides; nil if no such request is known.
    func decided(by rule: RuleModel.Step) -> Sighting? {
        example(of: rule).flatMap { $0.decision.position == rule.position ? $0 : nil }
    }

    /// Returns true if a rule made a decision.
    func decides(_ rule: RuleModel.Step, _ witness: LintWitness) -> Bool { witness.decision.position == rule.position }

    /// The decision about a request that reaches a goal; nil for a request that does not.
    func decide(_ request: RequestDescription, reaching goal: RuleGoal) -> LintWitness? {
        let sighting = solver.ask(request)
        return solver.reaches(goal, sighting) ? LintWitness(sighting) : nil
    }

    /// The locations and servers, each with its settings.
    var blocks: [(goal: RuleGoal, settings: RuleModel.Settings)] {
        model.locations.map { (.location($0), $0.settings) } + model.servers.map { (.server($0), $0.settings) }
    }

    // MARK: The directives as they are written

    /// The numbers of the directives with some names, in their order.
    func numbers(of names: String...) -> [Int] { names.flatMap { tree.named[$0] ?? [] }.sorted() }

    /// The directives with some names, in their order.
    func directives(_ names: String...) -> [RuleDocument.Node] {
        names.flatMap { tree.named[$0] ?? [] }.sorted().map { tree.nodes[$0] }
    }
}

extension LintWitness {
    init(_ sighting: Sighting) {
        self.init(request: sighting.request, decision: sighting.decision, named: sighting.named())
    }
}

extension RequestDescription {
    /// The request for another path, which is sent encoded; nil for a request for a whole URL.
    func asking(path: [UInt8]) -> RequestDescription? { asking(target: RequestAssembly.encoded(path)) }

    /// The request for another path and query, as they are sent; nil for a request for a whole URL.
    func asking(target: [UInt8]) -> RequestDescription? {
        guard case .target(_, let host) = request.subject else { return nil }
        return changed { $0.subject = .target(target, host: host) }
    }

    /// The request to another host; nil for a request for a whole URL.
    func asking(host: [UInt8]) -> RequestDescription? {
        guard case .target(let target, _) = request.subject else { return nil }
        return changed { $0.subject = .target(target, host: host) }
    }

    /// The path and the query as they are sent; nil for a request for a whole URL.
    var target: [UInt8]? { if case .target(let target, _) = request.subject { target } else { nil } }
}
