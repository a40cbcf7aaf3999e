#if Client
import HTTPTypes
import Shunt
import ShuntServices
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import Testing

/// Statements H1 to H13, R16 and the rest of what a client does, without a network.
@Suite struct RemoteActionTests {
    static let credentials = Account.Credentials(username: "ann", password: "x")

    @Test("H1: the input is the body, the output is in the envelope")
    func login() async throws {
        let transport = StubTransport(#"{"code":0,"msg":"","data":{"token":"t"}}"#)
        let session = try await withAccounts(transport) { try await $0.call(Account.login, Self.credentials) }
        #expect(session == Account.Session(token: "t"))
        #expect(
            transport.lines == [#"POST https://api.example.com/login/path {"username":"ann","password":"x"}"#]
        )
        #expect(transport.sent.first?.request.headerFields[.contentType] == "application/json")
    }

    @Test(
        "H2, H4, H6 and what else an answer may be",
        arguments: [
            (200, #"{"code":7,"msg":"no"}"#, "rejected 7 no"),
            (401, "", "status 401"),
            (503, "<html>down</html>", "status 503"),
            (200, "<html>up</html>", "unreadable: the answer is not JSON"),
            (200, #"{"msg":"no code"}"#, #"unreadable: the answer has no "code""#),
            (200, #"{"code":0,"data":{"token":5}}"#, #"unreadable: "token" is 5, not String"#),
            (200, #"{"code":0,"data":{}}"#, #"unreadable: "token" is missing"#),
            (200, "", "unreadable: the answer is not JSON"),
        ]
    )
    func failures(status: Int, body: String, expected: String) async throws {
        try await withAccounts(StubTransport(body, status: status)) { (app) async throws in
            #expect(await clientError { try await app.call(Account.login, Self.credentials) } == expected)
        }
    }

    @Test("H3, H7, H8: lists, paths, queries, bodies without what is in the path")
    func requests() async throws {
        let transport = StubTransport { exchange in
            let body =
                exchange.request.path?.contains("name=") == true
                ? #"[{"id":"1","name":"a"}]"# : #"{"id":"7","name":"b"}"#
            return HTTPReply(HTTPResponse(status: .ok), body: exchange.request.method == .put ? [] : Array(body.utf8))
        }
        try await withAccounts(transport, envelope: nil) { (app) async throws in
            #expect(try await app.call(Account.user, .init(id: "7")) == Account.User(id: "7", name: "b"))
            _ = try await app.call(Account.user, .init(id: "a/b"))
            let found = try await app.call(Account.search, .init(name: "a b", tag: ["x", "y"]))
            #expect(found == [Account.User(id: "1", name: "a")])
            #expect(try await app.call(Account.rename, .init(id: "7", name: "c")) == NoValue())
        }
        #expect(
            transport.lines == [
                "GET https://api.example.com/users/7 ", "GET https://api.example.com/users/a%2Fb ",
                "GET https://api.example.com/users?name=a%20b&tag=x&tag=y ",
                #"PUT https://api.example.com/users/7 {"name":"c"}"#,
            ]
        )
    }

    @Test("H4: a recovery sees the 401, signs in once, and sends again with the token")
    func recovery() async throws {
        let transport = StubTransport { exchange in
            let isKnown = exchange.request.headerFields[.authorization] == "Bearer t1"
            return HTTPReply(
                HTTPResponse(status: isKnown ? .ok : .unauthorized),
                body: isKnown ? Array(#"{"id":"7","name":"b"}"#.utf8) : []
            )
        }
        try await withAccounts(transport, envelope: nil) { assembly in
            assembly.intercept(
                Recovery("token") { error, _ in
                    (error as? ClientError)?.isUnauthorized == true ? "token" : nil
                } repair: { _, _ in
                    CallValues(Account.token, "t1")
                }
            )
            assembly.intercept(HTTPClientModule.exchange) { exchange, call, next in
                var exchange = exchange
                exchange.request.headerFields[.authorization] = call.values[Account.token].map { "Bearer \($0)" }
                return try await next(exchange, call)
            }
        } body: { (app) async throws in
            for _ in 0..<3 { _ = try await app.call(Account.user, .init(id: "7")) }
        }
        #expect(transport.sent.count == 4)
    }

    @Test("H5: no connection, and a time-out that the transport reports")
    func unreachable() async throws {
        struct Refused: Error {}
        for (error, expected) in [(Refused() as any Error, "unreachable"), (ClientError.timedOut, "timedOut")] {
            try await withAccounts(StubTransport { _ in throw error }) { (app) async throws in
                #expect(await clientError { try await app.call(Account.login, Self.credentials) } == expected)
            }
        }
        #expect(LinkStatus.status(of: ClientError.timedOut) == 504)
        #expect(LinkStatus.status(of: ClientError.unreachable(Refused())) == 502)
        #expect(LinkStatus.status(of: ClientError.status(HTTPReply(HTTPResponse(status: .unauthorized)))) == 401)
    }

    @Test("H9: one constant, handled by a server and sent by a client")
    func roundTrip() async throws {
        struct Server: ProgramModule {
            func define(_ definition: inout ModuleDefinition<NoValue>) {
                definition.handle(Account.user) { input, _ in Account.User(id: input.id, name: "n\(input.id)") }
                definition.handle(Account.search) { input, _ in
                    (input.tag ?? []).map { Account.User(id: $0, name: input.name) }
                }
            }
        }
        var assembly = Assembly()
        assembly.add(Server())
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        let links = try Links(modules, rules: engine)
        try await modules.run { _ in
            let transport = StubTransport { exchange in
                var request = RuleRequest(target: exchange.request.path ?? "/", host: exchange.request.authority)
                request.method = exchange.request.method.rawValue
                let answer = try await links.respond(to: request, body: exchange.body, from: Caller(.code))
                guard case .bytes(let body) = answer.body else { throw CancellationError() }
                return HTTPReply(HTTPResponse(status: .init(code: answer.status)), body: body)
            }
            try await withAccounts(transport, envelope: nil) { (app) async throws in
                for id in ["7", "a b", "ü", "a+b&c=d"] {
                    #expect(
                        try await app.call(Account.user, .init(id: id)) == Account.User(id: id, name: "n\(id)"),
                        "\(id)"
                    )
                }
                let found = try await app.call(Account.search, .init(name: "n&m", tag: ["x", "y"]))
                #expect(found == [Account.User(id: "x", name: "n&m"), Account.User(id: "y", name: "n&m")])
                #expect(
                    await clientError { try await app.call(Account.rename, .init(id: "7", name: "c")) } == "status 404"
                )
            }
        }
    }

    @Test("H10, H11, H12: rules send elsewhere, turn away, and answer")
    func rules() async throws {
        let moved = StubTransport(#"{"code":0,"data":{"token":"t"}}"#)
        try await withAccounts(moved, rules: "rename_host api.example.com staging.example.com;") { (app) async throws in
            let exchange = HTTPExchange(
                HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/x?y=1")
            )
            let reply = try await app.call(HTTPClientModule.exchange, exchange)
            #expect(reply.decision?.rule?.line == 1)
            _ = try await app.call(Account.login, Self.credentials)
        }
        #expect(
            moved.sent.map(\.url) == ["https://staging.example.com/x?y=1", "https://staging.example.com/login/path"]
        )

        let blocked = StubTransport("")
        try await withAccounts(blocked, rules: "block host api.example.com;") { (app) async throws in
            #expect(await clientError { try await app.call(Account.login, Self.credentials) } == "decided block")
        }
        #expect(blocked.sent.isEmpty)

        let stubbed = StubTransport("")
        let stub = #"server { server_name api.example.com; return 200 '{"code":0,"data":{"token":"stub"}}'; }"#
        try await withAccounts(stubbed, rules: stub) { (app) async throws in
            #expect(try await app.call(Account.login, Self.credentials).token == "stub")
        }
        #expect(stubbed.sent.isEmpty)

        let closed = StubTransport("")
        let close = "server { server_name api.example.com; return 444; }"
        try await withAccounts(closed, rules: close) { (app) async throws in
            #expect(await clientError { try await app.call(Account.login, Self.credentials) } == "decided respond")
        }
        #expect(closed.sent.isEmpty)
    }

    @Test("Redirects of rules are followed ten times")
    func redirects() async throws {
        let transport = StubTransport(#"{"code":0,"data":{"token":"t"}}"#)
        let rules = """
            server { server_name api.example.com; return 302 https://b.example.com$request_uri; }
            server { server_name circle.example.com; return 302 https://circle.example.com/; }
            server { server_name b.example.com; return 302 https://c.example.com/v2$request_uri; }
            server { server_name c.example.com; }

            """
        try await withAccounts(transport, rules: rules) { (app) async throws in
            _ = try await app.call(Account.login, Self.credentials)
            let circle = HTTPExchange(
                HTTPRequest(method: .get, scheme: "https", authority: "circle.example.com", path: "/")
            )
            #expect(
                await clientError { try await app.call(HTTPClientModule.exchange, circle) } == "decided redirect"
            )
        }
        #expect(transport.sent.map(\.url) == ["https://c.example.com/v2/login/path"])
    }

    @Test("H13: cancelling the call cancels the exchange")
    func cancelled() async throws {
        let clock = TurnedClock()
        let transport = StubTransport { _ in
            try await clock.sleep(for: .seconds(60))
            throw CancellationError()
        }
        try await withAccounts(transport) { (app) async throws in
            let task = Task { try await app.call(Account.login, Self.credentials) }
            await clock.waitForSleeper(of: .seconds(60))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("A13: a replacement answers, and nothing is sent")
    func replaced() async throws {
        let transport = StubTransport("")
        try await withAccounts(transport) { assembly in
            assembly.replace(Account.login) { input, _ in Account.Session(token: "for \(input.username)") }
        } body: { (app) async throws in
            #expect(try await app.call(Account.login, Self.credentials).token == "for ann")
        }
        #expect(transport.sent.isEmpty)
    }

    @Test("Actions that a server cannot answer are found before anything runs")
    func mistakes() throws {
        struct Wrong: ProgramModule {
            func define(_ definition: inout ModuleDefinition<NoValue>) {
                definition.remote("api.example.com") { _ in }
                definition.remote("https://api.example.com") { api in
                    api.send(Account.login)
                    api.send(Account.user, method: "NOT A METHOD", at: "/x")
                    api.send(Account.search, method: "GET", at: "/:(")
                }
            }
        }
        var assembly = Assembly()
        assembly.add(HTTPClientModule(StubTransport("")))
        assembly.add(Wrong())
        do {
            _ = try assembly.build()
            Issue.record("built")
        } catch {
            #expect(
                error.diagnostics.filter { $0.severity == .error }.map(\.code) == [
                    "remote-base", "remote-action", "remote-action", "remote-action",
                ]
            )
        }
        var alone = Assembly()
        alone.add(AccountAPI())
        #expect(throws: AssemblyError.self) { try alone.build() }
    }

    @Test("H16: an action that a server answers does not let the network reach that server")
    func openProxy() async throws {
        let shared = ModuleAction<Account.UserID, Account.User>(
            "Account.shared",
            method: "GET",
            at: "/shared/:id",
            for: [.web, .network]
        )
        struct API: ProgramModule {
            let action: ModuleAction<Account.UserID, Account.User>

            func define(_ definition: inout ModuleDefinition<NoValue>) {
                definition.remote("https://internal.example") { $0.send(action) }
            }
        }
        let transport = StubTransport(#"{"id": "7", "name": "n"}"#)
        var assembly = Assembly()
        assembly.add(HTTPClientModule(transport))
        assembly.add(API(action: shared))
        let modules = try assembly.build()
        #expect(modules.warnings.map(\.code) == ["open-proxy"])
        let links = try Links(modules, rules: Engine(try RuleSet(text: "route /also/:id Account.shared;")))
        try await modules.run { (app) async throws in
            for path in ["/shared/7", "/also/7"] {
                let request = RuleRequest(target: path, host: "www.example.com")
                #expect(!links.reaches(request, from: Caller(.network)))
                #expect(try await links.respond(to: request, from: Caller(.network)).status == 404)
            }
            #expect(transport.sent.isEmpty)
            let request = RuleRequest(target: "/shared/7", host: "www.example.com")
            #expect(try await links.respond(to: request, from: Caller(.web)).status == 200)
            #expect(try await app.call(shared, .init(id: "7")).name == "n")
        }
    }
}
#endif
