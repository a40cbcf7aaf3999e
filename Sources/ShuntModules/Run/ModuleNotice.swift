/// Something that happened in the life of a scope, for logs and metrics.
public struct ModuleNotice: Sendable {
    /// The start, the stop or a failure of a scope.
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
    /// The event, with its duration, names or error.
    public let kind: Kind
}
