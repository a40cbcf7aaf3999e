/// Ends calls that take too long: the handler is cancelled, and the caller gets `CallError.timedOut` when it has ended.
public struct Timeout: Interceptor {
    private let limit: Duration

    /// Makes it with the time that a call may take.
    public init(_ limit: Duration) { self.limit = limit }

    /// Hands the call on for as long as it may take.
    public func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        try await call.scope.program.clock.limit(limit) { try await next(input, call) }
    }
}
