import Synchronization

/// Work that several callers ask for at one time and that is done once for each key.
///
/// The work runs in a task of a scope. A caller that is cancelled leaves; when the last one leaves, the work is cancelled
/// and its key is free again at once.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var number: Int
        var promise: Promise<Value>
        var task: Task<Void, Never>?
        var callers: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Joins the work of a key that is under way, or begins it in a task of a scope.
    ///
    /// It throws what the work throws; `CancellationError` when the caller is cancelled; `CallError.notActive` when the
    /// scope stops.
    func share(
        _ key: Key,
        in scope: Scope,
        as name: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (entry, isNew) = state.withLock { state in
            if state.entries[key] != nil {
                state.entries[key]?.callers += 1
            } else {
                state.next += 1
                state.entries[key] = Entry(number: state.next, promise: Promise(), task: nil, callers: 1)
                return (state.entries[key], true)
            }
            return (state.entries[key], false)
        }
        guard let entry else { throw CancellationError() }
        if isNew { begin(entry, key: key, in: scope, as: name, work) }
        do {
            return try await entry.promise.wait()
        } catch {
            if Task.isCancelled { leave(entry, key) }
            throw error
        }
    }

    private func begin(
        _ entry: Entry,
        key: Key,
        in scope: Scope,
        as name: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        let number = entry.number
        let promise = entry.promise
        let task = scope.spawn(name) { [self] in
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            end(number, key)
            promise.finish(result)
        }
        guard let task else {
            end(number, key)
            promise.finish(.failure(CallError.notActive(scope: scope.name, state: scope.state)))
            return
        }
        let isWanted = state.withLock { state in
            guard state.entries[key]?.number == number else { return false }
            state.entries[key]?.task = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    private func end(_ number: Int, _ key: Key) {
        state.withLock { state in
            if state.entries[key]?.number == number { state.entries[key] = nil }
        }
    }

    private func leave(_ entry: Entry, _ key: Key) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard var found = state.entries[key], found.number == entry.number else { return nil }
            found.callers -= 1
            state.entries[key] = found.callers > 0 ? found : nil
            return found.callers > 0 ? nil : found.task
        }
        task?.cancel()
    }
}
