import ShuntCore
import ShuntRules
import Synchronization

extension RuleStore {
    /// Loads what the source holds now and puts it into use, unless it is wrong or in use already.
    ///
    /// Calls at the same time share an attempt, but never one that began before the call: what was in the source when
    /// `reload` was called is what the report is about, or something newer.
    ///
    /// - Parameter trigger: Who asks, for the report.
    /// - Returns: What came of it. Nothing is thrown: an error keeps the rules in use.
    @discardableResult
    public func reload(trigger: ReloadTrigger = .call) async -> ReloadReport {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append((trigger, continuation))
                defer { state.isReloading = true }
                return !state.isReloading
            }
            // A task of its own: the attempt serves others too and must outlive the caller's cancellation.
            if isFirst { Task { await self.serveWaiting() } }
        }
    }

    /// Makes attempts until nobody waits for one.
    private func serveWaiting() async {
        while true {
            let batch = state.withLock { state in
                let batch = state.waiting
                state.waiting = []
                state.isReloading = !batch.isEmpty
                return batch
            }
            guard let first = batch.first else { return }
            // Who shares an attempt with an administrator that forces it, gets what that one asked for.
            let report = await attempt(batch.contains { $0.trigger == .force } ? .force : first.trigger)
            for waiting in batch {
                var report = report
                report.trigger = waiting.trigger
                waiting.continuation.resume(returning: report)
            }
        }
    }

    private func attempt(_ trigger: ReloadTrigger) async -> ReloadReport {
        let start = options.clock.now
        let before = snapshot
        let prepared: Result<RuleSnapshot?, any Error>
        do {
            let loaded = try await source.load()
            prepared = .success(try await prepare(loaded, after: before, trigger))
        } catch {
            prepared = .failure(error)
        }
        let date = options.clock.date
        let duration = options.clock.now - start
        switch prepared {
        case .failure(let error):
            let failure = ReloadFailure(error, date: date)
            return await finish(trigger, before, nil, failure, date, duration)
        case .success(let snapshot):
            return await finish(trigger, before, snapshot, nil, date, duration)
        }
    }

    /// Makes the snapshot that is to be used next; nil when the rules are in use already.
    private func prepare(
        _ loaded: LoadedRules,
        after before: RuleSnapshot,
        _ trigger: ReloadTrigger
    ) async throws -> RuleSnapshot? {
        if loaded.ruleSet.contentHash == before.contentHash, !before.isLastKnownGood { return nil }
        let options = options
        let origin = source.name
        return try await BackgroundThread.run(niceness: BackgroundThread.loading) {
            if Self.isRefusedAsEmpty(loaded.ruleSet, options) {
                throw ReloadFailure(
                    .empty,
                    summary: "there are no rules in \(origin), where version \(before.version) has \(before.ruleCount)",
                    date: options.clock.date
                )
            }
            return try Self.makeSnapshot(
                loaded,
                current: before,
                trigger: trigger,
                version: before.version &+ 1,
                origin: origin,
                isLastKnownGood: false,
                options: options
            )
        }
    }

    /// Swaps, counts, and tells.
    private func finish(
        _ trigger: ReloadTrigger,
        _ before: RuleSnapshot,
        _ next: RuleSnapshot?,
        _ failure: ReloadFailure?,
        _ date: Timestamp,
        _ duration: Duration
    ) async -> ReloadReport {
        state.withLock { state in
            state.lastAttempt = (date, trigger)
            state.lastFailure = failure
            if failure != nil {
                state.failureCount &+= 1
                state.consecutiveFailures &+= 1
                state.damper?.note(success: false, at: options.clock.now)
            } else {
                state.consecutiveFailures = 0
                if let next {
                    state.loadCount &+= 1
                    state.damper?.note(success: true, at: options.clock.now)
                    slot.replace(with: next)
                } else {
                    state.unchangedCount &+= 1
                    // A set that was wrong in between and is right again has turned, although nothing was swapped.
                    state.damper?.note(success: true, isNew: false, at: options.clock.now)
                }
            }
        }
        return await BackgroundThread.run { [self] in
            let outcome: ReloadReport.Outcome =
                if let failure {
                    .failed(failure)
                } else if let next {
                    .loaded(RuleChanges(from: before.archive, to: next.archive))
                } else {
                    .unchanged
                }
            let report = ReloadReport(
                trigger: trigger,
                outcome: outcome,
                snapshot: next ?? before,
                previousVersion: before.version,
                duration: duration
            )
            tell(.reload(report))
            tellCondition()
            if let next { keepCopy(of: next) }
            return report
        }
    }

    /// Makes an engine and asks the program's own checks.
    static func makeSnapshot(
        _ loaded: LoadedRules,
        current: RuleSnapshot?,
        trigger: ReloadTrigger,
        version: Int,
        origin: String,
        isLastKnownGood: Bool,
        options: Options
    ) throws -> RuleSnapshot {
        do {
            let engine = try options.makeEngine(loaded.ruleSet)
            let candidate = Candidate(engine: engine, archive: loaded.archive, current: current, trigger: trigger)
            try options.validate(candidate)
            return RuleSnapshot(
                engine: engine,
                version: version,
                loadedAt: options.clock.date,
                moment: options.clock.now,
                origin: origin,
                isLastKnownGood: isLastKnownGood,
                archive: loaded.archive
            )
        } catch let error as RuleSetError {
            throw error
        } catch let failure as ReloadFailure {
            throw failure
        } catch {
            throw ReloadFailure(.refused, summary: "the rules were refused: \(error)", date: options.clock.date)
        }
    }

    /// Whether a set has no rules and the options do not say that it may.
    static func isRefusedAsEmpty(_ ruleSet: RuleSet, _ options: Options) -> Bool {
        !options.allowsEmptyRuleSet && ruleSet.isEmpty
    }

    /// Writes the last-known-good copy of a snapshot, which is in use already.
    func keepCopy(of snapshot: RuleSnapshot) {
        // A set without rules, which was allowed to serve, is nothing to come back to.
        guard let copies = options.lastKnownGood, !snapshot.isLastKnownGood, !snapshot.ruleSet.isEmpty else {
            return
        }
        let failure: String?
        do {
            try copies.write(
                snapshot.archive,
                contentHash: snapshot.contentHash,
                source: snapshot.origin,
                date: snapshot.loadedAt
            )
            failure = nil
        } catch {
            failure = "cannot write the last-known-good copy \(copies.path): \(error)"
        }
        state.withLock { $0.copyFailure = failure }
        if let failure { tell(.copyFailed(failure)) }
    }

    /// Tells of the source's condition where it is another than before.
    func tellCondition() {
        let condition = source.condition
        let isNews = state.withLock { state in
            defer { state.condition = condition }
            return state.condition != condition
        }
        if isNews { tell(.condition(condition)) }
    }
}
