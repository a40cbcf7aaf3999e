import ShuntModules
import Testing

/// Statement M7: what there is in a program, as a value and as JSON.
@Suite struct CatalogTests {
    enum Colour: String, Codable, CaseIterable, Sendable { case red, green }
    enum Size: String, Codable, Sendable { case small }
    struct Paint: Codable, Sendable {
        var id: Int
        var colour: Colour
        var note: String?
        var tags: [String]
        var at: Place
        var size: Size
        var never: Int
    }
    struct Place: Codable, Hashable, Sendable { var x: Double, y: Double }
    struct Door: Codable, Hashable, Sendable { var id: Int }

    static let paint = ModuleAction<Paint, NoValue>(
        "House.paint",
        method: "POST",
        at: "house://paint/:id",
        for: [.links, .network]
    )
    static let knock = ModuleAction<NoValue, NoValue>("Door.knock", at: "/knock")
    static let weather = ModuleEvent<Place, NoValue>("weather", at: "house://weather")
    static let steps = ModuleFeed<NoValue, Int>("House.steps")
    static let key = ServiceKey<Int>("House.number")
    static let wanted = ServiceKey<String>("Shop.number")
    static let absent = ServiceKey<String>("absent")

    struct DoorModule: ProgramModule {
        func define(_ definition: inout ModuleDefinition<Door>) {
            _ = definition.require(CatalogTests.paint)
            definition.handle(CatalogTests.knock) { _, _ in NoValue() }
        }
    }

    static func modules() throws -> Modules {
        var assembly = Assembly()
        assembly.add(
            AnyModule("shop") { definition in
                definition.priority = 3
                _ = definition.require(wanted)
                _ = definition.require(paint)
                _ = definition.requireIfProvided(absent)
            }
        )
        assembly.add(
            AnyModule("house") { definition in
                definition.level = .basic
                definition.provide(key) { _ in 7 }
                definition.handle(paint) { _, _ in NoValue() }
                definition.on(weather) { _, _ in NoValue() }
                definition.stream(steps) { _, _, _ in }
                _ = definition.slot(DoorModule(), .many(limit: 4), at: "house://door/:id", for: .links)
            }
        )
        assembly.adapt(wanted, from: key) { "\($0)" }
        return try assembly.build()
    }

    @Test("M7: every module, contract, address, exposure, parameter, service, slot and edge")
    func everything() throws {
        let catalog = try Self.modules().catalog
        #expect(catalog.modules.map(\.name) == ["root", "house", "shop"])
        #expect(Self.needs(catalog.modules[0]) == ["service House.number house"])
        #expect(catalog.modules[0].services == ["Shop.number"])
        let house = catalog.modules[1]
        #expect(house.level == .basic && house.services == ["House.number"] && house.needs.isEmpty)
        #expect(
            house.answers.map { "\($0.kind) \($0.name)" } == [
                "action House.paint", "feed House.steps", "event weather",
            ]
        )
        let paint = house.answers[0]
        #expect(paint.address == "house://paint/:id" && paint.method == "POST" && paint.exposure == [.links, .network])
        // What the type refuses to read from nothing ends the list: a size has no list of its cases.
        #expect(
            paint.parameters.map { "\($0.name): \($0.type)\($0.isOptional ? "?" : "")" } == [
                "id: Int", "colour: Colour", "note: String?", "tags: Array<String>", "at: Place", "size: Size",
            ]
        )
        #expect(house.answers[1].address == nil && house.answers[1].output == "Int")
        let slot = try #require(house.slots.first)
        #expect(slot.address == "house://door/:id" && slot.exposure == .links)
        #expect(slot.limit == 4 && slot.module.name == "DoorModule")
        #expect(Self.needs(slot.module) == ["action House.paint house"])
        #expect(
            Self.needs(catalog.modules[2]) == [
                "service Shop.number root", "action House.paint house", "service absent -",
            ]
        )
    }

    private static func needs(_ module: Catalog.Module) -> [String] {
        module.needs.map { "\($0.kind) \($0.name) \($0.provider ?? "-")" }
    }

    @Test("The catalogue is one line of JSON")
    func json() throws {
        var assembly = Assembly()
        assembly.add(AnyModule("a") { $0.handle(Self.knock) { _, _ in NoValue() } })
        let expected = """
            {"modules":[{"name":"root","level":"basic","priority":0,"needs":[],"services":[],"answers":[],"slots":[]},\
            {"name":"a","level":"normal","priority":0,"needs":[],"services":[],"answers":[{"action":"Door.knock",\
            "input":"NoValue","output":"NoValue","address":"/knock","exposure":["code"],"parameters":[]}],"slots":[]}]}
            """
        #expect(try assembly.build().catalog.json() == expected)
    }
}
