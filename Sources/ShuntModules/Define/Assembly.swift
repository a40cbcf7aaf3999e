import ShuntCore
public import ShuntInterfaces

/// Collects the modules of a program, and the wiring between them that none of them knows.
///
/// A value: it grows, and what `build` makes of it does not change.
public struct Assembly: Sendable {
    /// The options of a run of modules.
    public struct Options: Sendable {
        /// The longest time that a scope may take to start.
        public var startTime: Duration = .seconds(30)
        /// The longest time that a scope may take to stop before the next one begins to stop.
        public var stopTime: Duration = .seconds(10)
        /// The time; tests pass one that they turn themselves.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Called with what happens to scopes, one after another; called from any task, and must not wait.
        public var observers: [@Sendable (ModuleNotice) -> Void] = []

        /// Makes the usual options.
        public init() {}
    }

    /// Something that was put in, in the order in which it was.
    enum Part: Sendable {
        case module(place: SourceLocation, name: String, define: @Sendable () -> ModuleDraft)
        /// A service or a handler of the program itself, with what it needs.
        case own(
            name: String,
            place: SourceLocation,
            needs: [ModuleDraft.Need],
            change: @Sendable (inout ModuleDraft) -> Void
        )
    }

    var parts: [Part] = []
    var interceptors: [any Interceptor] = []
    var actionInterceptors: [any AnyActionInterceptor] = []
    var replacements: [String: any AnyEndpoint] = [:]
    var replacedServices: [String: ServicePlan] = [:]
    /// The decorations of services, the innermost first.
    var decorations: [(service: String, body: @Sendable (any AnyServiceCell) -> any AnyServiceCell)] = []
    package var options: Options

    /// Makes an empty assembly.
    public init(options: Options = Options()) { self.options = options }

    /// Adds a module below the root; errors name the place of this call.
    public mutating func add(_ module: some ProgramModule<NoValue>, file: String = #fileID, line: Int = #line) {
        let place = SourceLocation(file: file, line: line, column: 1)
        parts.append(.module(place: place, name: module.name) { ModuleDraft(module, place: place, depth: 0) })
    }

    /// A value that the program itself provides: its settings, a client, a clock.
    public mutating func provide<Value>(
        _ key: ServiceKey<Value>,
        _ value: Value,
        file: String = #fileID,
        line: Int = #line
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        let plan = ServicePlan(key, at: place) { .read { _ in value } }
        parts.append(.own(name: key.name, place: place, needs: []) { $0.services.append(plan) })
    }

    /// Supplies a module that requires one interface with a service of another, made once for a program.
    public mutating func adapt<Wanted, Had>(
        _ required: ServiceKey<Wanted>,
        from provided: ServiceKey<Had>,
        file: String = #fileID,
        line: Int = #line,
        _ make: @escaping @Sendable (Had) -> Wanted
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        let plan = ServicePlan(required, at: place) { .once { make(try await $0.service(provided)) } }
        parts.append(.own(name: required.name, place: place, needs: [.service(provided)]) { $0.services.append(plan) })
    }

    /// Answers one action by another, with their inputs and outputs made of each other's.
    public mutating func adapt<I, O, ProvidedInput, ProvidedOutput>(
        _ required: ModuleAction<I, O>,
        from provided: ModuleAction<ProvidedInput, ProvidedOutput>,
        file: String = #fileID,
        line: Int = #line,
        input: @escaping @Sendable (I) throws -> ProvidedInput,
        output: @escaping @Sendable (ProvidedOutput) throws -> O
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        let endpoint = Endpoint<I, O>(required.contract, at: place) { value, call in
            try output(try await call.call(provided, try input(value)))
        }
        parts.append(
            .own(name: required.name, place: place, needs: [.action(provided)]) { $0.endpoints.append(endpoint) }
        )
    }

    /// Answers in the place of a module, as tests and previews do.
    ///
    /// Interceptors stay where they are.
    public mutating func replace<I, O>(
        _ action: ModuleAction<I, O>,
        _ body: @escaping @Sendable (I, CallContext) async throws -> O
    ) {
        replacements[action.name] = Endpoint<I, O>(action.contract, at: .nowhere, body)
    }

    /// Supplies a value in the place of a service.
    public mutating func replace<Value>(_ key: ServiceKey<Value>, _ value: Value) {
        replacedServices[key.name] = ServicePlan(key, at: .nowhere) { .read { _ in value } }
    }

    /// Answers a feed in the place of a module, as tests and previews do.
    public mutating func replace<I, Element>(
        _ feed: ModuleFeed<I, Element>,
        _ body: @escaping @Sendable (I, CallContext, FeedWriter<Element>) async throws -> Void
    ) {
        replacements[feed.name] = feed.endpoint(at: .nowhere, body)
    }

    /// Puts something around a service, whichever module provides it: a cache, a log, a check.
    ///
    /// The last decoration is the outermost. A replacement and the default of a key are used unchanged.
    public mutating func decorate<Value>(_ key: ServiceKey<Value>, _ body: @escaping @Sendable (Value) -> Value) {
        decorations.append((key.name, { ($0 as? ServiceCell<Value>)?.decorated(body) ?? $0 }))
    }

    /// Something around all calls.
    public mutating func intercept(_ interceptor: some Interceptor) { interceptors.append(interceptor) }

    /// Something around the calls of one action, from any provider.
    ///
    /// It is inside of what is around all calls and modules, and outside of what the module that answers put around the
    /// action.
    public mutating func intercept<I, O>(
        _ action: ModuleAction<I, O>,
        _ body: @escaping @Sendable (I, CallContext, NextCall<I, O>) async throws -> O
    ) {
        actionInterceptors.append(ActionInterceptor(contract: action.contract, body: body))
    }

    /// Checks everything and freezes it; nothing is run.
    ///
    /// - Throws: Everything that is wrong, in the order in which it was put in.
    public func build() throws(AssemblyError) -> Modules { try AssemblyCheck(self).build() }
}
