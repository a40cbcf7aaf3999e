/// The most work that the regular expressions of one decision may do.
///
/// Only expressions count whose work may grow faster than the text they read, such as `(a+)+$` or `(\w+)/.*/\1`;
/// `shunt check` names those that are likely to reach a limit. A decision that would take more is a failure with the
/// status 500. The work is counted, not timed, so a decision is the same on a fast machine, a slow one and a busy one.
public struct MatchLimits: Sendable, Hashable {
    /// The most steps, about 1 ns each.
    public let steps: Int

    /// Makes limits: the most steps that the expressions of a decision take together, at least 1.
    public init(steps: Int) { self.steps = max(1, steps) }

    /// The default limits of an engine: 8,000,000 steps, less than 20 ms of processor time.
    public static let standard = MatchLimits(steps: 8_000_000)

    /// The limits of the gateway: 2,000,000 steps, less than 5 ms, because other requests wait for the same thread.
    public static let gateway = MatchLimits(steps: 2_000_000)
}
