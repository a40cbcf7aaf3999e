public import ShuntCore
public import ShuntRules

/// A request that shows what a rule is for, or what it is just not for; the engine has confirmed it.
public struct Example: Sendable {
    /// What it shows.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
        /// The rule decides or changes it.
        case hit
        /// The rule lets it pass, because of this part of it.
        case nearMiss(of: String)
    }

    /// What the rules are asked, in the form that `shunt run` reads.
    public var request: RequestDescription
    /// Where the rule stands.
    public var rule: SourceLocation
    /// What it shows.
    public var kind: Kind
    /// What the engine decides about it.
    public var decision: Decision
}

/// The examples of one rule.
public struct RuleExamples: Sendable {
    /// Where the rule stands.
    public var rule: SourceLocation
    /// The rule as written, on one line.
    public var text: String
    /// Whether it is an entry of a `map`, a `geo` or a `split_clients`.
    public var isTableEntry = false
    /// Requests that it decides or changes.
    public var hits: [Example] = []
    /// Requests that it just does not.
    public var misses: [Example] = []
    /// Why there is no hit; nil where there is one.
    public var reason: UnprovedReason?
    /// The rules that take all that could come to this one, if that is proved.
    public var covers: [SourceLocation] = []
}
