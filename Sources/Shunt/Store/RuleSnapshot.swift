public import ShuntCore
public import ShuntRules

/// A rule set in use: immutable, shared by any number of threads, freed when its last user lets go of it.
///
/// A request that took a snapshot is decided by it alone, whatever is loaded meanwhile.
public final class RuleSnapshot: Sendable {
    /// Decides with the rules.
    public let engine: Engine
    /// 1 for the first set that a store held, and one more for each that replaced another; it never goes back.
    public let version: Int
    /// The time when the set came into use.
    public let loadedAt: Timestamp
    /// The place where it was loaded from, as the source names itself; for a last-known-good copy, the path of the
    /// copy.
    public let origin: String
    /// True if the set is an old copy, used because the source could not be loaded when the store was opened.
    public let isLastKnownGood: Bool
    /// The files of the set.
    public let archive: RuleArchive
    /// The number of rules.
    public let ruleCount: Int
    /// `loadedAt` by the clock that never goes back.
    let moment: Duration

    init(
        engine: Engine,
        version: Int,
        loadedAt: Timestamp,
        moment: Duration,
        origin: String,
        isLastKnownGood: Bool,
        archive: RuleArchive
    ) {
        self.engine = engine
        self.version = version
        self.loadedAt = loadedAt
        self.moment = moment
        self.origin = origin
        self.isLastKnownGood = isLastKnownGood
        self.archive = archive
        ruleCount = engine.ruleSet.ruleCount
    }

    /// The rules of `engine`.
    public var ruleSet: RuleSet { engine.ruleSet }

    /// The SHA-256 of the names and contents of all files of the set, as hexadecimal digits.
    public var contentHash: String { ruleSet.contentHash }
}
