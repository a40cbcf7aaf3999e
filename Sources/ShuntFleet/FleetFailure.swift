#if Fleet
/// Why something about a fleet could not be done.
public struct FleetFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in words.
    public let description: String

    /// Makes a failure.
    public init(_ description: String) { self.description = description }
}
#endif
