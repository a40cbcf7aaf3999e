/// The reason why a contestant is missing.
public struct Absence: Error, CustomStringConvertible {
    /// The reason.
    public var description: String

    /// Creates an absence with its reason.
    public init(_ description: String) {
        self.description = description
    }
}
