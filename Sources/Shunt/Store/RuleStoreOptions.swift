public import ShuntRouting
public import ShuntRules

extension RuleStore {
    /// The checks, copies, waits and observers of a store.
    public struct Options: Sendable {
        /// Makes the engine for a rule set.
        ///
        /// What it throws refuses the set.
        public var makeEngine: @Sendable (RuleSet) throws -> Engine = { Engine($0) }
        /// Has the last word on a set before it is used: the rules' own tests, a limit on what may change at once.
        ///
        /// An error that it throws refuses the set; a `ReloadError` has the reason itself. Called on a background thread, also
        /// for a last-known-good copy.
        public var validate: @Sendable (Candidate) throws -> Void = { _ in }
        /// Called with everything that happens, in order: each attempt to load rules among it, after requests use them.
        ///
        /// Called on a background thread.
        public var observers: [@Sendable (RuleStoreEvent) -> Void] = []
        /// True if a set without rules may serve, from the start on or in the place of one with rules.
        ///
        /// A directory that lost its files looks like that.
        public var allowsEmptyRuleSet = false
        /// The place where copies for a cold start are kept; nil for none.
        public var lastKnownGood: LastKnownGood?
        /// The time when changes of the source are held back; nil for never.
        ///
        /// Calls and signals are never held back.
        public var damping: Damping? = Damping()
        /// The longest time that an attempt to load rules may take once another one waits; nil for no limit.
        ///
        /// An attempt may be stuck in a file system, or in `makeEngine` or `validate`. What is given up fails with
        /// `.timedOut` and never comes into use; the newer attempt begins at once. Nothing is given up for its slowness alone.
        public var loadLimit: Duration? = .seconds(60)
        /// Directories outside of the rules' own which an `include` may lead to; for stores that are opened by a
        /// path.
        public var trustedDirectories: [String] = []
        /// The routing options for the patterns of `route` directives, for stores that are opened by a path and for
        /// their last-known-good copies.
        public var routing = RoutingOptions()
        /// True if directives that are unknown are ignored, for stores that are opened by a path and for their
        /// last-known-good copies.
        public var ignoresUnknownDirectives = false
        /// The clock of waits and reports, which tests can replace.
        public var clock: any StoreClock = SystemStoreClock()

        /// Makes the usual options.
        public init() {}
    }

    /// A rule set that is about to be used.
    public struct Candidate: Sendable {
        /// The engine that would decide.
        public let engine: Engine
        /// The files that the set was compiled from.
        public let archive: RuleArchive
        /// The rules in use; nil at the start.
        public let current: RuleSnapshot?
        /// The event that made the store load the rules.
        public let trigger: ReloadTrigger
        /// True for a last-known-good copy, which served before.
        public let isLastKnownGood: Bool

        /// The rules of `engine`.
        public var ruleSet: RuleSet { engine.ruleSet }

        /// Returns the changes that the set would bring.
        ///
        /// - Complexity: O(*n*) in the size of the files that differ.
        public func changes() -> RuleChanges { RuleChanges(from: current?.archive, to: archive) }
    }
}
