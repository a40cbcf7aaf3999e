import ShuntInterfaces

/// A run of named steps, with one cancellation and one limit of time.
public struct Workflow: Sendable {
    let scope: Scope
    let name: String

    /// Does a step, unless the workflow was cancelled or its time is up.
    ///
    /// Interceptors see it as `workflow/step`.
    ///
    /// - Throws: What the step throws; `CancellationError`.
    public func step<Value: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await scope.runNamed("\(self.name)/\(name)", body)
    }
}

/// The input of a workflow and of its steps: they are not made again by a recovery, the calls in them are.
struct WorkflowInput: RepeatableInput {
    var canBeRepeated: Bool { false }
}

extension Scope {
    /// Runs named steps, with one limit for all of them.
    ///
    /// A workflow is a call of the scope to itself, and so is each step: interceptors are around them, and a history
    /// has their names, durations and errors.
    ///
    /// - Throws: What a step throws; `CallError.timedOut`; `CancellationError`.
    public func workflow<Value: Sendable>(
        _ name: String,
        within limit: Duration? = nil,
        _ body: @escaping @Sendable (Workflow) async throws -> Value
    ) async throws -> Value {
        let flow = Workflow(scope: self, name: name)
        return try await runNamed(name) { [program] in
            guard let limit else { return try await body(flow) }
            return try await program.clock.limit(limit) { try await body(flow) }
        }
    }

    fileprivate func runNamed<Value: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard isActive else { throw CallError.notActive(scope: self.name, state: state) }
        let contract = Contract(.workflow, name: name, input: WorkflowInput.self, output: Value.self)
        let endpoint = Endpoint<WorkflowInput, Value>(contract, at: .nowhere) { _, _ in try await body() }
        let call = CallContext(scope: self, contract: contract, caller: Caller(.code), values: CallValues())
        return try await endpoint.around(blueprint.interceptors).run(WorkflowInput(), call)
    }
}
