#if Reloading
public import CoreMetrics
public import Shunt

extension RuleStore.Options {
    /// Counts and measures what happens in the store.
    ///
    /// | metric | kind | what |
    /// |---|---|---|
    /// | `PREFIX_reloads_total{outcome}` | counter | attempts that ended `loaded`, `unchanged`, `failed` or `recovered` |
    /// | `PREFIX_reload_duration_seconds` | timer | the time of an attempt |
    /// | `PREFIX_held_total` | counter | attempts that waited because the source flaps |
    /// | `PREFIX_copy_failures_total` | counter | last-known-good copies that could not be written |
    /// | `PREFIX_version` | gauge | the version in use |
    /// | `PREFIX_count` | gauge | the rules in use |
    /// | `PREFIX_loaded_timestamp_seconds` | gauge | when they came into use, since 1970 |
    /// | `PREFIX_stale` | gauge | 1 when the rules in use are not what the source holds |
    /// | `PREFIX_last_known_good` | gauge | 1 when an old copy is in use |
    /// | `PREFIX_polling` | gauge | 1 when the system does not report changes |
    public mutating func measure(with factory: any MetricsFactory, prefix: String = "shunt_rules") {
        let metrics = ReloadMetrics(factory: factory, prefix: prefix)
        observers.append { metrics.note($0) }
    }
}

struct ReloadMetrics: Sendable {
    private let outcomes: [String: Counter]
    private let duration: CoreMetrics.Timer
    private let held: Counter
    private let copyFailures: Counter
    private let version: Gauge
    private let count: Gauge
    private let loaded: Gauge
    private let stale: Gauge
    private let lastKnownGood: Gauge
    private let polling: Gauge

    init(factory: any MetricsFactory, prefix: String) {
        var outcomes: [String: Counter] = [:]
        for outcome in ["loaded", "unchanged", "failed", "recovered"] {
            let labels = [("outcome", outcome)]
            outcomes[outcome] = Counter(label: "\(prefix)_reloads_total", dimensions: labels, factory: factory)
        }
        self.outcomes = outcomes
        duration = CoreMetrics.Timer(label: "\(prefix)_reload_duration_seconds", factory: factory)
        held = Counter(label: "\(prefix)_held_total", factory: factory)
        copyFailures = Counter(label: "\(prefix)_copy_failures_total", factory: factory)
        version = Gauge(label: "\(prefix)_version", factory: factory)
        count = Gauge(label: "\(prefix)_count", factory: factory)
        loaded = Gauge(label: "\(prefix)_loaded_timestamp_seconds", factory: factory)
        stale = Gauge(label: "\(prefix)_stale", factory: factory)
        lastKnownGood = Gauge(label: "\(prefix)_last_known_good", factory: factory)
        polling = Gauge(label: "\(prefix)_polling", factory: factory)
    }

    func note(_ event: RuleStoreEvent) {
        switch event {
        case .reload(let report): note(report)
        case .held: held.increment()
        case .copyFailed: copyFailures.increment()
        case .copyRejected: break
        case .condition(let condition): polling.record(condition == nil ? 0 : 1)
        }
    }

    private func note(_ report: ReloadReport) {
        let outcome =
            switch report.outcome {
            case .loaded: "loaded"
            case .unchanged: "unchanged"
            case .failed: "failed"
            case .recovered: "recovered"
            }
        outcomes[outcome]?.increment()
        duration.recordSeconds(report.duration / .seconds(1))
        version.record(report.snapshot.version)
        count.record(report.snapshot.ruleCount)
        loaded.record(report.snapshot.loadedAt.seconds)
        stale.record(report.failure == nil ? 0 : 1)
        lastKnownGood.record(report.snapshot.isLastKnownGood ? 1 : 0)
    }
}
#endif
