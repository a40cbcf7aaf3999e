import ShuntCore
public import ShuntInterfaces

extension Scope {
    /// Calls an action.
    ///
    /// The answer comes from this scope's module, else from the nearest one above it, at the root from whichever
    /// module of the program answers.
    ///
    /// - Complexity: A look-up of the name for each scope up to the scope that answers, however many actions there are,
    ///   then the interceptors and the handler.
    /// - Throws: What the handler throws, unwrapped; `CallError.notOffered`, `differentTypes`, `notActive` and `detached`;
    ///   `CancellationError` when the task was cancelled before.
    @inlinable
    public func call<Input, Output>(
        _ action: ModuleAction<Input, Output>,
        _ input: Input,
        values: CallValues = CallValues()
    ) async throws -> Output {
        try await call(action.contract, input: input, caller: Caller(.code), values: values)
    }

    /// Calls an action without input; throws what the handler throws, and `CallError`.
    @inlinable
    public func call<Output>(
        _ action: ModuleAction<NoValue, Output>,
        values: CallValues = CallValues()
    ) async throws -> Output {
        try await call(action.contract, input: NoValue(), caller: Caller(.code), values: values)
    }

    @inlinable
    func call<Input: Sendable, Output: Sendable>(
        _ contract: Contract,
        input: Input,
        caller: Caller,
        values: CallValues
    ) async throws -> Output {
        guard let (endpoint, scope) = find(contract), let typed = endpoint as? Endpoint<Input, Output> else {
            return try await callNobody(contract, input: input, caller: caller, values: values)
        }
        let call = CallContext(scope: scope, contract: contract, caller: caller, values: values)
        return try await typed.call(input, call)
    }

    /// Makes a call that no one answers.
    ///
    /// It passes the interceptors of the program all the same: a history must not miss what failed.
    @usableFromInline
    func callNobody<Input: Sendable, Output: Sendable>(
        _ contract: Contract,
        input: Input,
        caller: Caller,
        values: CallValues
    ) async throws -> Output {
        let error = missing(contract)
        let nobody = Endpoint<Input, Output>(contract, at: .nowhere) { _, _ in throw error }
        let call = CallContext(scope: root, contract: contract, caller: caller, values: values)
        return try await nobody.around(root.blueprint.interceptors).call(input, call)
    }

    /// Looks an action up once, for many calls; throws `CallError.notOffered` with known names, or `differentTypes`.
    public func bind<Input, Output>(_ action: ModuleAction<Input, Output>) throws(CallError) -> BoundAction<
        Input, Output
    > {
        guard let (endpoint, scope) = find(action.contract), let typed = endpoint as? Endpoint<Input, Output> else {
            throw missing(action.contract)
        }
        return BoundAction(endpoint: typed, scope: scope)
    }

    /// A service of this scope or of one above it.
    ///
    /// - Throws: What making it throws; `CallError.notOffered`, `differentTypes` and `circularService`.
    public func service<Value>(_ key: ServiceKey<Value>) async throws -> Value {
        if let value = key.defaultValue, findService(key.name) == nil { return value }
        let (cell, provider) = try serviceCell(key)
        return try await cell.value(of: provider)
    }

    /// The values that all modules of the program provide for a list, in the order of their start.
    ///
    /// - Throws: What making one throws; `CallError.notActive` where one of the modules has not started, `differentTypes` and
    ///   `circularService`.
    public func services<Value>(_ key: ServiceListKey<Value>) async throws -> [Value] {
        var values: [Value] = []
        for (module, index) in program.table.lists[key.name] ?? [] {
            guard let provider = program.scope(of: module) else { continue }
            values.append(try await cell(index, of: provider, as: Value.self).value(of: provider))
        }
        return values
    }

    /// Returns true if a call needs a task of this scope, which answers it.
    ///
    /// - Throws: `CallError.notActive`; `CancellationError` when the task was cancelled before.
    @usableFromInline
    func beginCall() throws -> Bool {
        guard isActive else { throw CallError.notActive(scope: name, state: state) }
        if Task.isCancelled { throw CancellationError() }
        return endsCalls
    }

    // MARK: Who answers

    /// Returns the endpoint of a contract here, and its scope; nil also if the name belongs to something else.
    @usableFromInline
    func find(_ contract: Contract) -> (endpoint: any AnyObject & Sendable, scope: Scope)? {
        var scope = self
        while let parent = scope.parent {
            if let found = scope.blueprint.endpointIndex.find(contract) {
                return found.contract.kind == contract.kind ? (found.endpoint, scope) : nil
            }
            scope = parent
        }
        guard let found = program.table.endpointIndex.find(contract),
            found.contract === contract || found.contract.kind == contract.kind
        else { return nil }
        return (found.endpoint, program.scope(of: found.number) ?? scope)
    }

    /// Returns the endpoint of a name here, and its scope.
    package func find(_ name: String) -> (any AnyEndpoint, Scope)? {
        var scope = self
        while let parent = scope.parent {
            if let endpoint = scope.blueprint.endpoints[name] { return (endpoint, scope) }
            scope = parent
        }
        guard let (endpoint, module) = program.table.endpoints[name] else { return nil }
        return (endpoint, program.scope(of: module) ?? scope)
    }

    /// Everything that is answered here, sorted.
    package var known: [String] {
        var names = Set(program.table.endpoints.keys)
        var scope = self
        while let parent = scope.parent {
            names.formUnion(scope.blueprint.endpoints.keys)
            scope = parent
        }
        return names.sorted()
    }

    func missing(_ contract: Contract) -> CallError {
        if let (endpoint, _) = find(contract.name) {
            return .differentTypes(name: contract.name, asked: contract.signature, offered: endpoint.contract.signature)
        }
        let known = known
        let meant = Suggestion.closest(to: contract.name, among: known)
        return .notOffered(name: contract.name, known: known, suggestion: meant)
    }

    /// The scope that has a service, and the place of it there.
    func findService(_ name: String) -> (Scope, Int)? {
        var scope = self
        while let parent = scope.parent {
            if let index = scope.blueprint.serviceIndexes[name] { return (scope, index) }
            scope = parent
        }
        guard let (module, index) = program.table.services[name] else { return nil }
        return (program.scope(of: module) ?? scope, index)
    }

    func serviceCell<Value>(_ key: ServiceKey<Value>) throws(CallError) -> (ServiceCell<Value>, Scope) {
        guard let (scope, index) = findService(key.name) else {
            let known = program.table.services.keys.sorted()
            let suggestion = Suggestion.closest(to: key.name, among: known)
            throw .notOffered(name: key.name, known: known, suggestion: suggestion)
        }
        return (try cell(index, of: scope, as: Value.self), scope)
    }

    private func cell<Value>(_ index: Int, of scope: Scope, as _: Value.Type) throws(CallError) -> ServiceCell<Value> {
        guard scope.state != .stopped else { throw .notActive(scope: scope.name, state: .stopped) }
        // Its service would read members that are not there yet; a scope may use its own while it starts.
        guard scope.hasMembers || scope.isAroundThisTask else {
            throw .notActive(scope: scope.name, state: .starting)
        }
        guard let cell = scope.services[index] as? ServiceCell<Value> else {
            let offered = "\(scope.blueprint.services[index].valueType)"
            let name = scope.blueprint.services[index].shownName
            throw .differentTypes(name: name, asked: "\(Value.self)", offered: offered)
        }
        return cell
    }
}

extension Contract {
    /// The kind and the types, for messages.
    var signature: String { "\(kind.rawValue) (\(input)) -> \(output)" }
}

extension SourceLocation {
    /// The place of what no line of a program made.
    static var nowhere: SourceLocation { SourceLocation(file: "", line: 0, column: 0) }
}
