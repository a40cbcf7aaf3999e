#if Gateway
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// The admin listener.
@Suite(.serialized) struct AdminTests {
    static let good = [
        "rules.conf": "server {\n    location /a { return 301 /b; }\n    location /c { return 200 c; }\n}\n"
    ]

    @Test func reports() async throws {
        try await RunningGateway.with(Self.good) { gateway in
            for _ in 0..<3 { _ = try await gateway.get("/a") }
            let admin = gateway.adminPort
            #expect(try await gateway.get("/health", from: admin).text == "ok\n")
            #expect(try await gateway.get("/ready", from: admin).text == "ready\n")
            let version = try await gateway.get("/version", from: admin)
            #expect(version["content-type"] == "application/json")
            #expect(version.text.contains(#""version":1,"hash":""#))
            let rules = try await gateway.get("/rules", from: admin).text
            #expect(rules.contains(#"rules.conf:2:19","text":"return 301 /b","hits":3,"last_hit":""#))
            #expect(rules.contains(#"rules.conf:3:19","text":"return 200 c","hits":0}"#))
            let found = try await gateway.get("/rules?limit=5&q=location%20/A", from: admin).text
            #expect(found.contains(#"rules.conf:2:19","text":"return 301 /b","in":"location /a","hits":3,"#))
            let explained = try await gateway.get("/explain?url=http%3A%2F%2Fa.test%2Fa%3Fx", from: admin).text
            #expect(explained.contains(#""decision":"redirect","status":301"#))
            #expect(explained.contains(#""kind":"location""#))
            #expect(try await gateway.get("/explain", from: admin).status == 400)
            for (wrong, problem) in [
                ("remote=127.0.0.300", "remote is not an IP address: \"127.0.0.300\"\n"),
                ("remote=203.0.113.7/32", "remote is not an IP address: \"203.0.113.7/32\"\n"),
                ("Remote=127.0.0.1", "unknown argument \"Remote\"\n"), ("header=Bad", "write header=Name: value\n"),
            ] {
                let refused = try await gateway.get("/explain?url=http://a.test/a&\(wrong)", from: admin)
                #expect(refused.status == 400 && refused.text == problem)
            }
            #expect(try await gateway.get("/elsewhere", from: admin).status == 404)
            let metrics = try await gateway.get("/metrics", from: admin).text
            #expect(metrics.contains("shunt_decisions_total{decision=\"redirect\"} 3\n"))
            #expect(metrics.contains("shunt_responses_total{status=\"3xx\"} 3\n"))
            #expect(metrics.contains("shunt_request_duration_seconds_count 3\n"))
            #expect(metrics.contains("rules.conf:2:19\",name=\"\"} 1\n"))
            #expect(metrics.contains("shunt_connections_total 3\n"))
        }
    }

    @Test("The hits of a rule are one series wherever its line moves, and its identifier is that of /rules")
    func seriesOfARule() async throws {
        let rules = try #require(Self.good["rules.conf"])
        try await RunningGateway.with(Self.good) { gateway in
            func series() async throws -> [Substring: Substring] {
                let text = try await gateway.get("/metrics", from: gateway.adminPort).text
                let lines = text.matches(of: /shunt_rule_hits_total{rule="([0-9a-f]+)"} (\d+)/)
                return Dictionary(uniqueKeysWithValues: lines.map { ($0.1, $0.2) })
            }
            for _ in 0..<3 { _ = try await gateway.get("/a") }
            _ = try await gateway.get("/c")
            let before = try await series()
            #expect(before.values.sorted() == ["1", "3"])
            for id in before.keys {
                #expect(try await gateway.get("/rules/\(id)", from: gateway.adminPort).status == 200)
            }
            try gateway.directory.replace("rules.conf", "# Moved\n\n" + rules)
            let post = "POST /reload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            #expect(try await gateway.send(post, to: gateway.adminPort).first?.status == 200)
            #expect(try await series() == before)
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("rules.conf:4:19\",name=\"\"} 1\n"))
        }
    }

    @Test func reloads() async throws {
        try await RunningGateway.with(Self.good) { gateway in
            let post = "POST /reload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            #expect(try await gateway.get("/reload", from: gateway.adminPort).status != 200)
            try gateway.directory.replace("rules.conf", "server { location /a { return 302 /n; } }")
            let response = try await gateway.send(post, to: gateway.adminPort).first
            #expect(response?.status == 200)
            #expect(response?.text.contains(#""version":2"#) == true)
            #expect(try await gateway.get("/a").status == 302)

            try gateway.directory.replace("rules.conf", "server { locatoin /a { return 303 /n; } }")
            let refused = try await gateway.send(post, to: gateway.adminPort).first
            #expect(refused?.status == 422)
            #expect(refused?.text.contains(#""outcome":"failed","reason":"invalid""#) == true)
            #expect(refused?.text.contains("rules.conf:1:10") == true)
            #expect(try await gateway.get("/a").status == 302)
            let status = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(status.contains(#""failures":1"#))
            #expect(status.contains("locatoin"))
            #expect(gateway.messages.all.contains { $0.contains("warning") && $0.contains("rules.conf:1:10: error:") })
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("shunt_rules_stale 1\n"))
        }
    }

    @Test func drains() async throws {
        let upstream = try TestUpstream { _ in .text("slow") }
        try await RunningGateway.with(
            ["rules.conf": "server { location /fixed { return 200 fixed; } }"],
            options: RunningGateway.Change { ($0.upstream, $0.shutdownTimeout) = (UpstreamAddress(upstream.url), 300) }
        ) { gateway in
            let port = gateway.port
            // A request of which half has come when the shutdown begins is still answered.
            let connection = try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
                #expect(try connection.response()?.status == 100)
                return SendableConnection(connection)
            }
            await gateway.shutDown()
            // The gateway closes its door, then notifies the connections. Each round of questions takes all event
            // loops.
            try await Blocking.run { while (try? TestConnection(port: port)) != nil {} }
            for _ in 0..<8 {
                #expect(try await gateway.get("/ready", from: gateway.adminPort).status == 503)
            }
            let response = try await Blocking.run { try connection.finish("abcd") }
            #expect(response?.text == "slow")
            #expect(response?["connection"] == "close")
        }
    }
}

/// A connection that is handed from one thread to the next.
final class SendableConnection: @unchecked Sendable {
    private var connection: TestConnection

    init(_ connection: consuming TestConnection) { self.connection = connection }

    /// Returns true if the gateway has closed the connection; waits for it.
    func isAtEnd() throws -> Bool { try connection.isAtEnd() }

    /// Sends the rest of a request and reads the response.
    func finish(_ rest: String) throws -> TestResponse? {
        try connection.send(rest)
        return try connection.response()
    }
}
#endif
