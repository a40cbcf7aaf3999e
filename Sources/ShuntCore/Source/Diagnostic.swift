/// One thing that is wrong, or looks wrong, in a rule file, list or route, with its place and, where known, the fix.
public struct Diagnostic: Sendable, Hashable {
    /// How bad it is.
    @nonexhaustive
    public enum Severity: String, Sendable, Hashable {
        /// The rule set cannot be used.
        case error
        /// The rule set works, but probably not as meant.
        case warning
        /// More about the diagnostic it belongs to.
        case note
    }

    /// How bad it is.
    public var severity: Severity
    /// A stable, hyphenated name of the kind of problem, such as `unknown-directive`.
    public var code: String
    /// What is wrong, in one sentence without a full stop.
    public var message: String
    /// Where.
    public var location: SourceLocation
    /// How many bytes of the line to underline, at least 1.
    public var length: Int
    /// The text of that line without its newline; empty when it is not known.
    public var sourceLine: String
    /// How to fix it, such as `did you mean "rewrite"?`.
    public var suggestion: String?
    /// Related places, such as the first of two duplicates; their severity is `.note`.
    public var notes: [Diagnostic]
    /// How many problems it stands for: more than 1 for those of one kind that are only counted.
    public var count = 1

    /// Makes a diagnostic.
    public init(
        _ severity: Severity,
        code: String,
        message: String,
        at location: SourceLocation,
        length: Int = 1,
        sourceLine: String = "",
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.location = location
        self.length = max(1, length)
        self.sourceLine = sourceLine
        self.suggestion = suggestion
        self.notes = notes
    }
}
