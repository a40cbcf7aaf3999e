#if Gateway
import Glibc
import NginxOracle
import Shunt
import Testing

/// The life of a connection to a server of a group.
@Suite(.serialized) struct KeptUpstreamConnectionTests {
    /// The number of connections that served requests, with pauses in milliseconds before them.
    static func connections(port: UInt16, _ upstream: TestUpstream, _ pauses: [UInt32]) throws -> Int {
        let before = upstream.connectionCount
        // One connection of a client, so that one event loop serves all of it.
        var connection = try TestConnection(port: port)
        for pause in pauses {
            usleep(pause * 1_000)
            try connection.send("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")
            guard let response = try connection.response() else { throw TestProblem("no response") }
            #expect(response.status == 200)
        }
        return upstream.connectionCount - before
    }

    // The times are a second and more, because other tests may keep the machine busy for some hundred milliseconds.
    @Test(
        "As many connections are made as nginx makes",
        arguments: [
            ("keepalive 8;", [0, 0, 0, 0, 0], 1),
            ("} map $arg_x $option { default close; ", [0, 0, 0], 3),
            ("keepalive 8; keepalive_requests 3;", [0, 0, 0, 0, 0, 0, 0], 3),
            ("keepalive 8; keepalive_requests 1;", [0, 0, 0], 3),
            ("keepalive 8; keepalive_requests 0;", [0, 0, 0], 3),
            ("keepalive 8; keepalive_timeout 1s;", [0, 0, 1_800, 0, 1_800], 3),
            ("keepalive 8; keepalive_timeout 0;", [0, 50, 50], 3),
            ("keepalive 8; keepalive_time 2s;", [0, 300, 300, 1_900, 50, 50], 2),
        ] as [(String, [UInt32], Int)]
    )
    func asNginx(settings: String, pauses: [UInt32], count: Int) async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let option = settings.contains("$option") ? "$option" : "\"\""
        let rules = """
            upstream shop { server 127.0.0.1:\(upstream.port); \(settings) }
            server {
                listen 80;
                location / { proxy_http_version 1.1; proxy_set_header Connection \(option); proxy_pass http://shop; }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            let made = try await Blocking.run { try Self.connections(port: port, upstream, pauses) }
            #expect(made == count)
        }
        guard NginxProcess.executable != nil else { return }
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { try Self.connections(port: $0, upstream, pauses) }
        }
        #expect(expected == count)
    }

    @Test(
        "Settings that nginx refuses are errors",
        arguments: ["keepalive_requests x", "keepalive_requests -1", "keepalive_time 1x", "keepalive_timeout ''"]
    )
    func refused(directive: String) {
        let rules = "upstream u { server 127.0.0.1:1; \(directive); } server { location / { proxy_pass http://u; } }"
        #expect(throws: RuleSetError.self) { try RuleArchive(["rules.conf": rules]).compile() }
    }
}
#endif
