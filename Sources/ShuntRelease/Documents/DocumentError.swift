/// Why a document of a fleet is refused.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of document it is, such as `pointer`.
    public var document: String
    /// What is wrong with it.
    public var problem: String

    /// Makes an error.
    public init(_ document: String, _ problem: String) {
        self.document = document
        self.problem = problem
    }

    /// Both in one line.
    public var description: String { "\(document): \(problem)" }
}
