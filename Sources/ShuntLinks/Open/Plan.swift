public import ShuntModules
public import ShuntRules

/// The plan of a URL.
///
/// Performing it asks exactly the scopes that were found when it was made.
public struct Plan: Sendable {
    /// The target of a URL, by name.
    @nonexhaustive public enum Target: Sendable, Hashable {
        /// An action.
        case action(String)
        /// A feed.
        case feed(String)
        /// An event.
        case event(String)
        /// A module in a slot.
        case slot(String)
        /// The rules sent the URL away.
        case elsewhere
    }

    /// The action, feed, event or slot that the URL leads to.
    public let target: Target
    /// The decision of the rules about the URL.
    public let decision: Decision
    /// The names of the scopes from the root to the scope that answers.
    public let chain: [String]
    /// The values of the path, decoded.
    public let parameters: [(name: String, value: String)]

    let work: @Sendable (CallValues) async throws -> Answer

    /// Does it.
    ///
    /// - Parameter values: What travels with the call.
    /// - Returns: The result.
    /// - Throws: What the handler throws; `LinkError` and `CallError`.
    public func perform(values: CallValues = CallValues()) async throws -> Answer { try await work(values) }
}
