import Synchronization

/// The scopes that a task belongs to, so that a scope that is stopped from inside does not wait for itself.
enum InsideOf {
    @TaskLocal static var scopes: [ObjectIdentifier] = []
}

extension Scope {
    /// True if the task that asks belongs to this scope or to one below it.
    var isAroundThisTask: Bool { InsideOf.scopes.contains(ObjectIdentifier(self)) }

    /// The scopes that tasks of this scope belong to: this one, those above it, and those of the task that asks.
    var scopesOfTasks: [ObjectIdentifier] {
        var scopes = InsideOf.scopes
        var scope: Scope? = self
        while let current = scope {
            let id = ObjectIdentifier(current)
            if !scopes.contains(id) { scopes.append(id) }
            scope = current.parent
        }
        return scopes
    }

    /// Begins a task of the scope, cancelled when the scope stops and waited for; nil when it stops already.
    ///
    /// When the scope stops, `onDetach` is called before anything is waited for; `name` is for one that takes too long.
    @discardableResult
    package func spawn(
        _ name: String,
        onDetach: (@Sendable () -> Void)? = nil,
        _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never>? {
        let scopes = scopesOfTasks
        return life.withLock { life in
            guard life.state == .starting || life.state == .active else { return nil }
            life.nextTask += 1
            let id = life.nextTask
            let task = Task {
                await InsideOf.$scopes.withValue(scopes) { await body() }
                end(id)
            }
            life.tasks[id] = RunningTask(name: name, task: task, onDetach: onDetach)
            return task
        }
    }

    private func end(_ id: Int) {
        let (task, isIdle) = life.withLock { life in
            let task = life.tasks.removeValue(forKey: id)
            return (task, life.tasks.isEmpty && life.state == .stopping)
        }
        _ = task
        if isIdle { idle.finish() }
    }

    /// Does work in a task of the scope.
    ///
    /// Cancelling the caller cancels it; when the scope is detached the caller is notified at once, also where the work
    /// does not notice that it was cancelled.
    package func perform<Value: Sendable>(
        _ name: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let reply = Promise<Value>()
        let scopeName = self.name
        let task = spawn(name) {
            reply.finish(.failure(CallError.detached(scope: scopeName)))
        } _: {
            do { reply.finish(.success(try await work())) } catch { reply.finish(.failure(error)) }
        }
        guard let task else { throw CallError.notActive(scope: scopeName, state: state) }
        return try await withTaskCancellationHandler {
            try await reply.waitToTheEnd()
        } onCancel: {
            task.cancel()
        }
    }
}
