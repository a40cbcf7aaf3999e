public import ShuntCore

/// Everything that is wrong with an assembly, with the places.
public struct AssemblyError: Error, Sendable, CustomStringConvertible {
    /// The errors, in the order in which their causes were put in, then the warnings.
    public let diagnostics: [Diagnostic]

    package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// The errors as people read them.
    public var description: String { DiagnosticRenderer().render(diagnostics) }
}
