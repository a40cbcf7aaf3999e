#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Shunt
import ShuntHummingbird
import Synchronization
import Testing

/// Calls of a program with decisions, and rules that it chooses for a request.
@Suite struct DecisionHookTests {
    private static let rules = """
        route GET /item/:id item;
        server {
            add_header X-Rules yes always;
            location /go { return 302 /item/1; }
            location /no { return 403; }
        }
        """

    private static func router() -> RouterResponder<DecidedContext> {
        let router = Router(context: DecidedContext.self)
        router.get("/item/:id") { _, context in "item \(context.routeParameter("id") ?? "?")" }
        return router.buildResponder()
    }

    private final class Heard: Sendable {
        let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("A program hears of decisions and answers, those of rules too, and may change answers")
    func hooks() async throws {
        let heard = Heard()
        let engine = Engine(try RuleSet(text: Self.rules))
        let name = try #require(HTTPField.Name("X-Kind"))
        let responder = ShuntResponder(
            Self.router(),
            rules: engine,
            onDecision: { decision, request, _ in
                heard.add("\(request.uri.path) \(decision.kind) \(decision.rule?.line ?? 0)")
            },
            onAnswer: { response, decision, request, context in
                response.headers[name] = decision.kind.rawValue
                heard.add("\(request.uri.path) \(response.status.code) \(context.route ?? "-")")
            }
        )
        try await Application(responder: responder)
            .test(.router) { client in
                for (path, kind) in [
                    ("/item/7", "forward"), ("/go", "redirect"), ("/no", "respond"), ("/zz", "forward"),
                    ("/%zz", "fail"),
                ] {
                    try await client.execute(uri: path, method: .get) { response in
                        #expect(response.headers[name] == kind, "\(path)")
                        guard kind == "fail" else { return }
                        #expect(String(buffer: response.body).hasPrefix("400 Bad Request: "))
                    }
                }
            }
        #expect(
            heard.lines.withLock { $0 } == [
                "/item/7 forward 0", "/item/7 200 item", "/go redirect 4", "/go 302 -", "/no respond 5", "/no 403 -",
                "/zz forward 0", "/zz 404 -", "/%zz fail 0", "/%zz 400 -",
            ]
        )
    }

    @Test("Rules are chosen for a request, and one without rules reaches no handler")
    func tenants() async throws {
        let heard = Heard()
        let engines = [
            "/item/ann": Engine(try RuleSet(text: "block ~ /item/ann 451;")),
            "/item/bob": Engine(try RuleSet(text: "")),
        ]
        let responder = ShuntResponder(
            Self.router(),
            choosing: { request, _ in engines[request.uri.path] },
            onDecision: { decision, _, _ in heard.add(decision.kind.rawValue) }
        )
        try await Application(responder: responder)
            .test(.router) { client in
                for (path, status) in [("/item/ann", 451), ("/item/bob", 200), ("/item/eve", 404)] {
                    try await client.execute(uri: path, method: .get) { response in
                        #expect(response.status.code == status, "\(path)")
                    }
                }
            }
        #expect(heard.lines.withLock { $0 } == ["block", "forward", "fail"])
    }

    @Test("Handlers hang on the routes of rules, typed parameters included")
    func routes() async throws {
        let ruleSet = try RuleSet(
            text: """
                route GET /item/:id(int) item;
                route GET /teapot tea;
                route GET /new new;
                server { rewrite ^/old/(.*)$ /item/$1; }
                """
        )
        var routes = RouteResponder(otherwise: Self.router())
        routes.on("item") { _, context in "number \(context.routeParameter("id") ?? "?")" }
        routes.on("tea") { _, _ -> String in throw HTTPError(.init(code: 418)) }
        #expect(routes.unhandledRoutes(in: ruleSet) == ["new"])
        let cases = [
            ("/item/7", 200, "number 7"), ("/old/8", 200, "number 8"), ("/item/seven", 200, "item ?"),
            ("/teapot", 418, ""), ("/new", 404, ""),
        ]
        try await Application(responder: ShuntResponder(routes, rules: Engine(ruleSet)))
            .test(.router) { client in
                for (path, status, body) in cases {
                    try await client.execute(uri: path, method: .get) { response in
                        #expect(response.status.code == status, "\(path)")
                        if !body.isEmpty { #expect(String(buffer: response.body) == body) }
                    }
                }
            }
    }

    @Test("The conversions of a custom responder are those of ShuntResponder")
    func conversions() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        func request(_ path: String, authority: String = "a.test") -> Hummingbird.Request {
            let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: path)
            return Hummingbird.Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        }
        #expect(RuleRequest(request("/go", authority: "a?b")).map(\.url) == nil)
        let redirect = engine.decide(try #require(RuleRequest(request("/go"))))
        let response = try #require(redirect.response)
        #expect(response.status == .found && response.headers[.location] == "http://a.test/item/1")
        let item = request("/item/7")
        let forward = engine.decide(try #require(RuleRequest(item)))
        #expect(forward.response == nil && forward.rewritten(item).uri.path == "/item/7")
        var answer = Hummingbird.Response(status: .ok)
        forward.addHeaders(to: &answer)
        #expect(answer.headers[try #require(HTTPField.Name("X-Rules"))] == "yes")
    }
}
#endif
