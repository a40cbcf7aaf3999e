#if Gateway
import Foundation
import NginxOracle
import SeededRandom
import Shunt
import TestSettings
import Testing

/// Random groups, servers that fail in every way, and random `proxy_next_upstream`: nginx and the gateway ask the same servers.
///
/// `SHUNT_BALANCE_SEED` is the first seed, `SHUNT_BALANCE_SEEDS` how many are run.
@Suite(.serialized) struct RandomBalanceTests {
    static let seeds: Range<UInt64> = {
        let first = UInt64(TestSettings.balanceSeed)
        return first..<(first + UInt64(TestSettings.balanceSeeds))
    }()

    /// The number of configurations for each seed; one nginx serves them all.
    static let configurations = 12

    struct Configuration {
        var text: String
        var methods: [String]

        /// True if the servers do not depend on the moment when an answer is known to have ended: each request has a
        /// separate connection then, on another event loop than the one before.
        var usesNewConnections: Bool { !text.contains("max_conns") && !text.contains("least_conn") }
    }

    static func configuration(_ number: Int, _ servers: BalancedServers, _ count: Int, _ random: inout SeededGenerator)
        -> Configuration
    {
        let method = random.pick([
            "", "", "", "least_conn;", "ip_hash;", "hash $args;", "hash $args consistent;", "hash $arg_none;",
        ])
        let allowsBackup = method.isEmpty || method == "least_conn;"
        var lines: [String] = []
        for index in 0..<(1 + random.below(4)) {
            var words = random.below(6) == 0 ? "{dead}" : "{\(random.below(count))}"
            if random.below(3) == 0 { words += " weight=\(1 + random.below(5))" }
            if random.below(3) == 0 { words += " max_fails=\(random.below(4))" }
            if random.below(8) == 0 { words += " max_conns=\(random.below(3))" }
            if random.below(8) == 0 { words += " down" }
            if allowsBackup, index > 0, random.below(4) == 0 { words += " backup" }
            lines.append("server \(words);")
        }
        var location = ""
        if random.below(2) == 0 {
            var words = [
                "error", "timeout", "invalid_header", "http_500", "http_502", "http_503", "http_504", "http_403",
                "http_404", "http_429", "non_idempotent",
            ]
            .filter { _ in random.below(3) == 0 }
            if words.isEmpty { words = ["off"] }
            location += "proxy_next_upstream \(words.joined(separator: " "));"
        }
        if random.below(4) == 0 { location += "proxy_next_upstream_tries \(random.below(4));" }
        let name = "g\(number)"
        let text = """
            upstream \(name) { \(method) \(servers.filled(lines.joined(separator: " "))) }
            server { listen 80; server_name \(name).test; location / { \(location) proxy_pass http://\(name); } }

            """
        let methods = (0..<(4 + random.below(10)))
            .map { _ in random.pick(["GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD"]) }
        return Configuration(text: text, methods: methods)
    }

    @Test("Random groups are balanced and failed over as nginx does, by all event loops together", arguments: seeds)
    func asNginx(seed: UInt64) async throws {
        guard NginxProcess.executable != nil else { return }
        var random = SeededGenerator(seed: seed)
        let behaviours: [BalancedServers.Behaviour] = [
            .answer, .answer, .answer, .breakOff, .nonsense, .status(500), .status(502), .status(503), .status(504),
            .status(403), .status(404), .status(429),
        ]
        let servers = try BalancedServers(behaviours)
        let configurations = (0..<Self.configurations)
            .map { Self.configuration($0, servers, behaviours.count, &random) }
        let rules = configurations.map(\.text).joined()
        let ask: @Sendable (UInt16) throws -> [String] = { port in
            try configurations.enumerated()
                .map { number, configuration in
                    let outcome = try servers.ask(
                        port: port,
                        configuration.methods,
                        host: "g\(number).test",
                        onNewConnections: configuration.usesNewConnections
                    )
                    return "\(outcome.statuses) \(outcome.servers)"
                }
        }
        let expected = try await Blocking.run { try RealNginx.with(rules) { try ask($0) } }
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            let found = try await Blocking.run { try ask(port) }
            for (index, (mine, theirs)) in zip(found, expected).enumerated() {
                #expect(mine == theirs, "\(configurations[index].text)\(configurations[index].methods)")
            }
        }
    }
}
#endif
