import Workloads

/// The result of one round of lookups.
struct Round {
    /// The cost of one lookup, in nanoseconds of processor time.
    var nanoseconds: Double
    /// The number of lookups.
    var lookups: Int
    /// The number of those that matched a rule.
    var matches: Int
}

/// An engine that looks up the URLs of one workload.
protocol Contestant {
    /// The name, for tables.
    var name: String { get }
    /// The number of rounds one of which this contestant takes part in: those that take long sit some out.
    var stride: Int { get }
    /// True if URLs of `hit` kinds match; not so without rules.
    var canMatch: Bool { get }
    /// The number of its rules, where contestants of one race have different numbers.
    var rules: Int? { get }
    /// The time it took to compile the rules, in seconds; nil if that is unknown.
    var loadSeconds: Double? { get }

    /// Looks up each URL of one kind, so that what is made on first use is made.
    ///
    /// - Parameter kind: The name of the kind.
    /// - Throws: As `round` does.
    func warmUp(_ kind: String) throws

    /// Looks up URLs of one kind, in turn, for about a time.
    ///
    /// - Parameters:
    ///   - kind: The name of the kind.
    ///   - nanoseconds: How long.
    /// - Returns: What it cost.
    /// - Throws: `Absence` when the contestant knows no such URLs, or is gone.
    func round(_ kind: String, nanoseconds: Double) throws -> Round
}

extension Contestant {
    var canMatch: Bool { true }

    var rules: Int? { nil }

    func warmUp(_ kind: String) throws {
        _ = try round(kind, nanoseconds: 20e6)
    }
}
