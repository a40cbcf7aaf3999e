#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import Instrumentation
import Logging
import NIOCore
import Shunt
import ShuntHummingbird
import Synchronization
import Testing
import Tracing

/// The responder in front of a router, without a server and over a socket.
@Suite struct ShuntResponderTests {
    /// The ways of requests to the application.
    enum Transport: String, CaseIterable, CustomTestStringConvertible {
        case inProcess
        case socket

        var setup: TestingSetup { self == .inProcess ? .router : .live }
        var testDescription: String { rawValue }
    }

    static func engine(_ text: String) throws -> Engine { Engine(try RuleSet(text: text)) }

    static func application(
        _ text: String,
        logger: Logger? = nil
    ) throws -> Application<ShuntResponder<RouterResponder<DecidedContext>>> {
        let router = Router(context: DecidedContext.self)
        router.get("/new") { request, _ in "path=\(request.uri.path) query=\(request.uri.query ?? "-")" }
        router.get("/item/:number") { request, context in
            "route=\(context.route ?? "-") id=\(context.routeParameter("id") ?? "-") rule=\(context.decision?.rule?.line ?? 0)"
        }
        router.get("/app") { _, context in
            context.decision?.url ?? ""
        }
        router.post("/echo") { request, _ in
            Response(status: .created, body: ResponseBody(asyncSequence: request.body))
        }
        router.get("/host") { request, _ in request.head.authority ?? "-" }
        return Application(
            responder: ShuntResponder(router.buildResponder(), rules: try engine(text)),
            logger: logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("A rewritten path reaches the router", arguments: Transport.allCases)
    func rewrites(_ transport: Transport) async throws {
        let app = try Self.application("server { rewrite ^/old/(.*)$ /new?from=$1 last; }")
        try await app.test(transport.setup) { client in
            try await client.execute(uri: "/old/x?a=1", method: .get) { response in
                #expect(response.status == .ok)
                #expect(String(buffer: response.body) == "path=/new query=from=x&a=1")
            }
            try await client.execute(uri: "/new?b=2", method: .get) { response in
                #expect(String(buffer: response.body) == "path=/new query=b=2")
            }
            try await client.execute(uri: "/nowhere", method: .get) { response in
                #expect(response.status == .notFound)
            }
        }
    }

    @Test("Rules answer before the router", arguments: Transport.allCases)
    func answers(_ transport: Transport) async throws {
        let app = try Self.application(
            """
            block ~ /blocked 410;
            server {
                absolute_redirect off;
                location /go { return 308 /new; }
                location /text { default_type text/x-test; add_header X-Rule yes always; return 418 "short and stout"; }
                location /new { return 200 "never the router's"; }
                location /long {
                    expires epoch;
                    add_header Content-Length 2 always;
                    add_header Transfer-Encoding chunked always;
                    return 200 "not two";
                }
                location /loop { rewrite ^ /loop; }
            }
            """
        )
        try await app.test(transport.setup) { client in
            try await client.execute(uri: "/go", method: .get) { response in
                #expect(response.status == .permanentRedirect)
                #expect(response.headers[.location] == "/new")
            }
            try await client.execute(uri: "/text", method: .get) { response in
                #expect(response.status.code == 418)
                #expect(response.headers[.contentType] == "text/x-test")
                #expect(response.header("X-Rule") == "yes")
                #expect(String(buffer: response.body) == "short and stout")
            }
            try await client.execute(uri: "/new", method: .get) { response in
                #expect(String(buffer: response.body) == "never the router's")
            }
            try await client.execute(uri: "/long", method: .get) { response in
                #expect(String(buffer: response.body) == "not two")
                #expect(response.headers[.cacheControl] == "no-cache")
                #expect(response.headers[values: .transferEncoding].isEmpty)
                #expect(!response.headers[values: .contentLength].contains("2"))
            }
            try await client.execute(uri: "/blocked", method: .get) { response in
                #expect(response.status == .gone)
            }
            try await client.execute(uri: "/loop", method: .get) { response in
                #expect(response.status == .internalServerError)
            }
        }
    }

    @Test("The decision, its rule, route and parameters are in the context", arguments: Transport.allCases)
    func context(_ transport: Transport) async throws {
        let app = try Self.application(
            """
            route GET /item/:id item;
            rewrite_url ^(https?://[^/]*)/i(\\d+)$ $1/item/$2 break;
            """
        )
        try await app.test(transport.setup) { client in
            try await client.execute(uri: "/i7", method: .get) { response in
                #expect(String(buffer: response.body) == "route=item id=7 rule=2")
            }
            try await client.execute(uri: "/item/9", method: .get) { response in
                #expect(String(buffer: response.body) == "route=item id=9 rule=0")
            }
        }
    }

    @Test("A URL that is not HTTP any more continues unchanged", arguments: Transport.allCases)
    func otherScheme(_ transport: Transport) async throws {
        let app = try Self.application("rewrite_url ^http://[^/]*/app$ kl://Item/detail?id=1 break;")
        try await app.test(transport.setup) { client in
            try await client.execute(uri: "/app", method: .get) { response in
                #expect(String(buffer: response.body) == "kl://Item/detail?id=1")
            }
        }
    }

    @Test("A renamed host reaches the router", arguments: Transport.allCases)
    func renamedHost(_ transport: Transport) async throws {
        let app = try Self.application("rename_host localhost new.test;")
        try await app.test(transport.setup) { client in
            try await client.execute(uri: "/host", method: .get) { response in
                #expect(String(buffer: response.body).hasPrefix("new.test"))
            }
        }
    }

    @Test("A Host that is not a host with or without a port is refused")
    func oddHosts() async throws {
        let rules = "server { location = / { return 403; } location / { return 200 $http_host; } }"
        let wrapped = ShuntResponder(
            Router(context: DecidedContext.self).buildResponder(),
            rules: try Self.engine(rules)
        )
        let hosts = [("admin.test#", 400), ("a?b", 400), ("u@a", 400), ("WWW.a.test.:80", 200)]
        try await Application(responder: AskedHost(wrapped: wrapped))
            .test(.router) { client in
                for (host, status) in hosts {
                    let response = try await client.execute(
                        uri: "/zz",
                        method: .get,
                        headers: [.userAgent: host]
                    )
                    #expect(response.status.code == status, "\(host)")
                    if status == 200 { #expect(String(buffer: response.body) == "www.a.test") }
                }
            }
    }

    @Test("A body passes through a rewrite, and headers of rules are added", arguments: Transport.allCases)
    func bodies(_ transport: Transport) async throws {
        let app = try Self.application(
            "server { add_header X-Usual 1; add_header X-Always 2 always; rewrite ^/in$ /echo; }"
        )
        let body = String(repeating: "0123456789", count: 20_000)
        try await app.test(transport.setup) { client in
            try await client.execute(uri: "/in", method: .post, body: ByteBuffer(string: body)) { response in
                #expect(response.status == .created)
                #expect(String(buffer: response.body) == body)
                #expect(response.header("X-Usual") == "1")
            }
            try await client.execute(uri: "/missing", method: .get) { response in
                #expect(response.status == .notFound)
                #expect(response.header("X-Usual") == nil)
                #expect(response.header("X-Always") == "2")
            }
        }
    }

    @Test("return 444 closes the connection")
    func closes() async throws {
        let app = try Self.application("server { location /close { return 444; } }")
        try await app.test(.live) { client in
            await #expect(throws: (any Error).self) {
                try await client.execute(uri: "/close", method: .get)
            }
            return ()
        }
    }

    @Test("Inputs come from the request")
    func inputs() async throws {
        let router = Router(context: DecidedContext.self)
        let engine = try Self.engine(
            "input $app_version \"0\"; if ($app_version < 3.2.0) { degrade ~ /pay https://m.example.com/pay; }"
        )
        let name = try #require(HTTPField.Name("X-App-Version"))
        let app = Application(
            responder: ShuntResponder(router.buildResponder(), rules: engine) { request, _ in
                request.headers[name].map { ["app_version": $0] } ?? [:]
            }
        )
        try await app.test(.router) { client in
            try await client.execute(uri: "/pay", method: .get, headers: [name: "3.1"]) { response in
                #expect(response.status == .found)
                #expect(response.headers[.location] == "https://m.example.com/pay")
            }
            try await client.execute(uri: "/pay", method: .get, headers: [name: "3.2"]) { response in
                #expect(response.status == .notFound)
            }
        }
    }

    @Test("The deciding rule is in the metadata of the request's logger, which is the current one")
    func logs() async throws {
        let lines = Mutex<[String]>([])
        let router = Router(context: DecidedContext.self)
        router.get("/new") { _, context in
            for logger in [context.logger, Logger.current] {
                let rule = logger[metadataKey: "shunt.rule"]?.description ?? "none"
                lines.withLock { $0.append(rule) }
            }
            return "ok"
        }
        let engine = try Self.engine("server {\n    rewrite ^/old$ /new;\n}")
        let app = Application(responder: ShuntResponder(router.buildResponder(), rules: engine))
        try await app.test(.router) { client in
            try await client.execute(uri: "/old", method: .get)
            try await client.execute(uri: "/new", method: .get)
        }
        #expect(lines.withLock { $0 } == ["rules.conf:2:5", "rules.conf:2:5", "none", "none"])
    }

    @Test("The span of a decision has the rule")
    func traces() async throws {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        let app = try Self.application("server {\n    rewrite ^/traced$ /new;\n}")
        _ = try await app.test(.router) { client in
            try await client.execute(uri: "/traced", method: .get)
        }
        // Other tests of the process make spans too.
        let rules = tracer.finishedSpans.filter { $0.operationName == "shunt.decide" }
            .map { $0.attributes["shunt.rule"]?.toSpanAttribute() }
        #expect(rules.contains(.string("rules.conf:2:5")))
    }
}

/// Takes the Host of a request from another header, because the test client sends its own.
private struct AskedHost<Wrapped: HTTPResponder>: HTTPResponder {
    let wrapped: Wrapped

    @concurrent
    func respond(to request: Hummingbird.Request, context: Wrapped.Context) async throws -> Response {
        var head = request.head
        head.authority = head.headerFields[.userAgent]
        return try await wrapped.respond(to: Hummingbird.Request(head: head, body: request.body), context: context)
    }
}

extension TestResponse {
    /// The value of a header; nil where there is none.
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
#endif
