package import ShuntInterfaces

// What the doors to the outside need, which know contracts by name and inputs by the text of a URL.

extension Scope {
    /// Returns the endpoint of the scope itself.
    package func endpoint(_ name: String) -> (any AnyEndpoint)? {
        if let endpoint = blueprint.endpoints[name] { return endpoint }
        return parent == nil ? find(name)?.0 : nil
    }

    /// Passes to the hearers of an event what a door decoded.
    package func sendErased(
        _ contract: Contract,
        payload: any Sendable,
        caller: Caller,
        values: CallValues
    ) async -> [(module: String, result: Result<any Sendable, any Error>)] {
        var replies: [(module: String, result: Result<any Sendable, any Error>)] = []
        for (scope, endpoint) in hearers(of: contract.name) {
            let call = CallContext(scope: scope, contract: contract, caller: caller, values: values)
            do {
                try Task.checkCancellation()
                replies.append((scope.name, .success(try await endpoint.open(payload, call))))
            } catch {
                replies.append((scope.name, .failure(error)))
            }
        }
        return replies
    }

    /// Lets a failure pass the interceptors of the program under a name, as a call that no one answered.
    package func failCall<Output: Sendable>(
        named name: String,
        caller: Caller,
        _ values: CallValues,
        _ error: any Error
    ) async throws -> Output {
        let contract = Contract(.action, name: name, input: NoValue.self, output: Output.self)
        let nobody = Endpoint<NoValue, Output>(contract, at: .nowhere) { _, _ in throw error }
        let call = CallContext(scope: self, contract: contract, caller: caller, values: values)
        return try await nobody.around(blueprint.interceptors).run(NoValue(), call)
    }

    /// Returns when the scope is active, and what came before has been done, if that is within a time.
    package func activated(within limit: Duration, after earlier: Promise<Void>?) async throws {
        try await program.clock.limit(limit) { [self] in
            try await activated()
            try await earlier?.wait()
        }
    }
}
