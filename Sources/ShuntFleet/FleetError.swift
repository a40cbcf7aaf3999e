#if Fleet
/// The reason why something about a fleet could not be done.
public struct FleetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in words.
    public let description: String
    /// True if it was refused for what was asked, and not for want of something.
    public let isRefusal: Bool

    /// Makes a failure.
    public init(_ description: String) { self.init(description, isRefusal: false) }

    private init(_ description: String, isRefusal: Bool) {
        self.description = description
        self.isRefusal = isRefusal
    }

    /// The failure of something that was refused.
    public static func refusal(_ description: String) -> FleetError {
        FleetError(description, isRefusal: true)
    }
}
#endif
