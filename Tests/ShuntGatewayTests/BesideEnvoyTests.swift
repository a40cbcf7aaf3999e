#if Gateway
import Glibc
import TestFolder
import Testing

@testable import ShuntGateway

/// Envoy, which asks a decision service by its filter `ext_proc`.
@Suite(
    "Shunt next to Envoy",
    .serialized,
    .enabled(if: RecipeProxy.envoyProgram != nil, RecipeProxy.missingEnvoy)
)
struct BesideEnvoyTests {
    private static func recipe(_ beside: BesideProxy) throws -> Recipe {
        try Recipe("beside-envoy").asking(beside.service.port, upstream: beside.upstream.port)
    }

    private static func started(_ recipe: Recipe) async throws -> RecipeProxy {
        try await .envoy(recipe, "ext-proc.yaml")
    }

    static func ask(_ proxy: RecipeProxy, _ request: [UInt8], isHead: Bool = false) async throws -> TestResponse? {
        let port = proxy.port
        return try await Blocking.run { try BesideProxy.ask(port, request, isHead: isHead) }
    }

    static func ask(_ proxy: RecipeProxy, _ request: String, isHead: Bool = false) async throws -> TestResponse? {
        try await ask(proxy, Array(request.utf8), isHead: isHead)
    }

    @Test("It does what the rules decide", .timeLimit(.minutes(10)))
    func decides() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let proxy = try await Self.started(try Self.recipe(beside))
            let moved = try await Self.ask(proxy, BesideProxy.request("GET /moved?x=1"))
            #expect(moved?.status == 301)
            #expect(moved?["Location"] == "http://a.test/there?x=1")
            let blocked = try await Self.ask(proxy, BesideProxy.request("POST /blocked", body: "abc"))
            #expect(blocked?.status == 403)
            #expect(blocked?.text == "no")
            for header in DecisionHeader.allCases {
                #expect(moved?[header.rawValue] == nil)
                #expect(blocked?[header.rawValue] == nil)
            }
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /gone"))?.status == 410)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /failing"))?.status == 500)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /closed"))?.status == 403)
            let told = try await Self.ask(proxy, BesideProxy.request("GET /told"))
            #expect(told?.status == 200)
            #expect(told?.text == "told")
            let head = try await Self.ask(proxy, BesideProxy.request("HEAD /blocked"), isHead: true)
            #expect(head?.status == 403)
            // Envoy has no such upstream.
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /named/x"))?.status == 503)
            #expect(beside.upstream.requests.isEmpty)
        }
    }

    @Test("Requests continue with their method, their body and their new target", .timeLimit(.minutes(10)))
    func goesOn() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let proxy = try await Self.started(try Self.recipe(beside))
            let large = String(repeating: "x", count: 1 << 20)
            for method in ["POST", "PUT", "PATCH"] {
                let answer = try await Self.ask(proxy, BesideProxy.request("\(method) /old/x?y=%20", body: large))
                #expect(answer?.text.hasPrefix("\(method) /new/x?y=%20 1048576 ") == true, "\(method)")
            }
            let chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            let chunked = try await Self.ask(proxy, "POST /old/chunks HTTP/1.1\r\nHost: a.test\r\n\(chunks)")
            #expect(chunked?.text.hasPrefix("POST /new/chunks 3 ") == true)
            for method in ["GET", "DELETE"] {
                let answer = try await Self.ask(proxy, BesideProxy.request("\(method) /old/x"))
                #expect(answer?.text == "\(method) /new/x 0 0")
            }
            let head = try await Self.ask(proxy, BesideProxy.request("HEAD /old/x"), isHead: true)
            #expect(head?.status == 200)
            #expect(beside.upstream.requests.last?.line == "HEAD /new/x HTTP/1.1")
            #expect(beside.upstream.requests.last?["Host"] == "a.test")
        }
    }

    @Test("Rules choose the cluster by its name, the host and headers for the upstream", .timeLimit(.minutes(10)))
    func upstreams() async throws {
        let upstream = try BesideProxy.upstream()
        let rules = """
            server { listen 80;
                location /named/ { proxy_pass \(upstream.url)/path/; proxy_set_header X-Role reader;
                    proxy_set_header X-Gone ""; proxy_set_header Content-Length 1; }
                location /host/ { proxy_pass \(upstream.url); proxy_set_header Host other.test; } }
            """
        try await BesideProxy.with(rules, .extProc) { beside in
            let cluster = """

                    - name: \(upstream.url)
                      load_assignment:
                        cluster_name: other
                        endpoints:
                          - lb_endpoints:
                              - endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: \(upstream.port) } } }

                """
            let recipe = Recipe(files: ["ext-proc.yaml": try Self.recipe(beside)["ext-proc.yaml"] + cluster])
            let proxy = try await Self.started(recipe)
            let headers = ["X-Role: admin", "X-Role: root", "X-Gone: 1", "X-Shunt-Upstream: http://evil"]
            let named = try await Self.ask(proxy, BesideProxy.request("POST /named/x", headers, body: "abc"))
            #expect(named?.text.hasPrefix("POST /path/x 3 ") == true, "\(named?.text ?? "nothing")")
            let received = try #require(upstream.requests.first)
            #expect(received["Host"] == "127.0.0.1:\(upstream.port)")
            #expect(received["X-Role"] == "reader")
            #expect(received["X-Gone"] == nil)
            #expect(received["Content-Length"] == "3")
            _ = try await Self.ask(proxy, BesideProxy.request("GET /host/x"))
            #expect(upstream.requests.last?["Host"] == "other.test")
            // Envoy reads no header for the host, and a client has none to name a cluster.
            let passed = try await Self.ask(proxy, BesideProxy.request("GET /x", headers))
            #expect(passed?.text == "GET /x 0 0")
            #expect(beside.upstream.requests.count == 1)
        }
    }

    @Test("Every byte that is encoded stays so", .timeLimit(.minutes(10)))
    func everyByte() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let proxy = try await Self.started(try Self.recipe(beside))
            var arrived = 0
            for byte in 0...255 {
                let escape = "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
                for target in ["/a\(escape)b?x=\(escape)", "/old/a\(escape)b?\(escape)=&x=+\(escape)&y"] {
                    let asked = try await EnvoyQuestion("GET \(target)").ask(beside.service)
                    let found = try await Self.ask(proxy, BesideProxy.request("GET \(target)"))
                    if let path = asked["X-Shunt-Target"] {
                        arrived += 1
                        #expect(found?.text == "GET \(path) 0 0", "\(found?.status ?? 0)")
                    } else {
                        #expect(found?.status == asked.status, "\(target)")
                    }
                }
            }
            #expect(arrived > 500)
        }
    }

    @Test("Random rules and requests", .timeLimit(.minutes(20)))
    func randomRules() async throws {
        try await BesideProxy.with("server { return 200; }", .extProc) { beside in
            let proxy = try await Self.started(try Self.recipe(beside))
            let random = BesideRandom(sets: 40, seed: 8_000)
            // Envoy takes only methods that it knows, closes no connection, and asks no server that is not in its
            // configuration.
            let count = try await random.compare(beside, proxy.port) { method in
                !method.contains("-") && !method.contains("_")
            } status: { status in
                status == nil ? 403 : status == 502 ? 503 : status
            }
            print("\(count) requests beside Envoy as without it")
            #expect(count > random.sets * 5)
        }
    }

    @Test("A client cannot speak for Shunt, nor for Envoy", .timeLimit(.minutes(10)))
    func clientsCannotSetHeaders() async throws {
        let rules = """
            server { listen 80;
                location /told { return 200 "$request_uri $scheme $remote_addr $host"; }
                location /new { rewrite ^ /b?t=x$http_x_shunt_target break; } }
            """
        try await BesideProxy.with(rules, .extProc) { beside in
            let proxy = try await Self.started(try Self.recipe(beside))
            let headers =
                DecisionHeader.allCases.map { "\($0.rawValue): /evil" }
                + ["X-Forwarded-Uri: /evil", "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.1"]
                + [
                    "X-Forwarded-Host: evil.test", "X-Original-URL: /evil", "X-Shunt-Other: evil",
                    "X_Shunt_Target: evil",
                ]
            let told = try await Self.ask(proxy, BesideProxy.request("GET /told", headers))
            #expect(told?.text == "/told http 127.0.0.1 a.test")
            let passed = try await Self.ask(proxy, BesideProxy.request("GET /new", headers))
            #expect(passed?.text == "GET /b?t=x 0 0")
            let received = try #require(beside.upstream.requests.last)
            let names = received.headers.map { $0.name.lowercased().replacing("_", with: "-") }
            #expect(!names.contains { $0.hasPrefix("x-shunt-") }, "\(names)")
        }
    }

    @Test("Without Shunt the recipe answers 500, or lets everything through", .timeLimit(.minutes(10)))
    func withoutShunt() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let stopped = try Recipe("beside-envoy").asking(1, upstream: beside.upstream.port)
            let request = BesideProxy.request("GET /moved", ["X-Shunt-Upstream: http://evil"])
            let closed = try await Self.started(stopped)
            #expect(try await Self.ask(closed, request)?.status == 500)
            #expect(beside.upstream.requests.isEmpty)
            let open = try await Self.started(try stopped.replacing(Self.closedDoor, with: Self.openDoor))
            #expect(try await Self.ask(open, request)?.text == "GET /moved 0 0")
            #expect(beside.upstream.requests.last?["X-Shunt-Upstream"] == nil)
        }
    }

    @Test("A second instance is asked where the first does not answer", .timeLimit(.minutes(10)))
    func secondInstance() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let recipe = try Recipe("beside-envoy").asking(1, upstream: beside.upstream.port)
                .replacing("# - endpoint", with: "- endpoint")
                .replacing("port_value: 9001", with: "port_value: \(beside.service.port)")
            let proxy = try await Self.started(recipe)
            for _ in 0..<10 {
                #expect(try await Self.ask(proxy, BesideProxy.request("GET /moved"))?.status == 301)
            }
        }
    }

    static let closedDoor = "failure_mode_allow: false"
    static let openDoor = "failure_mode_allow: true"

    @Test("Requests that Shunt refuses do not pass where failures do", .timeLimit(.minutes(10)))
    func refusals() async throws {
        try await BesideProxy.with(BesideProxy.rules, .extProc) { beside in
            let open = try Self.recipe(beside).replacing(Self.closedDoor, with: Self.openDoor)
            let proxy = try await Self.started(open)
            let (before, after) = ("GET /moved HTTP/1.1\r\nHost: a.test\r\n", "\r\n\r\n")
            let long = String(repeating: "a", count: 40_000)
            let requests: [(line: [UInt8], status: Int)] = [
                (Array("X-A: ".utf8) + [0xff], 400), (Array("Host: b.test".utf8), 400),
                (Array("X-A: \(long)".utf8), 301), (Array("X-A: \(long)\r\nX-B: \(long)".utf8), 431),
            ]
            for (line, status) in requests {
                let found = try await Self.ask(proxy, Array(before.utf8) + line + Array(after.utf8))
                #expect(found?.status == status, "\(String(decoding: line.prefix(20), as: UTF8.self))")
            }
            for host in ["a b", "a.test,b.test", "a.test/x", "user@a.test"] {
                let found = try await Self.ask(proxy, "GET /moved HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(found?.status == 400, "\(host)")
            }
            #expect(beside.upstream.requests.isEmpty)
        }
    }

    @Test("An observer gets every request, and no client waits for it", .timeLimit(.minutes(10)))
    func observes() async throws {
        let change = RunningGateway.Change { options in
            BesideProxy.change(.observe, .extProc).apply(&options)
            options.accessLog = options.rules + "/decisions"
        }
        let upstream = try BesideProxy.upstream()
        try await RunningGateway.with(["rules.conf": BesideProxy.rules], options: change) { service in
            let recipe = try Recipe("beside-envoy").asking(service.port, upstream: upstream.port)
            let proxy = try await RecipeProxy.envoy(recipe, "observe.yaml")
            let response = try await Self.ask(proxy, BesideProxy.request("POST /moved?x=1", body: "abc"))
            #expect(response?.text.hasPrefix("POST /moved?x=1 3 ") == true)
            try await Wait.until("the log is written") { try service.directory.text("decisions").contains("\n") }
            let line = try service.directory.text("decisions")
            #expect(line.contains(#""method":"POST""#) && line.contains(#""decided_status":301"#), "\(line)")
            #expect(line.contains(#""client":"127.0.0.1""#), "\(line)")
            let stopped = try Recipe("beside-envoy").asking(1, upstream: upstream.port)
            let alone = try await RecipeProxy.envoy(stopped, "observe.yaml")
            let unobserved = try await Self.ask(alone, BesideProxy.request("GET /moved"))
            #expect(unobserved?.text == "GET /moved 0 0")
        }
    }
}
#endif
