public import ShuntInterfaces

/// An action that was looked up.
///
/// Calling it looks nothing up and allocates nothing.
public struct BoundAction<Input: Sendable, Output: Sendable>: Sendable {
    @usableFromInline let endpoint: Endpoint<Input, Output>
    @usableFromInline let scope: Scope

    /// Calls the action; throws what the handler throws, and `CallError`.
    @inlinable
    public func callAsFunction(_ input: Input, values: CallValues = CallValues()) async throws -> Output {
        let call = CallContext(scope: scope, contract: endpoint.contract, caller: Caller(.code), values: values)
        return try await endpoint.call(input, call)
    }
}
