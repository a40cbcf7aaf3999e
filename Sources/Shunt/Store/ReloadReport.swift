public import ShuntCore
import ShuntRules

/// The event that made a store load its rules.
@nonexhaustive
public enum ReloadTrigger: String, Sendable, Hashable {
    /// The store was opened.
    case start
    /// The source reported a change.
    case source
    /// The program, or its administrator, asked for it.
    case call
    /// The process received a signal.
    case signal
    /// The administrator asked for it whatever it changes: a `ChangeGate` lets it pass.
    case force
}

/// The reason why a rule set was not put into use; the one before keeps serving.
public struct ReloadError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable {
        /// The source could not be read.
        case unavailable
        /// The rules are wrong.
        case invalid
        /// The set is valid but has no rules, and the one before had some.
        case empty
        /// A check that the program asks for refused the rules.
        case refused
        /// The rules change more than they may, and wait for someone to approve them.
        case held
        /// Loading took longer than the options allow while a newer attempt waited.
        case timedOut
        /// The task that asked was cancelled; the attempt continues without it.
        case cancelled
    }

    /// The kind of failure.
    public var reason: Reason
    /// The error in one line.
    public var summary: String
    /// Everything that is wrong with the rules; empty unless the reason is `.invalid`.
    public var diagnostics: [Diagnostic]
    /// The time when the attempt ended.
    public var date: Timestamp

    /// Makes a failure.
    public init(_ reason: Reason, summary: String, diagnostics: [Diagnostic] = [], date: Timestamp) {
        self.reason = reason
        self.summary = summary
        self.diagnostics = diagnostics
        self.date = date
    }

    /// The summary and all diagnostics with their lines and carets.
    public var description: String {
        diagnostics.isEmpty ? summary : summary + "\n" + DiagnosticRenderer().render(diagnostics)
    }

    init(_ error: any Error, date: Timestamp) {
        switch error {
        case let error as ReloadError:
            self = error
        case let error as RuleSetError:
            let errors = error.diagnostics.filter { $0.severity == .error }
            let first = errors.first.map { " at \($0.location): \($0.message)" } ?? ""
            let number = errors.reduce(0) { $0 + $1.count }
            let count = number == 1 ? "1 error" : "\(number) errors"
            self.init(.invalid, summary: "the rules have \(count)\(first)", diagnostics: error.diagnostics, date: date)
        default:
            self.init(.unavailable, summary: "\(error)", date: date)
        }
    }
}

/// One attempt to load rules, and its result.
public struct ReloadReport: Sendable {
    /// The result of an attempt.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// The rules were put into use.
        case loaded(RuleChanges)
        /// The rules are those in use already.
        case unchanged
        /// The rules in use were kept.
        case failed(ReloadError)
        /// The store was opened with the last-known-good copy, because the source could not be loaded.
        case recovered(ReloadError)
    }

    /// The event that made the store try.
    public var trigger: ReloadTrigger
    /// The new rules, no change, or the error that kept the old ones.
    public var outcome: Outcome
    /// The rules in use after it.
    public var snapshot: RuleSnapshot
    /// The version in use before it; nil at the start.
    public var previousVersion: Int?
    /// From the beginning of the attempt to the moment when the rules were in use, or were known not to be.
    public var duration: Duration

    /// The reason why the rules were not put into use; nil if they were, or are the same.
    public var failure: ReloadError? {
        switch outcome {
        case .failed(let failure), .recovered(let failure): failure
        case .loaded, .unchanged: nil
        }
    }
}

/// An event in a store, for logs, metrics and observers.
@nonexhaustive
public enum RuleStoreEvent: Sendable {
    /// An attempt to load rules ended.
    case reload(ReloadReport)
    /// The source changes too often or is now right, now wrong: the next attempt waits.
    case held(for: Duration, because: String)
    /// The last-known-good copy could not be written. The rules in use are not touched by this.
    case copyFailed(String)
    /// A last-known-good copy was found and cannot be used.
    case copyRejected(String)
    /// The source's condition changed; nil when nothing hinders it any more.
    case condition(String?)
}
