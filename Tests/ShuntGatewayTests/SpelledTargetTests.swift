#if Gateway
import Shunt
import ShuntGateway
import Testing

/// A rule on whole URLs is not avoided by how a request is written.
@Suite(.serialized) struct SpelledTargetTests {
    @Test(
        "Each spelling of a blocked page is blocked, and other pages reach the upstream as they were written",
        arguments: [
            [:], ["server.conf": "server { listen 80; location / { } }"],
        ]
    )
    func blocked(servers: [String: String]) async throws {
        var rules = servers
        rules["rules.conf"] = "block ^~ http://www.example.com/private/ 410; block ~ ^https?://[^/]+/wp-admin 410;"
        let upstream = try TestUpstream { _ in .text("reached") }
        try await RunningGateway.with(rules, options: .upstream(upstream)) { gateway in
            for target in [
                "/private/", "/%70rivate/", "//private/", "/x/../private/", "/x/%2e%2e/private/", "/wp-admin",
                "//wp-admin",
                "HTTP://www.example.com/private/", "http://WWW.example.com:80/private/",
                "http://www.example.com.//private/",
                "HTTP://www.example.com/wp-admin",
            ] {
                for host in ["www.example.com", "WWW.EXAMPLE.com.", "www.example.com:80"] {
                    let response = try await gateway.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n").first
                    #expect(response?.status == 410, "\(target) \(host)")
                }
            }
            #expect(upstream.requests.isEmpty)
            _ = try await gateway.send("GET /%6fpen/x//y HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
            #expect(upstream.requests.last?.line == "GET /%6fpen/x//y HTTP/1.1")
        }
    }
}
#endif
