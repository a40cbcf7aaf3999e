public import ShuntCore

/// Everything that is wrong with an association file, with the places.
public struct AppLinksError: Error, Sendable, CustomStringConvertible {
    /// The errors and warnings, in the order of the file.
    public let diagnostics: [Diagnostic]

    init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// All of it as text.
    public var description: String { DiagnosticRenderer().render(diagnostics) }
}
