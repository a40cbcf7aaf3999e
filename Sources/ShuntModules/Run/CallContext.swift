public import ShuntInterfaces

/// The context of a call, for handlers and interceptors.
public struct CallContext: Sendable {
    /// The scope of the module that answers.
    public let scope: Scope
    @usableFromInline let contract: Contract
    /// The door that the call came through, perhaps with a name.
    public let caller: Caller
    /// The values that travel with the call.
    public var values: CallValues

    @inlinable
    package init(scope: Scope, contract: Contract, caller: Caller, values: CallValues) {
        self.scope = scope
        self.contract = contract
        self.caller = caller
        self.values = values
    }

    /// The name of the action, feed or event.
    public var name: String { contract.name }

    /// True if the name is that of something that is answered here, and not a URL that leads to nothing.
    package var isOffered: Bool { contract.kind == .workflow || scope.find(contract.name) != nil }

    /// A value of the scope that answers.
    @inlinable
    public subscript<Value>(_ member: ScopeMember<Value>) -> Value { scope[member] }

    /// Calls an action on behalf of this call, with its caller and values; throws what the handler throws, and `CallError`.
    @inlinable
    public func call<Input, Output>(_ action: ModuleAction<Input, Output>, _ input: Input) async throws -> Output {
        try await scope.call(action.contract, input: input, caller: caller, values: values)
    }
}
