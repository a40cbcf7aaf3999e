#if Hummingbird && Modules
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Shunt
import ShuntHummingbird
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import Testing

/// Modules behind a server: what is exposed to the network is answered, all else goes to the router.
@Suite struct ModulesResponderTests {
    struct Pet: Codable, Sendable {
        var id: Int
        var name: String?
    }
    static let show = ModuleAction<Pet, Pet>("Pet.show", method: "GET", at: "/pets/:id", for: .network)
    static let rename = ModuleAction<Pet, NoValue>("Pet.rename", method: "PUT", at: "/pets/:id", for: .network)
    static let secret = ModuleAction<NoValue, NoValue>("Pet.secret", at: "/secret")
    static let ticks = ModuleFeed<NoValue, Int>("Pet.ticks", at: "/ticks", for: .network)

    struct Pets: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(ModulesResponderTests.show) { input, _ in Pet(id: input.id, name: "pet") }
            definition.handle(ModulesResponderTests.rename) { input, _ in
                guard input.name != nil else { throw HTTPError(.conflict) }
                return NoValue()
            }
            definition.handle(ModulesResponderTests.secret) { _, _ in NoValue() }
            definition.stream(ModulesResponderTests.ticks) { _, _, writer in
                for tick in 1...2 { try await writer.write(tick) }
            }
        }
    }

    @Test(arguments: [TestingSetup.router, .live])
    func answers(_ setup: TestingSetup) async throws {
        var assembly = Assembly()
        assembly.add(Pets())
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        var options = Links.Options()
        options.bodyLimit = 1_000
        let links = try Links(modules, rules: engine, options: options)
        try await modules.run { _ in
            let router = Router()
            router.get("/router") { _, _ in "router" }
            router.get("/secret") { _, _ in "the router's" }
            let app = Application(
                responder: ModulesResponder(links, otherwise: router.buildResponder()),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            try await app.test(setup) { client in
                let cases: [(String, HTTPRequest.Method, String, Int, String)] = [
                    ("/pets/7", .get, "", 200, #"{"id":7,"name":"pet"}"#),
                    ("/pets/seven", .get, "", 400, #"{"status":400,"parameters":[{"name":"id","problem":"not Int"}]}"#),
                    ("/pets/7", .put, #"{"name":"x"}"#, 204, ""),
                    ("/pets/7", .put, "{}", 500, #"{"status":500}"#),
                    ("/pets/7", .put, String(repeating: " ", count: 1_001), 413, ""),
                    ("/router", .get, "", 200, "router"),
                    ("/secret", .get, "", 200, "the router's"),
                    ("/pets/7", .delete, "", 404, ""),
                    ("/ticks", .get, "", 200, "data: 1\n\ndata: 2\n\n"),
                ]
                for (path, method, body, status, expected) in cases {
                    try await client.execute(uri: path, method: method, body: ByteBuffer(string: body)) { response in
                        #expect(response.status.code == status, "\(method) \(path)")
                        #expect(String(buffer: response.body) == expected, "\(method) \(path)")
                    }
                }
            }
        }
    }

    static let user = ValueKey<String>("user")
    static let whoAmI = ModuleAction<NoValue, String>("Pet.owner", method: "GET", at: "/owner", for: .network)

    struct Owner: ProgramModule {
        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(ModulesResponderTests.whoAmI) { _, call in
                "\(call.values[ModulesResponderTests.user] ?? "no one") by \(call.caller.name ?? "-")"
            }
        }
    }

    private func answers<Context: RequestContext>(
        _ rules: String,
        _ router: Router<Context>,
        _ setup: TestingSetup = .router
    ) async throws -> [String] where Context.Source == ApplicationRequestContextSource {
        var assembly = Assembly()
        assembly.add(Owner())
        let modules = try assembly.build()
        let links = try Links(modules, rules: Engine(try RuleSet(text: rules)))
        let wrapped = router.buildResponder()
        return try await modules.run { _ in
            let responder = ModulesResponder(links, otherwise: wrapped) { request, _ in
                guard let token = request.headers[.authorization] else { return NetworkCaller() }
                guard token != "wrong" else { throw HTTPError(.unauthorized) }
                return NetworkCaller(name: token, values: CallValues(ModulesResponderTests.user, "user of \(token)"))
            }
            return try await Application(responder: responder)
                .test(setup) { client in
                    var found: [String] = []
                    for token in [nil, "ann", "wrong"] {
                        let headers = token.map { HTTPFields([HTTPField(name: .authorization, value: $0)]) } ?? [:]
                        let response = try await client.execute(uri: "/owner", method: .get, headers: headers)
                        found.append("\(response.status.code) \(String(buffer: response.body))")
                    }
                    return found
                }
        }
    }

    @Test("A server names the caller, and the values of the call")
    func identity() async throws {
        let expected = [#"200 "no one by -""#, #"200 "user of ann by ann""#, "401 "]
        #expect(try await answers("", Router()) == expected)
        // Rules see the name.
        let rules = "input $caller_name; if ($caller_name = ann) { block ~ /owner 451; }"
        #expect(try await answers(rules, Router())[1].hasPrefix("451"))
    }

    @Test("A client without an address in the context is not local")
    func addresses() async throws {
        let rules = "server { allow 127.0.0.1; allow ::1; deny all; }"
        #expect(try await answers(rules, Router())[0].hasPrefix("403"))
        #expect(try await answers(rules, Router(context: DecidedContext.self), .live)[0].hasPrefix("200"))
    }
}
#endif
