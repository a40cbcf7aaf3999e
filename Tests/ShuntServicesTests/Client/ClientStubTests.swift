#if Client
import HTTPTypes
import ShuntServices
import ShuntModules
import ShuntModulesTesting
import Synchronization
import Testing

/// Plugins and stubs of a network layer, written as interceptors and replacements.
@Suite struct ClientStubTests {
    /// The number of requests that are under way, and how many there were.
    final class Activity: Sendable {
        private let counts = Mutex((now: 0, all: 0))

        var now: Int { counts.withLock { $0.now } }
        var all: Int { counts.withLock { $0.all } }

        func begin() {
            counts.withLock {
                $0.now += 1
                $0.all += 1
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    @Test("A plugin sees each request begin and end, adds headers, and sees what came back, failures too")
    func plugins() async throws {
        let activity = Activity()
        let transport = StubTransport { exchange in
            #expect(activity.now == 1)
            let isKnown = exchange.request.headerFields[.userAgent] == "bank/1"
            return HTTPReply(HTTPResponse(status: isKnown ? .notFound : .badRequest))
        }
        try await withAccounts(transport) { assembly in
            assembly.intercept(HTTPClientModule.exchange) { exchange, call, next in
                activity.begin()
                defer { activity.end() }
                var exchange = exchange
                exchange.request.headerFields[.userAgent] = "bank/1"
                let reply = try await next(exchange, call)
                #expect(reply.response.status == .notFound)
                return reply
            }
        } body: { (app) async throws in
            for id in ["1", "2"] {
                #expect(await clientError { try await app.call(Account.user, .init(id: id)) } == "status 404")
            }
        }
        #expect(activity.now == 0)
        #expect(activity.all == 2)
    }

    @Test("A stub that answers at once, one that answers later, and none")
    func stubs() async throws {
        let clock = TurnedClock()
        let transport = StubTransport(#"{"id":"3","name":"sent"}"#)
        try await withAccounts(transport, envelope: nil) { assembly in
            assembly.replace(HTTPClientModule.exchange) { exchange, _ in
                if exchange.url.hasSuffix("/2") { try await clock.sleep(for: .seconds(1)) }
                return HTTPReply(HTTPResponse(status: .ok), body: Array(#"{"id":"0","name":"stub"}"#.utf8))
            }
        } body: { (app) async throws in
            #expect(try await app.call(Account.user, .init(id: "1")).name == "stub")
            let later = Task { try await app.call(Account.user, .init(id: "2")).name }
            await clock.waitForSleeper(of: .seconds(1))
            clock.turn(by: .seconds(1))
            #expect(try await later.value == "stub")
        }
        #expect(transport.sent.isEmpty)
        try await withAccounts(transport, envelope: nil) { (app) async throws in
            #expect(try await app.call(Account.user, .init(id: "3")).name == "sent")
        }
    }

    @Test("The statuses of a success are those of the action", arguments: [200, 204, 299, 300, 404])
    func accepting(status: Int) async throws {
        struct Lenient: ProgramModule {
            func define(_ definition: inout ModuleDefinition<NoValue>) {
                definition.remote("https://api.example.com") { $0.send(Account.user, accepting: 200...300) }
            }
        }
        var assembly = Assembly()
        assembly.add(HTTPClientModule(StubTransport(#"{"id":"1","name":"a"}"#, status: status)))
        assembly.add(Lenient())
        try await assembly.build()
            .run { (app) async throws in
                let error = await clientError { try await app.call(Account.user, .init(id: "1")) }
                #expect(error == (status == 404 ? "status 404" : "no error"))
            }
    }
}
#endif
