/// For code without `async`: the calling thread waits, and so may not be one of Swift's tasks.
extension RuleStore {
    /// Opens a store as the function of this name with `await` does, and waits for it.
    ///
    /// - Throws: A `ReloadError` when the source cannot be loaded and there is no valid copy.
    @available(*, noasync, message: "write `try await`")
    public static func open(_ source: any RuleSource, options: Options = Options()) throws(ReloadError) -> RuleStore {
        try WaitedTask.value {
            await WaitedTask.result { () async throws(ReloadError) in try await open(source, options: options) }
        }
        .get()
    }

    /// Opens a store for the rule files in a directory, or for one rule file, and waits for it.
    ///
    /// - Throws: A `ReloadError` when the rules cannot be loaded and there is no valid copy.
    @available(*, noasync, message: "write `try await`")
    public static func open(path: String, options: Options = Options()) throws(ReloadError) -> RuleStore {
        try WaitedTask.value {
            await WaitedTask.result { () async throws(ReloadError) in try await open(path: path, options: options) }
        }
        .get()
    }

    /// Loads what the source holds now, and waits for it.
    ///
    /// - Parameter trigger: The cause, for the report.
    /// - Returns: The result. Nothing is thrown: an error keeps the rules in use.
    @available(*, noasync, message: "write `await`")
    @discardableResult
    public func reload(trigger: ReloadTrigger = .call) -> ReloadReport {
        WaitedTask.value { await self.reload(trigger: trigger) }
    }

    /// Reloads whenever the source reports a change, until what it returns is cancelled or freed.
    ///
    /// Run it once for a store.
    public func startWatching() -> RuleWatch { RuleWatch(Task.detached { await self.watch() }) }
}

/// The watch over the source of a store, which ends with this value.
public final class RuleWatch: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    /// Ends the watch; a reload that is under way still ends.
    public func cancel() { task.cancel() }
}
