public import Shunt

/// A request whose outcome another rule set changes.
public struct ChangedRequest: Sendable {
    /// The first of the requests that look the same to the rules.
    public var request: RequestDescription
    /// The number of requests.
    public var weight: Int
    /// The change.
    public var change: OutcomeChange
    /// The earlier decision.
    public var old: Decision
    /// The current decision.
    public var new: Decision
}

/// Requests to which the same happened, by the same rules.
public struct ChangeGroup: Sendable {
    /// The property that requests of one group share.
    @nonexhaustive
    public enum Criterion: String, Sendable, CaseIterable {
        /// The change and the rules that decide.
        case rule
        /// The change.
        case change
        /// The change and the host.
        case host
    }

    /// The change.
    public var change: OutcomeChange
    /// The earlier outcome, such as `redirect 301`.
    public var from: String
    /// The current outcome.
    public var to: String
    /// The rule that decided, as it is written; nil where there was none, or several.
    public var oldRule: String?
    /// The rule that decides now.
    public var newRule: String?
    /// The host that the requests are for, where they are grouped by it.
    public var host: String?
    /// The number of requests.
    public var weight = 0
    /// The requests, the most frequent first.
    public var requests: [ChangedRequest] = []

    /// All but the requests: what the commands, the gate and the admin listener show alike.
    package var members: JSONObject {
        [
            "kind": change.rawValue, "from": from, "to": to, "old_rule": oldRule, "new_rule": newRule, "host": host,
            "weight": weight,
        ]
    }
}

extension ChangedRequest {
    /// The blocks around the rule of a decision, the outermost first, each in its own words: servers with their names;
    /// empty for no place.
    package static func blocks(
        around position: SourcePosition,
        in ruleSet: RuleSet,
        _ document: RuleDocument
    ) -> String {
        guard position.isPlace, let node = document.node(at: position) else { return "" }
        return document.ancestors(of: node).reversed()
            .map { index in
                let block = document.nodes[index]
                guard block.name == "server" else { return ruleSet.text(at: block.position) }
                let names = document.nodes[block.children].filter { $0.name == "server_name" }
                return (["server"] + names.flatMap { $0.arguments.map(\.text) }).joined(separator: " ")
            }
            .joined(separator: " { ")
    }
}
