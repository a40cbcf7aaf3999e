package import ShuntCore
public import ShuntInterfaces

/// Collects what a module is.
///
/// What it needs is checked before anything runs; its members are made in the order of their definition when a scope
/// starts.
public struct ModuleDefinition<Input: Sendable>: Sendable {
    package private(set) var draft: ModuleDraft
    /// The value that a scope was attached or started with.
    public let input: ScopeMember<Input>

    init(draft: ModuleDraft) {
        var draft = draft
        input = draft.addMember(Input.self) { scope in
            guard let input = scope.input as? Input else {
                let asked = "\(type(of: scope.input))"
                throw CallError.differentTypes(name: scope.name, asked: asked, offered: "\(Input.self)")
            }
            return .value(input)
        }
        self.draft = draft
    }

    /// Basic modules start before normal ones and may not need them.
    public var level: ModuleLevel {
        get { draft.level }
        set { draft.level = newValue }
    }

    /// Among modules of a level that do not need each other, the higher goes first.
    public var priority: Int {
        get { draft.priority }
        set { draft.priority = newValue }
    }

    // MARK: What it needs

    /// Needs a service: it is asked for when a scope starts, so reading it fails never and waits never.
    ///
    /// A key with a default is satisfied without a provider.
    public mutating func require<Value>(_ key: ServiceKey<Value>) -> ScopeMember<Value> {
        draft.needs.append(.service(key, isOptional: key.defaultValue != nil))
        return draft.addMember(Value.self) { scope in
            if let value = key.defaultValue, scope.findService(key.name) == nil { return .value(value) }
            let (cell, provider) = try scope.serviceCell(key)
            return try await cell.source(for: provider)
        }
    }

    /// Uses a service where there is one.
    public mutating func requireIfProvided<Value>(_ key: ServiceKey<Value>) -> ScopeMember<Value?> {
        draft.needs.append(.service(key, isOptional: true))
        return draft.addMember(Value?.self) { scope in
            guard scope.findService(key.name) != nil else { return .value(nil) }
            let (cell, provider) = try scope.serviceCell(key)
            switch try await cell.source(for: provider) {
            case .value(let value): return .value(value)
            case .read(let make): return .read { make() }
            }
        }
    }

    /// Needs a service that is made when it is first read, not at the start.
    ///
    /// `build()` checks that it is provided. The module that provides it may start later.
    public mutating func requireLazily<Value>(_ key: ServiceKey<Value>) -> ScopeMember<LazyService<Value>> {
        draft.needs.append(.service(key, isOptional: key.defaultValue != nil, isLate: true))
        return draft.addMember(LazyService<Value>.self) { scope in
            .value(
                LazyService { [weak scope] in
                    guard let scope else { throw CallError.detached(scope: key.name) }
                    return try await scope.service(key)
                }
            )
        }
    }

    /// Needs what all modules provide for a list, in the order of their start; none is an empty list.
    public mutating func require<Value>(_ key: ServiceListKey<Value>) -> ScopeMember<[Value]> {
        draft.needs.append(ModuleDraft.Need(kind: .list, name: key.name, valueType: Value.self, isOptional: true))
        return draft.addMember([Value].self) { .value(try await $0.services(key)) }
    }

    /// Uses an action where a module answers it, looked up once.
    public mutating func requireIfProvided<I, O>(_ action: ModuleAction<I, O>) -> ScopeMember<BoundAction<I, O>?> {
        draft.needs.append(.action(action, isOptional: true))
        return draft.addMember(BoundAction<I, O>?.self) { scope in
            .value(try scope.find(action.name) == nil ? nil : scope.bind(action))
        }
    }

    /// Needs an action that another module answers, looked up once.
    public mutating func require<I, O>(_ action: ModuleAction<I, O>) -> ScopeMember<BoundAction<I, O>> {
        draft.needs.append(.action(action))
        return draft.addMember(BoundAction<I, O>.self) { .value(try $0.bind(action)) }
    }

    // MARK: What it has and provides

    /// A value of the module's own: its state.
    ///
    /// One for each scope, made while it starts.
    ///
    /// It lives as long as its scope, and must not hold the scope itself, or neither is ever freed.
    public mutating func own<Value: Sendable>(
        _ make: @escaping @Sendable (borrowing ScopeMembers) async throws -> Value
    ) -> ScopeMember<Value> {
        draft.addMember(Value.self) { .value(try await make(ScopeMembers(scope: $0))) }
    }

    /// A service of which each scope has one, made at its first use.
    ///
    /// Those who ask at one time get the same; when making it fails they get the error, and the next one tries again.
    public mutating func provide<Value>(
        _ key: ServiceKey<Value>,
        file: String = #fileID,
        line: Int = #line,
        _ make: @escaping @Sendable (borrowing ScopeMembers) async throws -> Value
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        draft.services.append(ServicePlan(key, at: place) { .once { try await make(ScopeMembers(scope: $0)) } })
    }

    /// One of the values of a list, made at the list's first use.
    ///
    /// Only modules of the program provide them, those in slots do not.
    public mutating func provide<Value>(
        _ key: ServiceListKey<Value>,
        file: String = #fileID,
        line: Int = #line,
        _ make: @escaping @Sendable (borrowing ScopeMembers) async throws -> Value
    ) {
        let name = ServiceKey<Value>("\(key.name) of \(draft.name) \(draft.services.count)")
        provide(name, file: file, line: line, make)
        draft.services[draft.services.count - 1].list = key.name
    }

    /// A service that is made again whenever it is read.
    public mutating func provideEachTime<Value>(
        _ key: ServiceKey<Value>,
        file: String = #fileID,
        line: Int = #line,
        _ make: @escaping @Sendable (borrowing ScopeMembers) -> Value
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        draft.services.append(ServicePlan(key, at: place) { .read { make(ScopeMembers(scope: $0)) } })
    }

    /// A service of which there is one as long as someone holds it.
    ///
    /// It may be made more than once at one time, and then one result is used; `cast` is mostly `{ $0 }`.
    public mutating func provideWhileUsed<Value, Object: AnyObject & Sendable>(
        _ key: ServiceKey<Value>,
        file: String = #fileID,
        line: Int = #line,
        _ make: @escaping @Sendable (borrowing ScopeMembers) -> Object,
        as cast: @escaping @Sendable (Object) -> Value
    ) {
        draft.services.append(
            ServicePlan(key, at: SourceLocation(file: file, line: line, column: 1)) {
                let object = UsedObject<Object>()
                return .read { scope in cast(object.current { make(ScopeMembers(scope: scope)) }) }
            }
        )
    }
}

extension ModuleDefinition {
    /// Changes the draft; the other parts of the definition use it.
    mutating func change(_ body: (inout ModuleDraft) -> Void) { body(&draft) }

    /// Keeps the assembly from being built, with a reason.
    package mutating func report(_ problem: Diagnostic) { change { $0.problems.append(problem) } }
}
