public import ShuntCore

/// The steps of a decision, in order.
public struct Trace: Sendable, Hashable {
    /// A rule, a test or another event on the way to the decision.
    public struct Step: Sendable, Hashable {
        /// The kind of step.
        @nonexhaustive
        public enum Kind: String, Sendable, Hashable {
            /// A phase begins: `url` or `server`.
            case phase
            /// A server was chosen.
            case server
            /// A location was chosen.
            case location
            /// A rule was considered.
            case rule
            /// The test of an `if`.
            case condition
            /// A variable got a value.
            case assignment
            /// The entry of a `map`, `geo` or `split_clients` that supplied its value.
            case entry
            /// The path was changed by `error_page`, `try_files` or `index`.
            case redirect
            /// A route was looked up.
            case route
            /// A file was looked for.
            case file
            /// Something else worth knowing.
            case note
            /// The decision.
            case decision
        }

        /// The result of a rule or a test.
        @nonexhaustive
        public enum Result: String, Sendable, Hashable {
            /// The rule applied, or the test held.
            case matched
            /// The rule did not apply, or the test did not hold.
            case skipped
            /// The rule decided the request.
            case decided
            /// The rule ended its sequence.
            case ended
        }

        /// The kind of the step.
        public var kind: Kind
        /// The place where the rule is; nil for steps that no rule stands for.
        public var rule: SourceLocation?
        /// The directive or the name of what was chosen.
        public var text: String
        /// The result; nil if there can be none.
        public var result: Result?
        /// The value that was read.
        public var subject: String?
        /// The numbered captures after a match, `$1` first.
        public var captures: [String]
        /// The place where each of the captures is in `subject`, in bytes of UTF-8; nil for one that is not a part
        /// of it.
        public var captureRanges: [Range<Int>?]
        /// The URL or the path before and after, where the step changed it.
        public var change: Change?

        /// A value that a step replaced.
        public struct Change: Sendable, Hashable {
            /// The URL or the path that was replaced.
            public var before: String
            /// The URL or the path in its place.
            public var after: String
        }
    }

    /// The steps.
    public var steps: [Step] = []

    /// Makes an empty trace.
    public init() {}
}
