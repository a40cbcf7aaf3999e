#if ModuleService
public import Logging
public import ShuntModules

extension Assembly.Options {
    /// Writes what happens to scopes to a log: starts as debug messages with their durations, stops as debug messages, tasks
    /// that fail as errors, and what does not stop in time as warnings with its names.
    public mutating func log(to logger: Logger = .current) {
        observers.append { notice in
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

extension History {
    /// Writes calls that fail and came through a door (URLs, the network, pages) to a log, as warnings without their
    /// inputs.
    ///
    /// What fails inside is the business of the code that asked.
    public static func failures(to logger: Logger = .current) -> History {
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
    }
}
#endif
