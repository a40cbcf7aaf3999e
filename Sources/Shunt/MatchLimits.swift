/// How much work the regular expressions of one decision may make.
///
/// Only expressions count whose work may grow faster than the text they look at, such as `(a+)+$` or `(\w+)/.*/\1`;
/// `shunt check` names those that are likely to reach a limit. A decision that would take more is a failure with the
/// status 500. The work is counted, not timed, so a decision is the same on a fast machine, a slow one and a busy one.
public struct MatchLimits: Sendable, Hashable {
    /// The most steps, about 1 ns each.
    public let steps: Int

    /// Makes limits.
    ///
    /// - Parameter steps: The most steps that the expressions of a decision take together; at least 1.
    public init(steps: Int) {
        self.steps = max(1, steps)
    }

    /// What an engine has unless it is told otherwise: 8,000,000 steps, less than 20 ms of processor time.
    public static let standard = MatchLimits(steps: 8_000_000)

    /// What the gateway has: 2,000,000 steps, less than 5 ms, because other requests wait for the same thread.
    public static let gateway = MatchLimits(steps: 2_000_000)
}
