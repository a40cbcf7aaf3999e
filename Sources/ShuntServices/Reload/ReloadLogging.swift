#if Reloading
public import Logging
public import Shunt

extension RuleStore.Options {
    /// Writes what happens in the store to a log: a failure as one warning with all diagnostics, a start from a
    /// last-known-good copy as an error, a new set as a notice with what changed, an unchanged one as a notice.
    public mutating func log(to logger: Logger = .current) { log(to: logger, leavingOut: nil) }

    /// The same without the warnings of a code, which are not for a gateway.
    package mutating func log(to logger: Logger, leavingOut code: DiagnosticCode?) {
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
