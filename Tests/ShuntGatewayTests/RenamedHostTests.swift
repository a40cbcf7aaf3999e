#if Gateway
import Testing

@testable import ShuntGateway

/// The host that a client is redirected to after `rename_host`.
@Suite("Locations after rename_host")
struct RenamedHostTests {
    @Test("The rules' own Location has the new name, and an upstream's the one that was asked for")
    func locations() async throws {
        let upstream = try TestUpstream { .text("", status: "302 Found", headers: ["Location: \($0["x-to"] ?? "")"]) }
        let rules = """
            rename_host a.test b.test;
            server {
                listen 80;
                server_name b.test;
                location = /own { return 301 /x; }
                location / { proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let own = try await gateway.get("/own")
            #expect(own["location"] == "http://b.test:\(gateway.port)/x")
            let passed = try await gateway.get("/", headers: ["X-To: \(upstream.url)/x"])
            #expect(passed["location"] == "http://a.test:\(gateway.port)/x")
            let relative = try await gateway.get("/", headers: ["X-To: /x"])
            #expect(relative["location"] == "/x")
        }
    }
}
#endif
