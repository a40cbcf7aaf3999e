/// The cost of one operation over several rounds, in nanoseconds.
public struct Statistics: Sendable, Codable {
    /// The median.
    public var median: Double
    /// The fastest round.
    public var minimum: Double
    /// The slowest round.
    public var maximum: Double

    /// Makes statistics of values.
    ///
    /// - Parameter values: At least one.
    public init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted.isEmpty ? .nan : sorted[sorted.count / 2]
        minimum = sorted.first ?? .nan
        maximum = sorted.last ?? .nan
    }
}
