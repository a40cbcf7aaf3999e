public import ShuntCore

/// The reason why no table could be made of the routes of a builder.
public struct RouteTableError: Error, Sendable, CustomStringConvertible {
    /// Everything that is wrong, and the warnings, in the order of the routes.
    public let diagnostics: [Diagnostic]

    /// The diagnostics as text.
    public var description: String { DiagnosticRenderer().render(diagnostics) }
}
