import ShuntInterfaces
import Synchronization

/// The endpoints at the root of a program by name: frozen.
package struct ProgramTable: Sendable {
    /// The module that answers, by its place in the order of the start; -1 is the root itself.
    package let endpoints: [String: (any AnyEndpoint, module: Int)]
    /// The same, by contract.
    let endpointIndex: EndpointIndex
    let services: [String: (module: Int, index: Int)]
    /// The values of lists, in the order of the start of their modules.
    let lists: [String: [(module: Int, index: Int)]]

    /// Makes the table of the root's blueprint and those of the modules in the order of their start.
    init(root: Blueprint, modules: [Blueprint]) {
        var endpoints: [String: (any AnyEndpoint, module: Int)] = [:]
        var services: [String: (module: Int, index: Int)] = [:]
        var lists: [String: [(module: Int, index: Int)]] = [:]
        for (number, blueprint) in ([root] + modules).enumerated() {
            for (name, endpoint) in blueprint.endpoints where endpoint.contract.kind != .event {
                endpoints[name] = (endpoint, number - 1)
            }
            for (name, index) in blueprint.serviceIndexes { services[name] = (number - 1, index) }
            for (index, service) in blueprint.services.enumerated() {
                if let list = service.list { lists[list, default: []].append((number - 1, index)) }
            }
        }
        self.endpoints = endpoints
        endpointIndex = EndpointIndex(endpoints.values.map { ($0.0, $0.module) })
        self.services = services
        self.lists = lists
    }
}

package final class ModuleProgram: Sendable {
    package let table: ProgramTable
    package let clock: ModuleClock
    let options: Assembly.Options
    let making = ServiceMaking()
    private let blueprints: [Blueprint]
    private let rootBlueprint: Blueprint
    /// The modules in the order of their start.
    ///
    /// They hold the program, so they are let go when it ends.
    private let modules = Mutex<[Scope]>([])
    private let state = Mutex(State())

    private struct State {
        var failure: ModuleError?
        var hasLeft = false
        /// Cancels the start and the body.
        var leave: (@Sendable () -> Void)?
        var lingering: [Scope] = []
        var startTimes: [(module: String, duration: Duration)] = []
    }

    init(table: ProgramTable, root: Blueprint, modules: [Blueprint], options: Assembly.Options) {
        self.table = table
        rootBlueprint = root
        blueprints = modules
        self.options = options
        clock = ModuleClock(options.clock)
    }

    /// The scope of a module of the program; nil for the root, and when the program has ended.
    package func scope(of module: Int) -> Scope? {
        module < 0 ? nil : modules.withLock { module < $0.count ? $0[module] : nil }
    }

    /// The time each module took to start so far.
    var startTimes: [(module: String, duration: Duration)] { state.withLock { $0.startTimes } }

    // MARK: The run

    /// Makes the scopes; nothing of them runs yet.
    func makeScopes() -> Scope {
        let root = Scope(rootBlueprint, input: NoValue(), parent: nil, program: self)
        let scopes = blueprints.map { Scope($0, input: NoValue(), parent: root, program: self) }
        modules.withLock { $0 = scopes }
        return root
    }

    /// Lets the scopes go, which hold the program, or neither would ever be freed.
    func letScopesGo() {
        let scopes = modules.withLock { modules in
            defer { modules = [] }
            return modules
        }
        _ = scopes
    }

    /// Starts the modules, runs `body`, and stops them in the opposite order.
    func run<Value: Sendable>(
        _ root: Scope,
        _ body: @escaping @Sendable (Scope) async throws -> Value
    ) async throws -> Value {
        let inside = [ObjectIdentifier(root)]
        let main = Task {
            try await InsideOf.$scopes.withValue(InsideOf.scopes + inside) {
                try await start(root)
                return try await body(root)
            }
        }
        let hasLeft = state.withLock { state in
            state.leave = { main.cancel() }
            return state.hasLeft
        }
        if hasLeft { main.cancel() }
        let result = await withTaskCancellationHandler {
            await main.result
        } onCancel: {
            main.cancel()
        }
        await root.stop()
        for scope in state.withLock({ $0.lingering }) { _ = try? await scope.ended.waitToTheEnd() }
        letScopesGo()
        let failure = state.withLock { state in
            state.leave = nil
            state.lingering = []
            return state.failure
        }
        if let failure { throw failure }
        return try result.get()
    }

    private func start(_ root: Scope) async throws {
        let scopes = modules.withLock { $0 }
        // The root has no members or tasks, but services and adapters, which modules ask for while they start.
        for scope in scopes {
            try Task.checkCancellation()
            root.adopt(scope)
            do {
                scope.beginStart()
                try await scope.waitForStart()
            } catch {
                try Task.checkCancellation()
                throw ModuleError(module: scope.name, part: .start, error: error)
            }
        }
        guard root.advance(from: .starting, to: .active) else { throw CancellationError() }
        root.started.finish()
    }

    /// Ends the body, and so the program.
    func leave() {
        let leave = state.withLock { state in
            state.hasLeft = true
            return state.leave
        }
        leave?()
    }

    /// A task of a module threw: the first such error ends the program.
    func fail(_ failure: ModuleError) {
        state.withLock { state in
            if state.failure == nil { state.failure = failure }
        }
        leave()
    }

    /// A scope did not stop in time; the program waits for it at its end.
    func linger(_ scope: Scope) { state.withLock { $0.lingering.append(scope) } }

    func report(_ scope: Scope, _ kind: ModuleNotice.Kind) {
        if case .started(let duration) = kind, !scope.endsCalls {
            state.withLock { $0.startTimes.append((scope.name, duration)) }
        }
        for observer in options.observers { observer(ModuleNotice(scope: scope.name, kind: kind)) }
    }
}

extension Scope {
    /// Takes a module of the program in as a child.
    func adopt(_ scope: Scope) { life.withLock { $0.children.append(scope, ChildList.Chain(slot: -1)) } }
}
