/// What a key may sign.
public enum KeyRole: String, Sendable, Hashable, CaseIterable {
    /// New releases.
    case publish
    /// Releases that somebody else made.
    case approve
    /// Releases of sets that a node has had, and lists of poison.
    case rollback
}
