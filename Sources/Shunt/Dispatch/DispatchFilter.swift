import ShuntRules

/// A step of a dispatch that a host app's own code takes: before the rules see a request, or after them.
///
/// Filters run in the order in which they were added. Their names appear in traces.
public struct DispatchFilter: Sendable {
    /// The time when a filter runs.
    public enum Stage: String, Sendable, Hashable {
        /// On the request as it came in.
        case beforeRules
        /// On the URL that the rules forwarded.
        case afterRules
    }

    /// The order to continue, to replace the request, to skip steps, or to refuse it.
    @nonexhaustive
    public enum Verdict: Sendable {
        /// Continue.
        case proceed
        /// Continue with another request.
        case rewrite(RuleRequest)
        /// Continue without the filters, and before the rules without the rules, that would come next.
        ///
        /// The rules decide nevertheless about a request by its target, whose URL they find.
        case stop
        /// Turn the request away; the reason is for people and for traces.
        case refuse(String)
    }

    /// The name in traces and in `DispatchOutcome.refused`.
    public let name: String
    /// The time when it runs.
    public let stage: Stage
    let body: @Sendable (RuleRequest, DispatchValues) async throws -> Verdict
}

/// Values that a caller hands to filters, interceptors and handlers.
///
/// They are kept apart from everything that comes in a URL, so that no URL can pretend to be the caller.
public struct DispatchValues: Sendable {
    private var values: [String: any Sendable] = [:]

    /// Makes an empty set of values.
    public init() {}

    /// Makes a set of values.
    public init(_ values: [String: any Sendable]) { self.values = values }

    /// The value of a name; nil when there is none.
    public subscript(_ name: String) -> (any Sendable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The value of a name as the type that is wanted; nil when there is none, or one of another type.
    public func value<Value: Sendable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        values[name] as? Value
    }
}
