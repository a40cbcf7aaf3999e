public import ShuntInterfaces

/// Lets calls of one action that are under way at one time share one answer where their keys are equal.
///
/// Safe to use from any task. Copies share what is under way. Nothing is kept of an answer after those who waited have it.
public struct Coalescing<SharedInput: Sendable, SharedOutput: Sendable, Key: Hashable & Sendable>: Interceptor {
    private let action: ModuleAction<SharedInput, SharedOutput>
    private let key: @Sendable (SharedInput, CallContext) -> Key?
    private let work = SharedWork<Key, SharedOutput>()

    /// Makes it; the key has to distinguish callers whose answers differ, and is nil where calls are not shared.
    public init(
        _ action: ModuleAction<SharedInput, SharedOutput>,
        by key: @escaping @Sendable (SharedInput, CallContext) -> Key?
    ) {
        self.action = action
        self.key = key
    }

    /// Joins a call with the same key, or begins one in a task of the scope that answers.
    ///
    /// It is cancelled when all who wait for it are.
    ///
    /// - Throws: What the shared call throws; `CancellationError` for one who waits and is cancelled.
    public func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        guard call.name == action.name, let shared = input as? SharedInput,
            let rest = next as? NextCall<SharedInput, SharedOutput>, let key = key(shared, call)
        else { return try await next(input, call) }
        let output = try await work.share(key, in: call.scope, as: call.name) { try await rest(shared, call) }
        guard let output = output as? O else { return try await next(input, call) }
        return output
    }
}
