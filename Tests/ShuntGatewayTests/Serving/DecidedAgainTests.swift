#if Gateway
import Testing

/// Requests that the rules decide about again, where nginx is no measure.
@Suite struct DecidedAgainTests {
    private static func rules(_ port: UInt16, _ page: String) -> String {
        """
        server {
            listen 80;
            client_max_body_size 0;
            location / { proxy_pass http://127.0.0.1:\(port); proxy_intercept_errors on; error_page 404 \(page); }
            location @other { proxy_pass http://127.0.0.1:\(port); }
            location = /sorry { return 200 sorry; }
        }
        """
    }

    private static func post(_ count: Int) -> String {
        let body = String(repeating: "b", count: count)
        return "POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(count)\r\n\r\n\(body)"
    }

    @Test(
        "A path of X-Accel-Redirect that does not begin with a slash is not found",
        arguments: ["x", "http://b.test/"]
    )
    func relativePath(path: String) async throws {
        let upstream = try TestUpstream { _ in .text("up", headers: ["X-Accel-Redirect: \(path)"]) }
        try await RunningGateway.with(["rules.conf": Self.rules(upstream.port, "/sorry")]) { (gateway) async throws in
            #expect(try await gateway.get("/a").status == 404)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test("A long body that is gone is not sent again", arguments: [("= @other", 502), ("/sorry", 404)])
    func longBody(page: String, status: Int) async throws {
        let upstream = try TestUpstream { _ in .text("up", status: "404 None") }
        try await RunningGateway.with(["rules.conf": Self.rules(upstream.port, page)]) { (gateway) async throws in
            let answer = try await gateway.send(Self.post(3 << 20)).first
            #expect(answer?.status == status)
            #expect(upstream.requests.count == 1)
            // A short one is sent again.
            #expect(try await gateway.send(Self.post(3)).first?.status == 404)
            #expect(upstream.requests.count == (page == "/sorry" ? 2 : 3))
        }
    }
}
#endif
