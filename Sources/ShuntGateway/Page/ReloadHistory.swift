#if Gateway
import Shunt
import Synchronization

/// The last attempts to load rules, with what they changed.
final class ReloadHistory: Sendable {
    /// The most attempts that are kept.
    static let limit = 100
    /// The most bytes of rule files that are kept to compare sets; older sets are dropped.
    private static let archiveBytes = 16 << 20

    struct Attempt: Sendable {
        var date: Timestamp
        var trigger: ReloadTrigger
        /// `loaded`, `unchanged`, `held`, `failed` or `recovered`.
        var outcome: String
        /// The version in use after it.
        var version: Int
        var hash: String
        var rules: Int
        var duration: Duration
        var changes: RuleChanges?
        var failure: ReloadError?
        /// The verdict about held rules and who reached it, such as `approved by anna (10.0.0.7)`.
        var verdict: String?
        /// The files, where rules came into use and are still kept.
        var archive: RuleArchive?
    }

    private let kept = Mutex<[Attempt]>([])

    /// The attempts, the newest first.
    var attempts: [Attempt] { kept.withLock { $0.reversed() } }

    /// The changes of the last rules that came into use; nil if they are the first.
    var lastChanges: RuleChanges? {
        kept.withLock { $0.last { $0.archive != nil && $0.version > 1 }?.changes }
    }

    /// Notes what happened in a store.
    func note(_ event: RuleStoreEvent) {
        guard case .reload(let report) = event else { return }
        var attempt = Attempt(
            date: .now(),
            trigger: report.trigger,
            outcome: "loaded",
            version: report.snapshot.version,
            hash: report.snapshot.contentHash,
            rules: report.snapshot.ruleCount,
            duration: report.duration
        )
        switch report.outcome {
        case .loaded(let changes): (attempt.changes, attempt.archive) = (changes, report.snapshot.archive)
        case .unchanged: attempt.outcome = "unchanged"
        case .failed(let failure):
            attempt.outcome = failure.reason == .held ? "held" : "failed"
            attempt.failure = failure
        case .recovered(let failure):
            attempt.outcome = "recovered"
            (attempt.failure, attempt.archive) = (failure, report.snapshot.archive)
        }
        keep(attempt)
    }

    /// Notes who approved or rejected held rules, at the attempt that put them into use or else at the last one.
    func note(_ verdict: String, of hash: String, by author: String) {
        kept.withLock { kept in
            guard let last = kept.lastIndex(where: { $0.hash == hash }) ?? kept.indices.last else { return }
            kept[last].verdict = "\(verdict) by \(author)"
        }
    }

    private func keep(_ attempt: Attempt) {
        kept.withLock { kept in
            kept.append(attempt)
            if kept.count > Self.limit { kept.removeFirst() }
            var bytes = 0
            for index in kept.indices.reversed() {
                guard let archive = kept[index].archive else { continue }
                bytes += archive.byteCount
                // The set in use is there anyway.
                if bytes > Self.archiveBytes, index != kept.indices.last { kept[index].archive = nil }
            }
        }
    }

    /// The files of a version and of the one before it; nil where they are not kept, or there was none before.
    func archives(of version: Int) -> (old: RuleArchive, new: RuleArchive)? {
        kept.withLock { kept in
            guard let place = kept.lastIndex(where: { $0.version == version && $0.archive != nil }),
                let new = kept[place].archive,
                let old = kept[..<place].last(where: { $0.version < version && $0.archive != nil })?.archive
            else { return nil }
            return (old, new)
        }
    }
}
#endif
