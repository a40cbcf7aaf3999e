public import Shunt

/// Rules as an engine with the index and one without, which have to decide alike.
public struct EnginePair: Sendable {
    private let indexed: Engine
    private let linear: Engine

    /// Loads rules, which have to be right.
    public init(rules: String) {
        let ruleSet: RuleSet
        do throws(RuleSetError) {
            ruleSet = try RuleSet(text: rules)
        } catch {
            preconditionFailure(error.description)
        }
        var options = Engine.Options()
        options.isLinear = true
        indexed = Engine(ruleSet)
        linear = Engine(ruleSet, options: options)
    }

    /// Decides about a request with both, and stops where they differ or a control byte has reached a header.
    public func check(_ request: RuleRequest) {
        let decision = indexed.decide(request)
        let reference = linear.decide(request)
        precondition(decision.action == reference.action && decision.route == reference.route)
        for header in Self.headers(decision) { precondition(!header.valueBytes.contains { $0 < 0x20 || $0 == 0x7f }) }
    }

    private static func headers(_ decision: Decision) -> [RuleRequest.Header] {
        switch decision.action {
        case .forward(let forward): forward.headers + forward.successHeaders
        case .redirect(let redirect): redirect.headers
        case .respond(let response): response.headers
        case .block(let block): block.headers
        default: []
        }
    }
}
