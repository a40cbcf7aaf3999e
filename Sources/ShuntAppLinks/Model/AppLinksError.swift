public import ShuntCore

/// Everything that is wrong with an association file, with the places.
public struct AppLinksError: Error, Sendable, CustomStringConvertible {
    /// The errors and warnings, in the order of the file.
    public let diagnostics: [Diagnostic]

    init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// Refuses a file that has errors, unless all have one of these codes.
    static func check(_ problems: [Diagnostic], tolerating codes: [DiagnosticCode] = []) throws(AppLinksError) {
        guard
            !problems.contains(where: { problem in
                problem.severity == .error && !codes.contains { problem.has($0) }
            })
        else {
            throw AppLinksError(problems)
        }
    }

    /// All of it as text.
    public var description: String { DiagnosticRenderer().render(diagnostics) }
}
