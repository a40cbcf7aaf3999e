#if Reloading
public import CoreMetrics
public import Logging
public import Shunt

extension RuleStore.Options {
    /// Makes options of a store that logs, counts and measures what happens in it.
    ///
    /// The log has a failure as one warning with all diagnostics, a start from a last-known-good copy as an error, a new set as a
    /// notice with what changed, and an unchanged one as a notice. The metrics are:
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
    /// | `PREFIX_polling` | gauge | 1 when the system reports no changes |
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - metrics: The factory of the metrics, such as `MetricsSystem.factory`; nil for none.
    ///   - prefix: The beginning of their names.
    public init(logger: Logger, metrics: (any MetricsFactory)? = nil, prefix: String = "shunt_rules") {
        self.init()
        log(to: logger)
        guard let metrics else { return }
        let meters = ReloadMetrics(factory: metrics, prefix: prefix)
        observers.append { meters.note($0) }
    }

    /// Writes what happens in the store to a log, without the warnings of a code, which are not for a gateway.
    package mutating func log(to logger: Logger, leavingOut code: DiagnosticCode? = nil) {
        observers.append { event in
            ReloadLog(logger: logger, withheldCode: code).write(event)
        }
    }
}

struct ReloadLog {
    let logger: Logger
    var withheldCode: DiagnosticCode?

    func write(_ event: RuleStoreEvent) {
        switch event {
        case .reload(let report): write(report)
        case .held(let delay, let reason):
            logger.warning("rules: the source is held back", metadata: ["delay": "\(delay)", "reason": "\(reason)"])
        case .copyFailed(let problem): logger.warning("rules: \(problem)")
        case .copyRejected(let problem): logger.warning("rules: a last-known-good copy was not used: \(problem)")
        case .condition(let condition?): logger.warning("rules: \(condition)")
        case .condition(nil): logger.notice("rules: the system reports changes again")
        }
    }

    private func write(_ report: ReloadReport) {
        var metadata: Logger.Metadata = [
            "version": "\(report.snapshot.version)",
            "hash": "\(report.snapshot.contentHash.prefix(12))",
            "trigger": "\(report.trigger.rawValue)",
            "duration": "\(report.duration)",
        ]
        switch report.outcome {
        case .loaded(let changes):
            metadata["rules"] = "\(report.snapshot.ruleCount)"
            // At the start there were none before, and every directive of the files would count as added.
            if report.trigger != .start {
                metadata["added"] = "\(changes.addedCount)"
                metadata["removed"] = "\(changes.removedCount)"
                metadata["edited"] = "\(changes.editedCount)"
            }
            logger.notice("rules: version \(report.snapshot.version) is in use", metadata: metadata)
            let diagnostics = report.snapshot.ruleSet.diagnostics.filter { problem in
                !(withheldCode.map { problem.has($0) } ?? false)
            }
            if report.trigger == .start, !diagnostics.isEmpty {
                let level: Logger.Level = diagnostics.contains { $0.severity == .warning } ? .warning : .notice
                logger.log(level: level, "warnings in the rules:\n\(DiagnosticRenderer().render(diagnostics))")
            }
        case .unchanged:
            // An operator who sent a signal, or restored the old text after a mistake, wants a confirmation.
            logger.notice("rules: unchanged, version \(report.snapshot.version) stays in use", metadata: metadata)
        case .failed(let failure):
            logger.warning("rules: version \(report.snapshot.version) stays in use: \(failure)", metadata: metadata)
        case .recovered(let failure):
            metadata["copy"] = "\(report.snapshot.origin)"
            logger.error(
                "rules: the source cannot be loaded; an old copy is in use, and changes have no effect: \(failure)",
                metadata: metadata
            )
        }
    }
}
#endif
