package import ShuntCore

/// The uses of a directive that is passed over.
package struct DirectiveUses: Sendable {
    package var name: String
    /// The place of the first use.
    package var location: SourceLocation
    package var count: Int
    /// A remark for lists; nil if there is nothing to report.
    package var note: String?
}

/// A directive that the gateway does not do.
package struct UnservedUse: Sendable {
    package var name: String
    /// The problem at the first place.
    package var error: Diagnostic
    /// True if requests go to the gateway's default upstream in its place.
    package var goesToUpstream: Bool
}
