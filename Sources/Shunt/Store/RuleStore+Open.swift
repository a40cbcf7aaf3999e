import ShuntCore

extension RuleStore {
    /// Opens a store: loads what the source holds.
    ///
    /// A set without rules counts as one that cannot be loaded, unless the options allow it: a directory that lost its files
    /// looks like that. Where loading fails and the options name a last-known-good copy, the newest valid copy is used. This is loud: the
    /// report's outcome is `.recovered`, `status.isLastKnownGood` and `status.lastFailure` are set until the source has
    /// been loaded.
    ///
    /// - Throws: A `ReloadError` when the source cannot be loaded and there is no valid copy.
    public static func open(
        _ source: any RuleSource,
        options: Options = Options()
    ) async throws(ReloadError) -> RuleStore {
        let clock = options.clock
        let start = clock.now
        let snapshot: RuleSnapshot
        var failure: ReloadError?
        do {
            let loaded = try await source.load()
            if isRefusedAsEmpty(loaded.ruleSet, options) {
                throw ReloadError(.empty, summary: "there are no rules in \(source.name)", date: clock.date)
            }
            snapshot = try await BackgroundThread.run(niceness: BackgroundThread.loading) {
                try makeSnapshot(loaded, after: nil, origin: source.name, options: options)
            }
        } catch {
            let reason = ReloadError(error, date: clock.date)
            guard let copy = await recover(source.name, options) else { throw reason }
            failure = reason
            snapshot = copy
        }
        let duration = clock.now - start
        var state = State(lastAttempt: (clock.date, .start))
        state.damper = options.damping.map(Damper.init)
        state.lastFailure = failure
        state.failureCount = failure == nil ? 0 : 1
        state.recoveredCount = state.failureCount
        state.consecutiveFailures = state.failureCount
        state.loadCount = 1 - state.failureCount
        state.damper?.note(success: failure == nil, at: clock.now)
        let store = RuleStore(source: source, options: options, snapshot: snapshot, state: state)
        let outcome: ReloadReport.Outcome =
            if let failure { .recovered(failure) } else { .loaded(RuleChanges(from: nil, to: snapshot.archive)) }
        let report = ReloadReport(
            trigger: .start,
            outcome: outcome,
            snapshot: snapshot,
            previousVersion: nil,
            duration: duration
        )
        await BackgroundThread.run {
            store.tell(.reload(report))
            store.tellCondition()
            store.keepCopy(of: snapshot)
            FreedMemory.giveBack()
        }
        return store
    }

    /// Opens a store for the rule files in a directory, or for one rule file.
    ///
    /// - Throws: A `ReloadError` when the rules cannot be loaded and there is no valid copy.
    public static func open(path: String, options: Options = Options()) async throws(ReloadError) -> RuleStore {
        var reading = DirectorySource.Options()
        reading.trustedDirectories = options.trustedDirectories
        reading.routing = options.routing
        reading.ignoresUnknownDirectives = options.ignoresUnknownDirectives
        return try await open(DirectorySource(path, options: reading, clock: options.clock), options: options)
    }

    /// The newest copy that is whole and compiles.
    private static func recover(_ source: String, _ options: Options) async -> RuleSnapshot? {
        guard let copies = options.lastKnownGood else { return nil }
        return await BackgroundThread.run {
            let found = copies.read(source: source)
            for problem in found.problems { tell(.copyRejected(problem), options) }
            for copy in found.copies {
                do {
                    let loaded = try LoadedRules(
                        compiling: copy.archive,
                        routing: options.routing,
                        ignoringUnknownDirectives: options.ignoresUnknownDirectives
                    )
                    if isRefusedAsEmpty(loaded.ruleSet, options) {
                        tell(.copyRejected("\(copy.path): it has no rules"), options)
                        continue
                    }
                    return try makeSnapshot(
                        loaded,
                        after: nil,
                        origin: copy.path,
                        isLastKnownGood: true,
                        options: options
                    )
                } catch {
                    let failure = ReloadError(error, date: options.clock.date)
                    tell(.copyRejected("\(copy.path): \(failure.summary)"), options)
                }
            }
            return nil
        }
    }
}
