public import ShuntInterfaces

/// The reply of one module to an event.
public struct EventReply<Reply: Sendable>: Sendable {
    /// The name of the module that replied.
    public let module: String
    /// Its reply, or what its handler threw.
    public let result: Result<Reply, any Error>
}

extension Scope {
    /// Notifies every module of this scope and below it, one after another in the order of their start, and waits for
    /// their replies.
    ///
    /// The scopes that exist when it begins are notified. One that is detached meanwhile replies `CallError.detached`;
    /// when the sender is cancelled, listeners that were not notified yet reply `CancellationError`.
    ///
    /// - Complexity: Linear in the scopes from here down.
    /// - Returns: A reply of each module that hears the event; none when no one does.
    public func send<Payload, Reply>(_ event: ModuleEvent<Payload, Reply>, _ payload: Payload) async -> [EventReply<
        Reply
    >] {
        await send(event.contract, payload: payload, caller: Caller(.code), values: CallValues())
    }

    func send<Payload: Sendable, Reply: Sendable>(
        _ contract: Contract,
        payload: Payload,
        caller: Caller,
        values: CallValues
    ) async -> [EventReply<Reply>] {
        var replies: [EventReply<Reply>] = []
        for (scope, endpoint) in hearers(of: contract.name) {
            let result: Result<Reply, any Error>
            do {
                try Task.checkCancellation()
                guard let typed = endpoint as? Endpoint<Payload, Reply> else {
                    throw CallError.differentTypes(
                        name: contract.name,
                        asked: contract.signature,
                        offered: endpoint.contract.signature
                    )
                }
                let call = CallContext(scope: scope, contract: contract, caller: caller, values: values)
                guard scope.isActive else { throw CallError.detached(scope: scope.name) }
                result = .success(try await typed.call(payload, call))
            } catch {
                result = .failure(error)
            }
            replies.append(EventReply(module: scope.name, result: result))
        }
        return replies
    }

    /// The scopes from here on downwards that hear an event, in the order of their start.
    package func hearers(of name: String) -> [(Scope, any AnyEndpoint)] {
        var hearers: [(Scope, any AnyEndpoint)] = []
        if isActive, let endpoint = blueprint.endpoints[name], endpoint.contract.kind == .event {
            hearers.append((self, endpoint))
        }
        for child in children { hearers += child.hearers(of: name) }
        return hearers
    }
}
