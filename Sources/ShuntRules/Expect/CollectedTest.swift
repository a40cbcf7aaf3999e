package import ShuntCore

/// A test of a rule file that was not made when the rules were loaded.
package struct CollectedTest: Sendable {
    /// The place where its URL is.
    package var location: SourceLocation
    package var request: RuleRequest
    /// The paths that exist; one that ends in a slash is a directory.
    package var files: [String]
    package var expectation: Expectation
}
