import Shunt
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import Testing

/// Modules behind URLs.
enum A {
    struct Detail: Codable, Hashable, Sendable { var key: String }
    struct Page: Codable, Hashable, Sendable { var title: String }
    static let detail = ModuleAction<Detail, Page>("A.detail", at: "demo://A/detail", for: .links)
    static let secret = ModuleAction<NoValue, NoValue>("A.secret")
    static let local = ModuleAction<NoValue, NoValue>("A.local", at: "demo://A/local")
}

struct ModuleA: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(A.detail) { input, _ in A.Page(title: input.key) }
        definition.handle(A.secret) { _, _ in NoValue() }
        definition.handle(A.local) { _, _ in NoValue() }
    }
}

enum AModule {
    struct Value: Codable, Hashable, Sendable { var value: Int }
    static let server = ModuleAction<Value, Int>("AModule.server", at: "kl://AModule/server", for: [.links, .web])
    static let steps = ModuleFeed<NoValue, String>("AModule.steps", at: "kl://AModule/forClosures", for: .web)
    static let doSomething = ModuleEvent<Value, String>("doSomething", at: "kl://doSomething", for: .links)
}

/// Any module, made of a closure.
struct AnyModule: ProgramModule {
    let name: String
    let body: @Sendable (inout ModuleDefinition<NoValue>) -> Void

    init(_ name: String, _ body: @escaping @Sendable (inout ModuleDefinition<NoValue>) -> Void) {
        self.name = name
        self.body = body
    }

    func define(_ definition: inout ModuleDefinition<NoValue>) { body(&definition) }
}

/// The modules of Khala's examples.
let khala = AnyModule("AModule") { definition in
    definition.handle(AModule.server) { input, _ in input.value }
    definition.stream(AModule.steps) { _, _, writer in
        try await writer.write("success")
        try await writer.write("failure")
    }
    definition.on(AModule.doSomething) { input, _ in "did \(input.value)" }
}

/// A ride with trips: a slot with an address.
struct RideID: Codable, Hashable, Sendable { var id: Int }
struct TripModule: ProgramModule {
    static let driver = ModuleAction<NoValue, String>("Trip.driver", at: "/driver", for: .links)

    func define(_ definition: inout ModuleDefinition<RideID>) {
        let ride = definition.input
        definition.handle(Self.driver) { _, call in "driver of \(call[ride].id)" }
    }
}
struct RiderModule: ProgramModule {
    static let attach = ModuleAction<RideID, NoValue>("Rider.attach")
    static let detach = ModuleAction<NoValue, NoValue>("Rider.detach")
    let attachesOnDemand: Bool
    var exposure: Exposure = .links

    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let trip = definition.slot(
            TripModule(),
            at: "ride://trip/:id",
            for: exposure,
            attachesOnDemand: attachesOnDemand
        )
        definition.handle(Self.attach) { ride, call in
            try await call.scope.attach(trip, for: ride)
            return NoValue()
        }
        definition.handle(Self.detach) { _, call in
            for scope in call.scope.children(in: trip) { await scope.detach() }
            return NoValue()
        }
    }
}

/// Builds and runs modules with links to them.
@discardableResult
func open<Value: Sendable>(
    _ modules: [any ProgramModule<NoValue>],
    rules: String = "",
    options: Links.Options = Links.Options(),
    _ change: (inout Assembly) -> Void = { _ in },
    body: @escaping @Sendable (Links, Scope) async throws -> Value
) async throws -> Value {
    var assembly = Assembly()
    for module in modules { assembly.add(module) }
    change(&assembly)
    let engine = Engine(try RuleSet(text: rules))
    let modules = try assembly.build()
    let links = try Links(modules, rules: engine, options: options)
    return try await modules.run { try await body(links, $0) }
}

/// The result of opening a URL, in a word.
func outcome(_ links: Links, _ url: String, _ kind: Caller.Kind = .link, name: String? = nil) async -> String {
    do {
        let answer = try await links.open(url, from: Caller(kind, name: name))
        if case .decided(let decision) = answer { return "decided \(decision.kind.rawValue)" }
        return try answer.json().map { String(decoding: $0, as: UTF8.self) } ?? "a value"
    } catch LinkError.notReady {
        return "notReady"
    } catch let error where error is LinkError || error is CallError {
        return Mirror(reflecting: error).children.first?.label ?? ""
    } catch {
        return "\(type(of: error))"
    }
}
