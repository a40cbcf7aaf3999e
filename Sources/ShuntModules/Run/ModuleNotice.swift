/// Something that happened in the life of a scope, for logs and metrics.
public struct ModuleNotice: Sendable {
    /// The kind of notice.
    @nonexhaustive
    public enum Kind: Sendable {
        /// The scope is active; how long its start took.
        case started(Duration)
        /// The scope stopped.
        case stopped
        /// These tasks, handlers or stop works did not end in the time for stopping; the next scope stops meanwhile.
        case overdue([String])
        /// A task of the scope threw; the scope stops.
        case failed(task: String, any Error)
    }

    /// The scope's name.
    public let scope: String
    /// The kind.
    public let kind: Kind
}
