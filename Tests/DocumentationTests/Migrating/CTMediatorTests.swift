import Shunt
import ShuntLinks
import ShuntModules
import Testing

/// All that a caller imports.
enum Details {
    struct Key: Codable, Hashable, Sendable { var key: String }
    struct Page: Codable, Hashable, Sendable { var title: String }
    static let open = ModuleAction<Key, Page>("Details.open", at: "demo://A/detail", for: .links)
    static let showImage = ModuleAction<[UInt8], Int>("Details.showImage")
}

/// The target, which only the program imports.
struct DetailsModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(Details.open) { input, _ in Details.Page(title: input.key) }
        definition.handle(Details.showImage) { image, _ in image.count }
        definition.handleUnknown { call, _ in Details.Page(title: "no \(call.name), but \(call.known)") }
    }
}

extension Scope {
    /// The category, where you like one.
    func detailsPage(_ key: String) async throws -> Details.Page { try await call(Details.open, .init(key: key)) }
}

/// Sources/ShuntModules/ShuntModules.docc/FromCTMediator.md.
@Suite struct CTMediatorTests {
    private static func run(_ body: @escaping @Sendable (Scope, Links) async throws -> Void) async throws {
        var assembly = Assembly()
        assembly.add(DetailsModule())
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        let links = try Links(modules, rules: engine)
        try await modules.run { app in try await body(app, links) }
    }

    @Test("The local and the remote entry lead to one handler")
    func bothEntries() async throws {
        try await Self.run { (app, links) async throws in
            let page = try await app.call(Details.open, .init(key: "value"))
            let again = try await app.detailsPage("value")
            let caller = Caller(.link, name: "com.example.chat")
            let remote = try await links.open("demo://A/detail?key=value", from: caller, as: Details.Page.self)
            #expect([again, remote] == [page, page])
            #expect(page.title == "value")
        }
    }

    @Test("An action without an address cannot be reached by a URL; the module answers a missing one")
    func closed() async throws {
        try await Self.run { (app, links) async throws in
            #expect(try await app.call(Details.showImage, [1, 2, 3]) == 3)
            for name in ["showImage", "detial"] {
                let page = try await links.open("demo://A/\(name)", from: Caller(.link), as: Details.Page.self)
                #expect(page.title == #"no \#(name), but ["detail"]"#)
            }
            await #expect(throws: LinkError.self) { try await links.open("demo://B/detail", from: Caller(.link)) }
        }
    }
}
