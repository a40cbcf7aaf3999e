/// No value: the input or the output of what takes or returns none.
public struct NoValue: Codable, Hashable, Sendable {
    /// Makes it.
    public init() {}
}
