#if ModuleService
public import CoreMetrics
public import Logging
public import ShuntModules

extension Assembly {
    /// Makes an empty assembly whose scopes and calls are logged, counted and measured.
    ///
    /// The log has starts with their durations and stops as debug messages, tasks that fail as errors, what does not stop in time
    /// as warnings, and calls through doors (URLs, the network, pages) that fail as warnings without their inputs. What fails
    /// inside is the business of the code that called. The metrics are:
    ///
    /// | metric | kind | what |
    /// |---|---|---|
    /// | `PREFIX_starts_total{module}` | counter | scopes that became active |
    /// | `PREFIX_stops_total{module}` | counter | scopes that stopped |
    /// | `PREFIX_overdue_total{module}` | counter | scopes that did not stop in time |
    /// | `PREFIX_start_duration_seconds{module}` | timer | the time of a start |
    /// | `PREFIX_calls_total{call,outcome}` | counter | calls that ended `ok` or `failed` |
    /// | `PREFIX_call_duration_seconds{call}` | timer | the time of a call |
    ///
    /// Calls are named by their contracts, so a program has as many series as it has contracts; what no one answers, as
    /// URLs from outside may ask for, is `unknown`.
    ///
    /// - Parameters:
    ///   - options: The options of the run.
    ///   - logger: The logger.
    ///   - metrics: The factory of the metrics, such as `MetricsSystem.factory`; nil for none.
    ///   - prefix: The beginning of their names.
    public init(
        options: Options = Options(),
        logger: Logger,
        metrics: (any MetricsFactory)? = nil,
        prefix: String = "shunt_modules"
    ) {
        self.init(options: options)
        log(to: logger)
        if let metrics { measure(with: metrics, prefix: prefix) }
        intercept(
            History { record in
                guard let error = record.error, record.caller.kind != .code else { return }
                logger.warning(
                    "modules: a call failed: \(error)",
                    metadata: [
                        "call": "\(record.name)", "caller": "\(record.caller.kind.rawValue)",
                        "scopes": "\(record.scopes.joined(separator: "/"))", "duration": "\(record.duration)",
                    ]
                )
            }
        )
    }

    private mutating func log(to logger: Logger) {
        options.observers.append { notice in
            var metadata: Logger.Metadata = ["scope": "\(notice.scope)"]
            switch notice.kind {
            case .started(let duration):
                metadata["duration"] = "\(duration)"
                logger.debug("modules: a scope is active", metadata: metadata)
            case .stopped: logger.debug("modules: a scope has stopped", metadata: metadata)
            case .overdue(let names):
                metadata["waiting"] = "\(names.joined(separator: ", "))"
                logger.warning("modules: a scope does not stop in time; the next one begins to", metadata: metadata)
            case .failed(let task, let error):
                metadata["task"] = "\(task)"
                logger.error("modules: a task failed, and its scope stops: \(error)", metadata: metadata)
            }
        }
    }
}
#endif
