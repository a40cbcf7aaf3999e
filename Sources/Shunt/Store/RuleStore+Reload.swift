import ShuntCore
import ShuntRules
import Synchronization

extension RuleStore {
    /// Loads what the source holds now and puts it into use, unless it is wrong or in use already.
    ///
    /// Calls at the same time share an attempt, but never one that began before the call: what was in the source when
    /// `reload` was called is what the report is about, or something newer.
    ///
    /// An attempt that is stuck is given up when a newer one waits, see `Options.loadLimit`. A caller whose task is cancelled
    /// is answered at once, with a report of that; the attempt serves others too and continues.
    ///
    /// Loading needs more memory than the rules keep. Afterwards what the program has freed is returned to the system,
    /// at most once in a second, on a separate thread; with glibc only.
    ///
    /// - Returns: The result. Nothing is thrown: an error keeps the rules in use.
    @discardableResult
    public func reload(trigger: ReloadTrigger = .call) async -> ReloadReport {
        let start = options.clock.now
        switch await attempts.next(trigger, of: self) {
        case .report(let report):
            return report
        case .givenUp(let failure):
            return unfinished(failure, trigger: trigger, duration: options.clock.now - start)
        case .cancelled:
            let summary = "the task that requested a reload was cancelled"
            let failure = ReloadError(.cancelled, summary: summary, date: options.clock.date)
            return unfinished(failure, trigger: trigger, duration: options.clock.now - start)
        }
    }

    /// The report for someone whose attempt did not end.
    private func unfinished(_ failure: ReloadError, trigger: ReloadTrigger, duration: Duration) -> ReloadReport {
        let snapshot = snapshot
        return ReloadReport(
            trigger: trigger,
            outcome: .failed(failure),
            snapshot: snapshot,
            previousVersion: snapshot.version,
            duration: duration
        )
    }

    /// Counts an attempt that is given up, and reports it; returns what those get who waited for it.
    func giveUp(_ trigger: ReloadTrigger, after duration: Duration) async -> ReloadError {
        let failure = ReloadError(
            .timedOut,
            summary: "loading \(source.name) was given up: it took longer than others could wait",
            date: options.clock.date
        )
        note(trigger, .failure(failure))
        let report = unfinished(failure, trigger: trigger, duration: duration)
        await BackgroundThread.run { self.tell(.reload(report)) }
        return failure
    }

    /// Makes one attempt; nil when it was given up in between.
    func attempt(_ number: Int, _ trigger: ReloadTrigger) async -> ReloadReport? {
        let start = options.clock.now
        let before = snapshot
        let prepared: Result<RuleSnapshot?, any Error>
        do {
            let loaded = try await source.load()
            prepared = .success(try await prepare(loaded, after: before, trigger))
        } catch {
            prepared = .failure(error)
        }
        let duration = options.clock.now - start
        // From here on it cannot be given up, so that at most one attempt swaps at a time.
        guard attempts.decide(number) else { return nil }
        let result = prepared.mapError { ReloadError($0, date: options.clock.date) }
        return await finish(trigger, before: before, result, duration: duration)
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
                throw ReloadError(
                    .empty,
                    summary: "there are no rules in \(origin), where version \(before.version) has \(before.ruleCount)",
                    date: options.clock.date
                )
            }
            return try Self.makeSnapshot(loaded, after: before, trigger: trigger, origin: origin, options: options)
        }
    }

    /// Swaps, counts, and reports.
    private func finish(
        _ trigger: ReloadTrigger,
        before: RuleSnapshot,
        _ result: Result<RuleSnapshot?, ReloadError>,
        duration: Duration
    ) async -> ReloadReport {
        note(trigger, result)
        return await BackgroundThread.run { [self] in
            let next = (try? result.get()) ?? nil
            let outcome: ReloadReport.Outcome =
                switch result {
                case .failure(let failure): .failed(failure)
                case .success(let next?): .loaded(RuleChanges(from: before.archive, to: next.archive))
                case .success(nil): .unchanged
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
            if let next { keepCopy(of: next) } else { retryCopy(of: before) }
            FreedMemory.giveBack()
            return report
        }
    }

    /// Swaps, and counts.
    private func note(_ trigger: ReloadTrigger, _ result: Result<RuleSnapshot?, ReloadError>) {
        state.withLock { state in
            state.lastAttempt = (options.clock.date, trigger)
            switch result {
            case .failure(let failure):
                state.lastFailure = failure
                state.failureCount &+= 1
                state.consecutiveFailures &+= 1
                state.damper?.note(success: false, at: options.clock.now)
            case .success(let next):
                state.lastFailure = nil
                state.consecutiveFailures = 0
                // A set that was wrong in between and is right again has turned, although nothing was swapped.
                state.damper?.note(success: true, isNew: next != nil, at: options.clock.now)
                if next == nil { state.unchangedCount &+= 1 } else { state.loadCount &+= 1 }
                if let next { slot.replace(with: next) }
            }
        }
    }

    /// Makes an engine and asks the program's own checks.
    static func makeSnapshot(
        _ loaded: LoadedRules,
        after current: RuleSnapshot?,
        trigger: ReloadTrigger = .start,
        origin: String,
        isLastKnownGood: Bool = false,
        options: Options
    ) throws -> RuleSnapshot {
        do {
            let engine = try options.makeEngine(loaded.ruleSet)
            let candidate = Candidate(
                engine: engine,
                archive: loaded.archive,
                current: current,
                trigger: trigger,
                isLastKnownGood: isLastKnownGood
            )
            try options.validate(candidate)
            return RuleSnapshot(
                engine: engine,
                version: (current?.version ?? 0) &+ 1,
                loadedAt: options.clock.date,
                moment: options.clock.now,
                origin: origin,
                isLastKnownGood: isLastKnownGood,
                archive: loaded.archive
            )
        } catch  where error is RuleSetError || error is ReloadError {
            throw error
        } catch {
            throw ReloadError(.refused, summary: "the rules were refused: \(error)", date: options.clock.date)
        }
    }

    /// Returns true if a set has no rules and the options do not allow that.
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
        let isNews = state.withLock { state in
            defer { state.copyFailure = failure }
            return state.copyFailure != failure
        }
        if isNews, let failure { tell(.copyFailed(failure)) }
    }

    /// Writes the copy of the rules in use again if that failed before.
    public func retryCopy() async {
        let snapshot = snapshot
        await BackgroundThread.run { self.retryCopy(of: snapshot) }
    }

    private func retryCopy(of snapshot: RuleSnapshot) {
        if state.withLock({ $0.copyFailure != nil }) { keepCopy(of: snapshot) }
    }

    /// Reports the source's condition if it has changed.
    func tellCondition() {
        let condition = source.condition
        let isNews = state.withLock { state in
            defer { state.condition = condition }
            return state.condition != condition
        }
        if isNews { tell(.condition(condition)) }
    }
}
