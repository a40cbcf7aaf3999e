import ShuntModules
import Synchronization
import Testing

/// The interface of the module Trade.
protocol TradeService: Sendable { func itemCount() async -> Int }
enum Trade { static let service = ServiceKey<any TradeService>("Trade.service") }

/// The events of the program.
enum AppEvents { static let memoryWarning = ModuleEvent<NoValue, Int>("app.memoryWarning") }

actor TradeStore: TradeService {
    private var items: [String] = []

    func itemCount() -> Int { items.count }

    func load() { items = ["tea", "cup", "pot"] }

    func trim() -> Int {
        defer { items = [] }
        return items.count
    }
}

struct TradeModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.level = .basic
        definition.priority = 10
        let store = definition.own { _ in TradeStore() }
        definition.provide(Trade.service) { $0[store] }
        definition.onStart { scope in await scope[store].load() }
        definition.onStop { scope in _ = await scope[store].trim() }
        definition.on(AppEvents.memoryWarning) { _, call in await call[store].trim() }
    }
}

enum Shop { static let count = ModuleAction<NoValue, Int>("Shop.count") }

struct ShopModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let trade = definition.require(Trade.service)
        definition.handle(Shop.count) { _, call in await call[trade].itemCount() }
    }
}

/// Sources/ShuntModules/ShuntModules.docc/FromBeeHive.md.
@Suite struct BeeHiveTests {
    @Test("Services by protocol, start before those who need it, events to all")
    func program() async throws {
        var assembly = Assembly()
        // The order of these lines does not matter: Shop needs Trade, which is basic.
        assembly.add(ShopModule())
        assembly.add(TradeModule())
        let modules = try assembly.build()
        try await modules.run { (app) async throws in
            #expect(try await app.call(Shop.count) == 3)
            let freed = await app.send(AppEvents.memoryWarning, NoValue())
            #expect(try freed.map { try $0.result.get() } == [3])
            #expect(try await app.call(Shop.count) == 0)
        }
        #expect(modules.startTimes.map(\.module) == ["TradeModule", "ShopModule"])
    }

    @Test("A service that no module provides ends the program before anything runs")
    func missing() throws {
        var assembly = Assembly()
        assembly.add(ShopModule(), file: "Shop/Program.swift", line: 4)
        let error = #expect(throws: AssemblyError.self) { try assembly.build() }
        let text = try #require(error.map { "\($0)" })
        let page = try Document("Sources/ShuntModules/ShuntModules.docc/FromBeeHive.md")
        let block = try #require(page.blocks.first { $0.language == "text" })
        #expect(text == block.text)
    }

    @Test("The context: settings that the program provides")
    func settings() async throws {
        struct Settings: Sendable { var environment: String }
        struct Greeter: ProgramModule {
            static let settings = ServiceKey<Settings>("settings")
            static let greet = ModuleAction<NoValue, String>("Greeter.greet")

            func define(_ definition: inout ModuleDefinition<NoValue>) {
                let settings = definition.require(Self.settings)
                definition.handle(Self.greet) { _, call in "hello from \(call[settings].environment)" }
            }
        }
        var assembly = Assembly()
        assembly.add(Greeter())
        assembly.provide(Greeter.settings, Settings(environment: "staging"))
        let greeting = try await assembly.build().run { app in try await app.call(Greeter.greet) }
        #expect(greeting == "hello from staging")
    }
}
