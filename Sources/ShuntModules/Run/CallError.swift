/// The reason why the framework could not make a call.
///
/// An error of a handler reaches the caller unchanged.
@nonexhaustive
public enum CallError: Error, Sendable {
    /// No one answers: what there is, sorted, and the name that is spelt most alike.
    case notOffered(name: String, known: [String], suggestion: String?)
    /// A contract of this name is answered, but with other types.
    case differentTypes(name: String, asked: String, offered: String)
    /// The scope has not started yet, or does not run any more.
    case notActive(scope: String, state: Scope.State)
    /// The scope was detached while the call was under way.
    case detached(scope: String)
    /// The slot holds as many scopes as it may.
    case slotIsFull(scope: String, limit: Int)
    /// An interceptor, or the framework, refuses the call.
    case refused(by: String, reason: String)
    /// It took too long.
    case timedOut(after: Duration)
    /// Services that make each other: each asks for the next, the last for the first.
    case circularService(names: [String])
    /// The recovery failed: the error of the call, and that of the repair.
    case recoveryFailed(name: String, original: any Error, repair: any Error)
}

extension CallError: CustomStringConvertible {
    /// The error in one sentence, for a log.
    public var description: String {
        switch self {
        case .notOffered(let name, _, let nearest):
            "no module answers \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
        case .differentTypes(let name, let wanted, let offered):
            "\"\(name)\" is called as \(wanted), and answered as \(offered)"
        case .notActive(let scope, let state): "the scope \"\(scope)\" is \(state.rawValue), not active"
        case .detached(let scope): "the scope \"\(scope)\" was detached during the call"
        case .slotIsFull(let scope, let limit): "a slot of \"\(scope)\" is full: it has at most \(limit) scopes"
        case .refused(let name, let reason): "\(name) refused the call: \(reason)"
        case .timedOut(let limit): "the call took longer than \(limit)"
        case .circularService(let names): "services create each other in a circle: \(names.joined(separator: ", "))"
        case .recoveryFailed(let name, let original, let repair):
            "the call failed: \(original); the repair \"\(name)\" failed, too: \(repair)"
        }
    }
}

/// The error that ended the start or the run of a program, with its module.
public struct ModuleError: Error, Sendable, CustomStringConvertible {
    /// The part of a module's life.
    @nonexhaustive
    public enum Part: Sendable, Hashable {
        /// It was starting.
        case start
        /// One of its tasks.
        case task(String)
    }

    /// The name of the module that failed.
    public let module: String
    /// The start, or the task that failed.
    public let part: Part
    /// The error that it threw.
    public let error: any Error

    /// The error with its module, for a log.
    public var description: String {
        switch part {
        case .start: "the module \"\(module)\" did not start: \(error)"
        case .task(let name): "the task \"\(name)\" of the module \"\(module)\" failed: \(error)"
        }
    }
}
