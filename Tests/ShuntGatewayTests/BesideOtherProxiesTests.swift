#if Gateway
import Testing

@testable import ShuntGateway

/// Caddy and HAProxy, which ask a decision service of the form `forward`.
@Suite("Shunt next to Caddy and HAProxy", .serialized)
struct BesideOtherProxiesTests {
    enum Kind: String, CaseIterable {
        case caddy
        case haproxy

        func start(_ recipe: (String) throws -> Recipe) async throws -> RecipeProxy {
            switch self {
            case .caddy: try await .caddy(recipe("beside-caddy"))
            case .haproxy: try await .haproxy(recipe("beside-haproxy"))
            }
        }
    }

    private static func started(_ kind: Kind, _ beside: BesideProxy) async throws -> RecipeProxy {
        try await kind.start { try Recipe($0).asking(beside.service.port, upstream: beside.upstream.port) }
    }

    private static func ask(_ proxy: RecipeProxy, _ request: String, isHead: Bool = false) async throws -> TestResponse?
    {
        let port = proxy.port
        return try await Blocking.run { try BesideProxy.ask(port, request, isHead: isHead) }
    }

    @Test("Each does what the rules decide", .timeLimit(.minutes(10)), arguments: Kind.allCases)
    func decides(_ kind: Kind) async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward, .forwarded) { beside in
            let proxy = try await Self.started(kind, beside)
            let moved = try await Self.ask(proxy, BesideProxy.request("GET /moved?x=1"))
            #expect(moved?.status == 301)
            #expect(moved?["Location"] == "http://a.test/there?x=1")
            #expect(moved?["X-Shunt-Action"] == nil)
            let blocked = try await Self.ask(proxy, BesideProxy.request("GET /blocked"))
            #expect(blocked?.status == 403)
            #expect(blocked?.text == "no")
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /gone"))?.status == 410)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /failing"))?.status == 500)
            // 200 is not leave to continue: the rules have answered.
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /told"))?.text == "told")
            #expect(beside.upstream.requests.isEmpty)
            let closed = BesideProxy.request("GET /closed")
            #expect(try await Self.ask(proxy, closed) == nil)
            let large = String(repeating: "x", count: 1 << 20)
            for method in ["POST", "PUT", "PATCH"] {
                let answer = try await Self.ask(proxy, BesideProxy.request("\(method) /old/x?y=%20", body: large))
                #expect(
                    answer?.text.hasPrefix("\(method) /new/x?y=%20 1048576 ") == true,
                    "\(answer?.text ?? "nothing")"
                )
            }
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

    @Test("Every byte that is encoded stays so", .timeLimit(.minutes(10)), arguments: Kind.allCases)
    func everyByte(_ kind: Kind) async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward, .forwarded) { beside in
            let proxy = try await Self.started(kind, beside)
            for byte in 0...255 {
                let escape = "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
                for target in ["/a\(escape)b?x=\(escape)", "/old/a\(escape)b?\(escape)=&x=+\(escape)&y"] {
                    let asked = try await beside.service.get("/", headers: ["X-Forwarded-Uri: \(target)"])
                    // Caddy encodes more than it has to in a path that was changed.
                    let isDecoded = kind == .caddy && Array("!'()*[]".utf8).contains(UInt8(byte))
                    let expected = asked["X-Shunt-Target"]
                        .map {
                            isDecoded && $0.hasPrefix("/new") ? "GET /new/a\(target.dropFirst(6)) 0 0" : "GET \($0) 0 0"
                        }
                    let found = try await Self.ask(proxy, BesideProxy.request("GET \(target)"))
                    if let expected {
                        #expect(found?.text == expected)
                    } else {
                        #expect(found?.status == asked.status, "\(target)")
                    }
                }
            }
        }
    }

    @Test("A client cannot speak for Shunt", .timeLimit(.minutes(10)), arguments: Kind.allCases)
    func clientsCannotSetHeaders(_ kind: Kind) async throws {
        let rules = """
            server { listen 80;
                location /told { return 200 "$request_uri $scheme $remote_addr"; }
                location /new { rewrite ^ /b?t=x$http_x_shunt_target break; } }
            """
        try await BesideProxy.with(rules, .forward, .forwarded) { beside in
            let proxy = try await Self.started(kind, beside)
            let headers =
                DecisionHeader.allCases.map { "\($0.rawValue): /evil" }
                + ["X-Forwarded-Uri: /evil", "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.1"]
                + ["X-Forwarded-Method: PUT"]
            let told = try await Self.ask(proxy, BesideProxy.request("GET /told", headers))
            #expect(told?.text == "/told http 127.0.0.1")
            let passed = try await Self.ask(proxy, BesideProxy.request("GET /new", headers))
            #expect(passed?.text == "GET /b?t=x 0 0")
            let received = try #require(beside.upstream.requests.last)
            for header in DecisionHeader.allCases { #expect(received[header.rawValue] == nil) }
        }
    }

    @Test("Without Shunt nothing goes through", .timeLimit(.minutes(10)), arguments: Kind.allCases)
    func withoutShunt(_ kind: Kind) async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward, .forwarded) { beside in
            let proxy = try await kind.start { try Recipe($0).asking(1, upstream: beside.upstream.port) }
            let status = try await Self.ask(proxy, BesideProxy.request("GET /old/x"))?.status
            #expect(status == (kind == .caddy ? 502 : 503))
            #expect(beside.upstream.requests.isEmpty)
        }
    }

    @Test("Caddy asks a second instance where it has one", .timeLimit(.minutes(10)))
    func secondInstance() async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward, .forwarded) { beside in
            let proxy = try await RecipeProxy.caddy(
                Recipe("beside-caddy").asking(1, upstream: beside.upstream.port)
                    .replacing(
                        "reverse_proxy 127.0.0.1:1 {",
                        with:
                            "reverse_proxy 127.0.0.1:1 127.0.0.1:\(beside.service.port) {\nlb_policy first\nlb_try_duration 2s\nfail_duration 10s\n"
                    )
            )
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /moved"))?.status == 301)
        }
    }
}
#endif
