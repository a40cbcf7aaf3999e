import ShuntModules
import Testing

/// The addresses that the network reaches, for other teams and their tools.
@Suite struct OpenAPITests {
    enum Colour: String, Codable, CaseIterable, Sendable { case red, green }
    struct Place: Codable, Sendable { var x: Double, y: Double? }
    struct Pet: Codable, Sendable {
        var id: Int
        var colour: Colour
        var places: [Place]
        var friends: [Pet]?
        var names: [String: String]
    }
    struct Filter: Codable, Sendable {
        var id: Int
        var colour: Colour?
    }

    static let show = ModuleAction<Filter, Pet>("Pet.show", method: "GET", at: "/pets/:id(int)", for: .network)
    static let change = ModuleAction<Pet, NoValue>(
        "Pet.change",
        method: "PUT",
        at: "/pets/:id(int)",
        for: [.links, .network]
    )
    static let count = ModuleAction<NoValue, Int>("Pet.count", at: "/count", for: .network)
    static let ticks = ModuleFeed<NoValue, Place>("Pet.ticks", at: "/ticks", for: .network)
    static let local = ModuleAction<NoValue, Int>("Pet.local", at: "/local", for: .links)
    static let link = ModuleAction<NoValue, Int>("Pet.link", at: "pets://count", for: .network)

    struct Pets: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(show) { input, _ in
                Pet(id: input.id, colour: .red, places: [], friends: nil, names: [:])
            }
            definition.handle(change) { _, _ in NoValue() }
            definition.handle(count) { _, _ in 1 }
            definition.handle(local) { _, _ in 1 }
            definition.handle(link) { _, _ in 1 }
            definition.stream(ticks) { _, _, _ in }
        }
    }

    @Test("Paths, parameters, bodies and answers have the schemas of the types")
    func document() throws {
        var assembly = Assembly()
        assembly.add(Pets())
        let error = #""default":{"description":"An error: its status, and for 400 the parameters that do not fit"}"#
        let place = #"{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x"]}"#
        let colour = #"{"type":"string","enum":["red","green"]}"#
        let others = """
            "colour":\(colour),"places":{"type":"array","items":\(place)},\
            "friends":{"type":"array","items":{}},"names":{"type":"object","additionalProperties":{"type":"string"}}
            """
        // A body is written outside of its type, which may therefore come once more in it.
        let pet = """
            {"type":"object","properties":{"id":{"type":"integer"},\(others)},"required":["id","colour","places","names"]}
            """
        let body = """
            {"type":"object","properties":{\(others.replacing(#""items":{}"#, with: "\"items\":\(pet)"))},\
            "required":["colour","places","names"]}
            """
        let id = #"{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}"#
        let expected = """
            {"openapi":"3.1.0","info":{"title":"Pets","version":"1.2"},"paths":{\
            "/count":{"get":{"operationId":"Pet.count","responses":{"200":{"description":"The value",\
            "content":{"application/json":{"schema":{"type":"integer"}}}},\(error)}}},\
            "/pets/{id}":{"put":{"operationId":"Pet.change","parameters":[\(id)],\
            "requestBody":{"required":true,"content":{"application/json":{"schema":\(body)}}},\
            "responses":{"204":{"description":"Done"},\(error)}},\
            "get":{"operationId":"Pet.show","parameters":[\(id),\
            {"name":"colour","in":"query","required":false,"schema":\(colour)}],\
            "responses":{"200":{"description":"The value","content":{"application/json":{"schema":\(pet)}}},\(error)}}},\
            "/ticks":{"get":{"operationId":"Pet.ticks","responses":{"200":{"description":"A stream of values",\
            "content":{"text/event-stream":{"schema":\(place)}}},\(error)}}}}}
            """
        #expect(try assembly.build().openAPI(title: "Pets", version: "1.2") == expected)
    }
}
