/// The role of a key: the documents it may sign.
public enum KeyRole: String, Sendable, Hashable, CaseIterable {
    /// New releases.
    case publish
    /// Releases that someone else made.
    case approve
    /// Releases of sets that a node has had, and lists of poison.
    case rollback
}
