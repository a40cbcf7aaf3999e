import Synchronization

extension Scope {
    /// Stops everything below the scope, then the scope, and takes it out of the tree.
    ///
    /// Does nothing the second time.
    ///
    /// Calls and feeds in the scope end with `CallError.detached`. Returns when everything has ended or, where something does
    /// not notice that it was cancelled, after the time for stopping. Called from inside of the scope (its tasks, its
    /// handlers, what they call) it begins to stop and returns: waiting for oneself would never end. For the root it is
    /// the same as leaving `Modules.run`.
    public func detach() async {
        if parent == nil { program.leave() } else { beginStop() }
        if isAroundThisTask { return }
        _ = try? await settled.waitToTheEnd()
    }

    /// Begins to stop, and waits as `detach` does.
    func stop() async {
        beginStop()
        _ = try? await settled.waitToTheEnd()
    }

    /// Begins to stop, unless that has begun.
    ///
    /// Nothing is answered from here on.
    func beginStop() {
        let (wasActive, begins) = life.withLock { life -> (Bool, Bool) in
            guard life.state == .starting || life.state == .active else { return (false, false) }
            let wasActive = life.state == .active
            change(&life, to: .stopping)
            return (wasActive, true)
        }
        guard begins else { return }
        // The task is its own: stopping must not be cut short when the one who asked for it is cancelled. Everybody who
        // waits for the stop waits for `settled`, and the program for `ended`.
        Task { await performStop(wasActive: wasActive) }
    }

    private func performStop(wasActive: Bool) async {
        started.finish(.failure(CallError.detached(scope: name)))
        for child in children.reversed() { await child.stop() }
        let tasks = life.withLock { Array($0.tasks.values) }
        for task in tasks { task.onDetach?() }
        for task in tasks { task.task.cancel() }
        if life.withLock({ $0.tasks.isEmpty }) { idle.finish() }
        Task { await finish(wasActive: wasActive) }
        let ended = ended
        do {
            try await program.clock.limit(program.options.stopTime) { try await ended.wait() }
        } catch {
            let names = life.withLock { $0.tasks.values.map(\.name).sorted() }
            program.report(self, .overdue(names.isEmpty ? ["onStop"] : names))
            program.linger(self)
        }
        parent?.remove(self)
        settled.finish()
    }

    /// The part that what does not notice its cancellation can hold up.
    private func finish(wasActive: Bool) async {
        _ = try? await idle.waitToTheEnd()
        if wasActive {
            let scopes = scopesOfTasks
            for work in blueprint.stops.reversed() {
                await InsideOf.$scopes.withValue(scopes) { await work(self) }
            }
        }
        _ = advance(from: .stopping, to: .stopped)
        program.report(self, .stopped)
        ended.finish()
    }

    private func remove(_ child: Scope) {
        // Let go outside of the lock: what it frees is the user's.
        let removed = life.withLock { $0.children.remove(child) }
        _ = removed
    }
}
