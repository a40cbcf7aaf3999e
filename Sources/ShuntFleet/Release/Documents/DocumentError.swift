/// The reason why a document of a fleet is refused.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of document, such as `pointer`.
    public var document: String
    /// The problem.
    public var problem: String

    /// Makes an error.
    public init(_ document: String, _ problem: String) {
        self.document = document
        self.problem = problem
    }

    /// Both in one line.
    public var description: String { "\(document): \(problem)" }
}
