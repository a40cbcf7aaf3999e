import ShuntCore
import Testing

@testable import ShuntRules

@Suite("Groups of servers")
struct UpstreamGroupTests {
    private func group(_ block: String) throws -> UpstreamGroup {
        try #require(try RuleSet(text: "upstream Shop { \(block) }").program.tables.upstreamGroups.first)
    }

    @Test(
        "Addresses",
        arguments: [
            ("192.0.2.1", UpstreamGroup.Address.host("192.0.2.1", port: 80)),
            ("192.0.2.1:8080", .host("192.0.2.1", port: 8080)), ("[::1]:81", .host("::1", port: 81)),
            ("App.Example", .host("app.example", port: 80)), ("app_1:443", .host("app_1", port: 443)),
            ("unix:/run/a.sock", .unix("/run/a.sock")),
        ]
    )
    func addresses(_ text: String, _ address: UpstreamGroup.Address) throws {
        #expect(try group("server \(text);").servers.map(\.address) == [address])
    }

    @Test("Parameters of a server")
    func parameters() throws {
        let group = try group(
            "server a:1; server b weight=3 max_conns=7 max_fails=0 fail_timeout=1h30m backup; server c down resolve;"
        )
        #expect(group.name == "shop")
        #expect(group.method == .roundRobin)
        #expect(group.servers.map(\.weight) == [1, 3, 1])
        #expect(group.servers.map(\.maximumConnections) == [0, 7, 0])
        #expect(group.servers.map(\.maximumFailures) == [1, 0, 1])
        #expect(group.servers.map(\.failureTime) == [10, 5_400, 10])
        #expect(group.servers.map(\.isBackup) == [false, true, false])
        #expect(group.servers.map(\.isDown) == [false, false, true])
        #expect(group.servers.map(\.isResolved) == [false, false, true])
    }

    @Test(
        "Times",
        arguments: [
            ("0", 0), ("15", 15), ("15s", 15), ("2m", 120), ("1h 5m", 3_900), ("1d2h3m4s", 93_784), ("1y", 31_536_000),
            ("1M1w", 3_196_800), ("1m30", 90),
        ]
    )
    func times(_ text: String, _ seconds: Int) {
        #expect(ConfigurationUnits.seconds(Array(text.utf8)[...]) == seconds)
    }

    @Test("Invalid times", arguments: ["", "s", "5x", "1s1m", "1m1m", "1ms", "-1", "1 5", "99999999999y"])
    func noTimes(_ text: String) {
        #expect(ConfigurationUnits.seconds(Array(text.utf8)[...]) == nil)
    }

    @Test(
        "The method, whose last one holds",
        arguments: [
            ("least_conn;", UpstreamGroup.Method.leastConnections), ("ip_hash;", .clientAddress),
            ("ip_hash; least_conn;", .leastConnections), ("keepalive 16;", .roundRobin),
            ("hash $uri;", .key), ("hash $uri consistent;", .consistentKey), ("random;", .random),
            ("random two;", .randomOfTwo), ("random two least_conn;", .randomOfTwo),
        ]
    )
    func methods(_ text: String, _ method: UpstreamGroup.Method) throws {
        #expect(try group(text + " server a;").method == method)
    }

    @Test(
        "A setting without effect is a warning",
        arguments: [("random two least_time=header", "unused-balancing"), ("queue 5", "not-served")]
    )
    func warnings(_ text: String, _ code: String) throws {
        let rules = try RuleSet(text: "upstream shop { \(text); server a; }")
        #expect(rules.diagnostics.map(\.code) == [code])
    }

    @Test(
        "Invalid methods",
        arguments: [
            ("hash $uri x;", "invalid-value"), ("random three;", "invalid-value"), ("random two x;", "invalid-value"),
            ("hash $nothing;", "unknown-variable"), ("hash $uri; server b backup;", "unsupported-backup"),
            ("random; server b backup;", "unsupported-backup"),
        ]
    )
    func noMethods(_ text: String, _ code: String) {
        let failure = #expect(throws: RuleSetError.self) { try RuleSet(text: "upstream shop { \(text) server a; }") }
        #expect(failure?.diagnostics.map(\.code) == [code])
    }

    @Test("Names of headers that are hidden are collected in their order, and replace those of the level above")
    func hiddenHeaders() throws {
        let names = (0..<300).map { "X-\($0)" }
        let lines = names.map { "proxy_hide_header \($0); proxy_pass_header Y\($0);\n" }.joined()
        let text = "server { proxy_hide_header Z; location / { proxy_pass http://a.test; \(lines) } }"
        let settings = try RuleSet(text: text).program.tables.upstreamSettings
        let expected = names.map { $0.lowercased() }
        #expect(settings.contains { $0.hiddenHeaders == expected && $0.passedHeaders.count == names.count })
        #expect(settings.contains { $0.hiddenHeaders == ["z"] })
    }
}
