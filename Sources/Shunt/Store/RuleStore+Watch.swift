import Synchronization

extension RuleStore {
    /// Reloads whenever the source reports a change, until the task is cancelled or the source ends.
    ///
    /// A source that flaps is held back by the options' damping. Run it once for a store.
    public func watch() async {
        for await _ in source.changes() {
            await BackgroundThread.run { self.tellCondition() }
            let held = state.withLock { $0.damper?.wait(at: options.clock.now) }
            if let held {
                let event = RuleStoreEvent.held(for: held.delay, because: held.reason)
                await BackgroundThread.run { self.tell(event) }
                let end = state.withLock { $0.damper?.heldUntil } ?? options.clock.now
                do {
                    try await options.clock.sleep(until: end)
                } catch {
                    break
                }
                state.withLock { $0.damper?.release() }
            }
            if Task.isCancelled { break }
            await reload(trigger: .source)
        }
    }
}
