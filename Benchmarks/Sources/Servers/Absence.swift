/// Why a contestant is not there.
public struct Absence: Error, CustomStringConvertible {
    /// The reason.
    public var description: String

    /// Says why.
    public init(_ description: String) {
        self.description = description
    }
}
