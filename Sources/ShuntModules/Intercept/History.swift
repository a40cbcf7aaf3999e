public import ShuntInterfaces

/// Writes down calls: name, caller, scopes, time taken, outcome.
///
/// Calls that fail, also because no one answers them, are in it.
public struct History: Interceptor {
    private let write: @Sendable (CallRecord) -> Void
    private let describe: (@Sendable (any Sendable, CallContext) -> String?)?

    /// Makes it.
    ///
    /// Only the result of `describe` is written of an input; `write` is called from any task, and must not wait.
    public init(
        describing describe: (@Sendable (any Sendable, CallContext) -> String?)? = nil,
        _ write: @escaping @Sendable (CallRecord) -> Void
    ) {
        self.write = write
        self.describe = describe
    }

    /// Hands the call on and writes it down.
    public func intercept<I, O>(_ input: I, _ call: CallContext, next: NextCall<I, O>) async throws -> O {
        let clock = call.scope.program.clock
        let start = clock.now
        let result: Result<O, any Error>
        do { result = .success(try await next(input, call)) } catch { result = .failure(error) }
        var failure: (any Error)?
        if case .failure(let error) = result { failure = error }
        write(
            CallRecord(
                name: call.name,
                caller: call.caller,
                scopes: call.scope.path,
                input: describe?(input, call),
                duration: clock.now - start,
                error: failure
            )
        )
        return try result.get()
    }
}

/// The facts that a history keeps of a call.
public struct CallRecord: Sendable {
    /// The name of the action, feed, event, workflow or step.
    public let name: String
    /// The door that the call came through, perhaps with a name.
    public let caller: Caller
    /// The names of the scopes from the root to the scope that answered.
    public let scopes: [String]
    /// The part of the input that was let through.
    public let input: String?
    /// The time from the call to its result.
    public let duration: Duration
    /// The error; nil for a success.
    public let error: (any Error)?
}
