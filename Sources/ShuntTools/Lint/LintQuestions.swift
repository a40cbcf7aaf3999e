import Shunt
import ShuntPatterns

/// Questions about sets of texts.
extension LintSubject {
    /// The texts that an expression of the rules matches; nil where it has no automaton.
    func language(of pattern: RuleModel.Expression) -> Language? {
        (try? checker.automaton(of: pattern)).map(Language.automaton)
    }

    /// The texts that an expression of a check matches; nil if it passes a limit.
    func language(_ pattern: String) -> Language? { checker.automaton(pattern).map(Language.automaton) }

    /// The texts that an expression matches which is no part of the rules; nil where it has no automaton.
    func language(_ text: [UInt8], like pattern: RuleModel.Expression) -> Language? {
        guard let expression = try? RegularExpression(text, caseless: pattern.expression.caseless) else { return nil }
        return checker.automaton(of: expression).map(Language.automaton)
    }

    /// The paths of requests once they are normalized; nil if they pass a limit.
    var normalPaths: Language? { checker.automaton(of: .path(mergesSlashes: true)).map(Language.automaton) }

    /// The shortest text that is in all of some sets; nil if there is none, or a limit is passed before it is found.
    func shortest(_ languages: Language...) -> [UInt8]? {
        try? Language.intersection(languages).shortestSubject(limits: options.limits.proof)
    }

    /// Returns true if it is proved that no text is in all of some sets.
    func isEmpty(_ languages: Language...) -> Bool {
        (try? Language.intersection(languages).isEmpty(limits: options.limits.proof)) == true
    }

    /// Returns true if two expressions match the same of what may be looked at.
    func areEqual(_ one: Language, _ other: Language, within domain: Language) -> Bool {
        isEmpty(domain, one.symmetricDifference(other))
    }
}

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
}

extension LintWitness {
    init(_ sighting: Sighting) { self.init(request: sighting.request, decision: sighting.decision) }
}

extension RequestDescription {
    /// The request for another path, which is sent encoded; nil for a request for a whole URL.
    func asking(path: [UInt8]) -> RequestDescription? { asking(target: RequestAssembly.encoded(path)) }

    /// The request for another path and query, as they are sent; nil for a request for a whole URL.
    func asking(target: [UInt8]) -> RequestDescription? {
        guard case .target(_, let host) = request.subject else { return nil }
        var other = self
        other.request.subject = .target(target, host: host)
        return other
    }

    /// The request to another host; nil for a request for a whole URL.
    func asking(host: [UInt8]) -> RequestDescription? {
        guard case .target(let target, _) = request.subject else { return nil }
        var other = self
        other.request.subject = .target(target, host: host)
        return other
    }

    /// The path and the query as they are sent; nil for a request for a whole URL.
    var target: [UInt8]? { if case .target(let target, _) = request.subject { target } else { nil } }
}

/// The directives as they are written.
extension LintSubject {
    /// The numbers of the directives with some names, in their order.
    func numbers(of names: String...) -> [Int] { names.flatMap { tree.named[$0] ?? [] }.sorted() }

    /// The directives with some names, in their order.
    func directives(_ names: String...) -> [RuleDocument.Node] {
        names.flatMap { tree.named[$0] ?? [] }.sorted().map { tree.nodes[$0] }
    }
}
