#if Gateway
import Shunt
import ShuntGateway
import Testing

/// A page in an operator's browser can neither change the rules nor read them.
@Suite(.serialized) struct AdminGuardTests {
    static let rules = ["rules.conf": "server { return 200 ok; }"]

    /// A request as a browser or a program sends it; `PORT` stands for the port of the listener.
    struct Case: Sendable, CustomTestStringConvertible {
        var line: String
        var host: String
        var headers: [String] = []
        var status: Int

        var testDescription: String { "\(line) \(host) \(headers)" }
    }

    @Test(
        arguments: [
            // Programs.
            Case(line: "GET /rules", host: "127.0.0.1:PORT", status: 200),
            Case(line: "GET /rules", host: "localhost", status: 200),
            Case(line: "GET /rules", host: "LOCALHOST.:PORT", status: 200),
            Case(line: "GET /rules", host: "[::1]:PORT", status: 200),
            Case(line: "GET /metrics", host: "10.1.2.3:9090", status: 200),
            Case(line: "GET /status", host: "admin.internal", status: 200),
            Case(line: "POST /reload", host: "127.0.0.1:PORT", status: 200),
            Case(line: "GET /health", host: "any.example", status: 200),
            Case(line: "GET /ready", host: "any.example", status: 200),
            // A page that was rebound.
            Case(line: "GET /rules", host: "evil.example", status: 421),
            Case(line: "GET /explain?url=http://a/", host: "evil.example:PORT", status: 421),
            Case(line: "POST /reload", host: "evil.example", status: 421),
            Case(line: "GET /status", host: "127.0.0.1.evil.example", status: 421),
            Case(line: "GET /status", host: "localhost@evil.example", status: 421),
            Case(line: "POST /health", host: "evil.example", status: 421),
            // A page of another site.
            Case(line: "POST /reload", host: "127.0.0.1:PORT", headers: ["Origin: https://evil.example"], status: 403),
            Case(line: "POST /reload", host: "127.0.0.1:PORT", headers: ["Origin: null"], status: 403),
            Case(line: "POST /reload", host: "127.0.0.1:PORT", headers: ["Origin: http://127.0.0.1:1"], status: 403),
            Case(line: "POST /reload", host: "127.0.0.1:PORT", headers: ["Sec-Fetch-Site: cross-site"], status: 403),
            Case(line: "POST /reload", host: "localhost:PORT", headers: ["Sec-Fetch-Site: same-site"], status: 403),
            Case(
                line: "POST /reload",
                host: "127.0.0.1:PORT",
                headers: ["Referer: https://evil.example/"],
                status: 403
            ),
            Case(line: "GET /rules", host: "127.0.0.1:PORT", headers: ["Sec-Fetch-Site: cross-site"], status: 403),
            Case(line: "GET /rules", host: "127.0.0.1:PORT", headers: ["Origin: https://evil.example"], status: 403),
            // Its own page.
            Case(
                line: "POST /reload",
                host: "127.0.0.1:PORT",
                headers: ["Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: same-origin"],
                status: 200
            ),
            Case(line: "GET /rules", host: "127.0.0.1:PORT", headers: ["Sec-Fetch-Site: none"], status: 200),
        ]
    )
    func answersOnlyItsOwn(_ asked: Case) async throws {
        try await RunningGateway.with(
            Self.rules,
            options: RunningGateway.Change { $0.adminHosts = ["Admin.internal"] }
        ) { gateway in
            let lines = ["\(asked.line) HTTP/1.1", "Host: \(asked.host)", "Content-Length: 0", "Connection: close"]
            let text = (lines + asked.headers + ["", ""]).joined(separator: "\r\n")
                .replacing("PORT", with: "\(gateway.adminPort)")
            let response = try await gateway.send(text, to: gateway.adminPort).first
            #expect(response?.status == asked.status)
            #expect(response?["x-content-type-options"] == "nosniff")
            #expect(response?["cache-control"] == "no-store")
        }
    }
}
#endif
