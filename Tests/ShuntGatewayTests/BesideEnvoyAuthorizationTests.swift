#if Gateway
import TestFolder
import Testing

@testable import ShuntGateway

/// Envoy, which asks a decision service by its filter `ext_authz`.
@Suite(
    "Shunt next to Envoy, without rewrites",
    .serialized,
    .enabled(if: RecipeProxy.envoyProgram != nil, RecipeProxy.missingEnvoy)
)
struct BesideEnvoyAuthorizationTests {
    private static func started(_ beside: BesideProxy) async throws -> RecipeProxy {
        try await .envoy(
            Recipe("beside-envoy").asking(beside.service.port, upstream: beside.upstream.port),
            "ext-authz.yaml"
        )
    }

    private static func ask(_ proxy: RecipeProxy, _ request: String, isHead: Bool = false) async throws -> TestResponse?
    {
        try await BesideEnvoyTests.ask(proxy, request, isHead: isHead)
    }

    @Test("Clients get redirects and blocks, and the rest continues unchanged", .timeLimit(.minutes(10)))
    func decides() async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward) { beside in
            let proxy = try await Self.started(beside)
            let moved = try await Self.ask(proxy, BesideProxy.request("GET /moved?x=1"))
            #expect(moved?.status == 301)
            #expect(moved?["Location"] == "http://a.test/there?x=1")
            let blocked = try await Self.ask(proxy, BesideProxy.request("POST /blocked", body: "abc"))
            #expect(blocked?.status == 403)
            #expect(blocked?.text == "no")
            for header in DecisionHeader.allCases { #expect(blocked?[header.rawValue] == nil) }
            let head = try await Self.ask(proxy, BesideProxy.request("HEAD /blocked"), isHead: true)
            #expect(head?.status == 403)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /gone"))?.status == 410)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /closed"))?.status == 403)
            #expect(beside.upstream.requests.isEmpty)
            let large = String(repeating: "x", count: 1 << 20)
            let posted = try await Self.ask(proxy, BesideProxy.request("POST /x%20?y=%20", body: large))
            #expect(posted?.text.hasPrefix("POST /x%20?y=%20 1048576 ") == true)
            let got = try await Self.ask(proxy, BesideProxy.request("HEAD /x"), isHead: true)
            #expect(got?.status == 200)
        }
    }

    @Test("Limits are as the recipe states", .timeLimit(.minutes(10)))
    func limits() async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward) { beside in
            let proxy = try await Self.started(beside)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /old/x"))?.text == "GET /old/x 0 0")
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /told"))?.text == "GET /told 0 0")
            let failing = try await Self.ask(proxy, BesideProxy.request("GET /failing"))
            #expect(failing?.status == 403)
            #expect(failing?.text == "")
        }
    }

    @Test("A client cannot speak for Shunt", .timeLimit(.minutes(10)))
    func clientsCannotSetHeaders() async throws {
        let rules = """
            server { listen 80;
                location /told { return 403 "$request_uri $scheme $remote_addr $http_x_role"; }
                location /seen { if ($http_x_shunt_target) { return 403; } } }
            """
        try await BesideProxy.with(rules, .forward) { beside in
            let proxy = try await Self.started(beside)
            let headers =
                DecisionHeader.allCases.map { "\($0.rawValue): /evil" }
                + [
                    "X-Forwarded-Uri: /evil", "X-Forwarded-Proto: https", "X-Forwarded-For: 192.0.2.1",
                    "X-Role: reader",
                ]
            let told = try await Self.ask(proxy, BesideProxy.request("GET /told", headers))
            #expect(told?.text == "/told http 127.0.0.1 reader")
            let seen = try await Self.ask(proxy, BesideProxy.request("GET /seen", headers))
            #expect(seen?.text == "GET /seen 0 0")
            let received = try #require(beside.upstream.requests.last)
            for header in DecisionHeader.allCases { #expect(received[header.rawValue] == nil) }
        }
    }

    @Test("Without Shunt the recipe answers 403, or lets everything through", .timeLimit(.minutes(10)))
    func withoutShunt() async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward) { beside in
            let stopped = try Recipe("beside-envoy").asking(1, upstream: beside.upstream.port)
            let closed = try await RecipeProxy.envoy(stopped, "ext-authz.yaml")
            #expect(try await Self.ask(closed, BesideProxy.request("GET /moved"))?.status == 403)
            #expect(beside.upstream.requests.isEmpty)
            let open = try await RecipeProxy.envoy(
                stopped.replacing(BesideEnvoyTests.closedDoor, with: BesideEnvoyTests.openDoor),
                "ext-authz.yaml"
            )
            #expect(try await Self.ask(open, BesideProxy.request("GET /moved"))?.text == "GET /moved 0 0")
        }
    }

    @Test("If failures pass, so do answers of rules with 500 and more", .timeLimit(.minutes(10)))
    func openDoor() async throws {
        try await BesideProxy.with(BesideProxy.rules, .forward) { beside in
            let open = try Recipe("beside-envoy").asking(beside.service.port, upstream: beside.upstream.port)
                .replacing(BesideEnvoyTests.closedDoor, with: BesideEnvoyTests.openDoor)
            let proxy = try await RecipeProxy.envoy(open, "ext-authz.yaml")
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /blocked"))?.status == 403)
            #expect(try await Self.ask(proxy, BesideProxy.request("GET /failing"))?.text == "GET /failing 0 0")
        }
    }
}
#endif
