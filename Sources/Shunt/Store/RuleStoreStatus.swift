public import ShuntCore

/// How a store fares, at one moment.
public struct RuleStoreStatus: Sendable {
    /// The version in use.
    public var version: Int
    /// The content hash of the rules in use.
    public var contentHash: String
    /// The number of rules in use.
    public var ruleCount: Int
    /// When they came into use.
    public var loadedAt: Timestamp
    /// The time since then, by a clock that does not follow changes of the calendar time.
    public var age: Duration
    /// Where they come from.
    public var origin: String
    /// Whether they are an old copy, used because the source could not be loaded at the start.
    public var isLastKnownGood: Bool
    /// The name of the source.
    public var source: String
    /// What hinders the source from telling of changes as fast as it should; nil when nothing does.
    public var sourceCondition: String?
    /// When the last attempt ended.
    public var lastAttempt: Timestamp
    /// What made it.
    public var lastTrigger: ReloadTrigger
    /// Why the last attempt failed; nil if it did not.
    public var lastFailure: ReloadFailure?
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
    /// How long the next attempt on a change of the source still has to wait; nil when it does not.
    public var heldFor: Duration?
    /// Why the last-known-good copy could not be written the last time; nil if it could.
    public var copyFailure: String?

    /// Whether changes of the source are held back because it changes too often or is now right, now wrong.
    public var isDamped: Bool { heldFor != nil }
    /// Whether the rules in use are not what the source holds.
    public var isStale: Bool { lastFailure != nil || isLastKnownGood }
}
