import ShuntCore
public import ShuntInterfaces
import ShuntModules
public import ShuntRules

/// What a URL would do.
///
/// Performing it asks exactly the scopes that were found when it was made.
public struct Plan: Sendable {
    /// What a URL leads to, by name.
    @nonexhaustive
    public enum Target: Sendable, Hashable {
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

    /// What it leads to.
    public let target: Target
    /// What the rules made of the URL, with the rule that decided.
    public let decision: Decision
    /// The names of the scopes from the root to the one that answers.
    public let chain: [String]
    /// The values that the path gave, decoded.
    public let parameters: [(name: String, value: String)]

    let work: @Sendable (CallValues) async throws -> Answer

    /// Does it.
    ///
    /// - Parameter values: What travels with the call.
    /// - Returns: What came of it.
    /// - Throws: What the handler throws; `LinkError` and `CallError`.
    public func perform(_ values: CallValues = CallValues()) async throws -> Answer { try await work(values) }
}
