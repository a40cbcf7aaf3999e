/// Something around calls: it may act before and after, answer itself, fail, or ask again.
///
/// Actions, feeds (for as long as they run), replies to events, workflows and their steps all pass through the
/// interceptors around them.
public protocol Interceptor: Sendable {
    /// Does what it does around a call, which may be handed on changed; what it returns or throws the caller gets.
    func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O
}

/// The rest of a chain: the interceptors further in, and the handler.
///
/// May be called any number of times.
public struct NextCall<Input: Sendable, Output: Sendable>: Sendable {
    @usableFromInline let endpoint: Endpoint<Input, Output>
    @usableFromInline let index: Int

    @inlinable
    init(endpoint: Endpoint<Input, Output>, index: Int) {
        self.endpoint = endpoint
        self.index = index
    }

    /// Hands the call on; throws what the interceptors further in and the handler throw.
    @inlinable
    public func callAsFunction(_ input: Input, _ call: CallContext) async throws -> Output {
        try await endpoint.run(input, call, from: index)
    }

    /// The scope of the module that has the interceptor this was handed to.
    func host(of call: CallContext) -> Scope {
        var scope = call.scope
        for _ in 0..<endpoint.levelsUp(index - 1) { scope = scope.parent ?? scope }
        return scope
    }
}
