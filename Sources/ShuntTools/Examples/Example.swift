public import Shunt

/// A request that shows what a rule is for, or what it is just not for; the engine has confirmed it.
public struct Example: Sendable {
    /// The purpose of an example.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
        /// The rule decides or changes it.
        case hit
        /// The rule lets it pass, because of this part of it.
        case nearMiss(of: String)
    }

    /// The request, in the form that `shunt run` reads.
    public var request: RequestDescription
    /// The place where the rule is.
    public var rule: SourceLocation
    /// The purpose.
    public var kind: Kind
    /// The engine's decision about it.
    public var decision: Decision
}

/// The examples of one rule.
public struct RuleExamples: Sendable {
    /// The place where the rule is.
    public var rule: SourceLocation
    /// The rule as written, on one line.
    public var text: String
    /// True if it is an entry of a `map`, a `geo` or a `split_clients`.
    public var isTableEntry = false
    /// Requests that it decides or changes.
    public var hits: [Example] = []
    /// Requests that it just does not.
    public var misses: [Example] = []
    /// The reason why there is no hit; nil where there is one.
    public var reason: UnprovedReason?
    /// The rules that take all that could reach this one, if that is proved.
    public var covers: [SourceLocation] = []
}
