public import ShuntCore

/// The status of a store at one moment.
public struct RuleStoreStatus: Sendable {
    /// The number of the set in use, as in `RuleSnapshot.version`.
    public var version: Int
    /// The content hash of the rules in use.
    public var contentHash: String
    /// The number of rules in use.
    public var ruleCount: Int
    /// The time when they came into use.
    public var loadedAt: Timestamp
    /// The time since then, by a clock that does not follow changes of the calendar time.
    public var age: Duration
    /// The place where they come from.
    public var origin: String
    /// True if they are an old copy, used because the source could not be loaded at the start.
    public var isLastKnownGood: Bool
    /// The name of the source.
    public var source: String
    /// The reason why the source reports changes more slowly than it should; nil if it does not.
    public var sourceCondition: String?
    /// The time when the last attempt ended.
    public var lastAttempt: Timestamp
    /// The event that caused the last attempt.
    public var lastTrigger: ReloadTrigger
    /// The reason why the last attempt failed; nil if it did not.
    public var lastFailure: ReloadError?
    /// The number of attempts in a row that failed.
    public var consecutiveFailures: Int
    /// The attempts so far that put rules into use.
    public var loadCount: Int
    /// The attempts so far that found the rules in use.
    public var unchangedCount: Int
    /// The attempts so far that failed.
    public var failureCount: Int
    /// Those of the failed attempts that put a last-known-good copy into use.
    public var recoveredCount: Int
    /// The time until the next attempt on a change of the source; nil if it need not wait.
    public var heldFor: Duration?
    /// The reason why the last-known-good copy could not be written the last time; nil if it could.
    public var copyFailure: String?

    /// True if changes of the source are held back because it changes too often or is now right, now wrong.
    public var isDamped: Bool { heldFor != nil }
    /// True if the rules in use are not what the source holds.
    public var isStale: Bool { lastFailure != nil || isLastKnownGood }
}
