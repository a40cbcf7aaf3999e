#if Fleet
/// A limit of time for work that is cancelled when it is reached.
enum Patience {
    static func wait<Value: Sendable>(
        _ patience: Duration,
        orThrow late: any Error,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: patience)
                throw late
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
#endif
