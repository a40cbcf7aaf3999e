/// One thing that is wrong, or looks wrong, in a rule file, list or route, with its place and, where known, the fix.
public struct Diagnostic: Sendable, Hashable {
    /// The severity of a diagnostic.
    @nonexhaustive public enum Severity: String, Sendable, Hashable {
        /// The rule set cannot be used.
        case error
        /// The rule set works, but probably not as meant.
        case warning
        /// More about the diagnostic it belongs to.
        case note
    }

    /// The severity.
    public var severity: Severity
    /// A stable, hyphenated name of the kind of problem, such as `unknown-directive`.
    public var code: String
    /// The problem, in one sentence without a full stop.
    public var message: String
    /// The place.
    public var location: SourceLocation
    /// The number of bytes of the line to underline, at least 1.
    public var length: Int
    /// The text of that line without its newline; empty when it is not known.
    public var sourceLine: String
    /// The fix, such as `did you mean "rewrite"?`.
    public var suggestion: String?
    /// Related places, such as the first of two duplicates; their severity is `.note`.
    public var notes: [Diagnostic]
    /// The number of problems it represents: more than 1 for problems of one kind that are only counted.
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

    package func has(_ code: DiagnosticCode) -> Bool { self.code == code.name }

    package init(
        _ kind: Kind,
        _ message: String,
        at location: SourceLocation,
        length: Int = 1,
        sourceLine: String = "",
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        self.init(
            kind.severity,
            code: kind.code.name,
            message: message,
            at: location,
            length: length,
            sourceLine: sourceLine,
            suggestion: suggestion,
            notes: notes
        )
    }
}

extension Diagnostic {
    /// A code with the severity that it has in one diagnostic, such as `.error(.noRoutes)`.
    package struct Kind: Sendable {
        let severity: Severity
        let code: DiagnosticCode

        /// Makes a kind whose severity depends on the place.
        package init(_ severity: Severity, _ code: DiagnosticCode) {
            self.severity = severity
            self.code = code
        }

        package static func error(_ code: DiagnosticCode) -> Self { Self(.error, code) }
        package static func warning(_ code: DiagnosticCode) -> Self { Self(.warning, code) }
        package static func note(_ code: DiagnosticCode) -> Self { Self(.note, code) }
    }
}

extension [Diagnostic] {
    /// The diagnostics of one file in the order of their places, those of one place as before.
    package var inOrder: [Diagnostic] {
        enumerated()
            .sorted { left, right in
                let (first, second) = (left.element.location, right.element.location)
                return (first.line, first.column, left.offset) < (second.line, second.column, right.offset)
            }
            .map(\.element)
    }
}
