#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// `upstream` groups: each request goes to the server that nginx chooses.
@Suite(.serialized) struct UpstreamGroupTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var behaviours: [BalancedServers.Behaviour]
        var group: String
        var methods: [String]

        var testDescription: String { name }

        init(_ name: String, _ behaviours: [BalancedServers.Behaviour], _ group: String, _ methods: [String]) {
            self.name = name
            self.behaviours = behaviours
            self.group = group
            self.methods = methods
        }
    }

    static let cases: [Case] = [
        Case("in turn", [.answer, .answer, .answer], "server {0}; server {1}; server {2};", gets(30)),
        Case(
            "by weight",
            [.answer, .answer, .answer],
            "server {0} weight=5; server {1}; server {2} weight=3;",
            gets(1_000)
        ),
        Case("one is down", [.answer, .answer], "server {0}; server {1} down; server {0};", gets(12)),
        Case("all are down", [.answer], "server {0} down; server {0} down;", gets(3)),
        Case("a backup is not asked", [.answer, .answer], "server {0}; server {1} backup;", gets(8)),
        Case("a backup is asked", [.breakOff, .answer], "server {0}; server {1} backup;", gets(8)),
        Case(
            "several backups",
            [.breakOff, .answer, .answer],
            "server {0}; server {1} backup; server {2} backup;",
            gets(9)
        ),
        Case("nobody listens at one", [.answer], "server {dead}; server {0};", gets(8)),
        Case("nobody listens at any", [], "server {dead}; server {dead};", gets(4)),
        Case("one alone breaks off", [.breakOff], "server {0};", gets(4)),
        Case("one breaks off", [.answer, .breakOff, .answer], "server {0}; server {1}; server {2};", gets(12)),
        Case("all break off", [.breakOff, .breakOff], "server {0}; server {1};", gets(5)),
        Case(
            "three failures are allowed",
            [.answer, .breakOff],
            "server {0}; server {1} max_fails=3;",
            gets(20)
        ),
        Case(
            "failures do not count",
            [.answer, .breakOff],
            "server {0} weight=3; server {1} weight=2 max_fails=0;",
            gets(20)
        ),
        Case(
            "failures lower a weight",
            [.answer, .breakOff, .answer],
            "server {0} weight=2; server {1} weight=9 max_fails=3; server {2};",
            gets(40)
        ),
        Case("nonsense is not asked again", [.nonsense, .answer], "server {0}; server {1};", gets(6)),
        Case(
            "a POST that was sent is not sent again",
            [.breakOff, .answer],
            "server {0}; server {1};",
            ["POST", "POST", "GET", "POST"]
        ),
        Case("a POST that nobody took is", [.answer], "server {dead}; server {0};", ["POST", "POST", "GET", "PUT"]),
        Case("DELETE is sent again", [.breakOff, .answer], "server {0}; server {1};", ["DELETE", "GET", "DELETE"]),
        Case(
            "by the client's network",
            [.answer, .answer, .answer],
            "ip_hash; server {0}; server {1} weight=2; server {2};",
            gets(6)
        ),
        Case(
            "by the client's network, whose server is down",
            [.answer, .answer, .answer, .answer],
            "ip_hash; server {0} down; server {1} down; server {2}; server {3} down;",
            gets(6)
        ),
        Case(
            "by the client's network, whose servers fail",
            [.breakOff, .breakOff, .breakOff, .answer, .breakOff],
            "ip_hash; server {0}; server {1} weight=3; server {2}; server {3}; server {4} weight=2;",
            gets(12)
        ),
        Case(
            "by connections, of which there are none",
            [.answer, .answer, .answer],
            "least_conn; server {0} weight=4; server {1}; server {2} weight=2;",
            gets(60)
        ),
        Case(
            "by connections, with a server that breaks off and a backup",
            [.breakOff, .answer, .answer],
            "least_conn; server {0} weight=4 max_fails=2; server {1}; server {2} backup;",
            gets(20)
        ),
    ]

    static let keyed: [Case] = [
        Case(
            "by a key",
            [.answer, .answer, .answer],
            "hash $args; server {0}; server {1} weight=3; server {2};",
            gets(500)
        ),
        Case(
            "by a key, whose servers are down or fail",
            [.answer, .breakOff, .answer, .answer],
            "hash a$args; server {0} down; server {1} fail_timeout=300s; server {2} weight=2; server {3};",
            gets(200)
        ),
        Case("by a key that is empty", [.answer, .answer], "hash $arg_none; server {0}; server {1};", gets(8)),
        Case(
            "by a key, consistently",
            [.answer, .answer, .answer, .answer],
            "hash $args consistent; server {0}; server {1} weight=3; server {2}; server {3} weight=2;",
            gets(1_000)
        ),
        Case(
            "by a key, consistently, with servers that are down or fail",
            [.answer, .breakOff, .answer, .answer],
            "hash /$args consistent; server {0} down; server {1} fail_timeout=300s; server {2} weight=2; server {3};",
            gets(300)
        ),
        Case(
            "by no key, consistently",
            [.answer, .answer],
            "hash $arg_none consistent; server {0}; server {1};",
            gets(8)
        ),
        Case("by a key, with one server", [.answer], "hash $args consistent; server {0};", gets(4)),
    ]

    @Test("The server of a key is nginx's", arguments: keyed)
    func ofKey(_ test: Case) async throws {
        let servers = try BalancedServers(test.behaviours)
        let rules = """
            upstream group { \(servers.filled(test.group)) }
            server { listen 80; location / { proxy_pass http://group; } }
            """
        try await servers.expectAsNginx(rules, test.methods)
    }

    @Test("Any server is asked", arguments: ["random", "random two", "random two least_conn"])
    func anyone(_ method: String) async throws {
        let servers = try BalancedServers([.answer, .answer, .breakOff, .answer])
        let group = "\(method); server {0}; server {1} weight=3; server {2}; server {3} down;"
        let rules = """
            upstream group { \(servers.filled(group)) }
            server { listen 80; location / { proxy_pass http://group; } }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            let asked = try await Blocking.run { try servers.ask(port: port, Self.gets(400)) }
            #expect(asked.statuses.allSatisfy { $0 == 200 })
            #expect(!asked.servers.contains(3))
            let counts = (0..<2).map { number in asked.servers.count { $0 == number } }
            // Of two different servers the second is asked where both are idle, which is seldom the one with the most weight.
            #expect(counts.allSatisfy { $0 > 40 }, "\(counts)")
            #expect(method != "random" || counts[1] > 200, "\(counts)")
        }
    }

    static func gets(_ count: Int) -> [String] { Array(repeating: "GET", count: count) }

    @Test("The servers that nginx asks are asked", arguments: cases)
    func agrees(_ example: Case) async throws {
        let servers = try BalancedServers(example.behaviours)
        let rules = """
            upstream shop { \(servers.filled(example.group)) }
            server { listen 80; location / { proxy_pass http://shop; } }
            """
        try await servers.expectAsNginx(rules, example.methods)
    }

    @Test("The Host is the group's name, and the URL may be one of variables")
    func host() async throws {
        let upstream = try TestUpstream { .text("\($0.line) \($0["host"] ?? "")") }
        let rules = """
            upstream Back_End { server localhost:\(upstream.port) max_fails=0; }
            map $arg_to $name { default back_end; }
            server {
                location /a/ { proxy_pass http://Back_End/x/; }
                location /b/ { proxy_pass http://$name/y$uri; }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let constant = try await gateway.get("/a/1?z")
            #expect(constant.text == "GET /x/1?z HTTP/1.1 back_end")
            let variable = try await gateway.get("/b/1")
            #expect(variable.text == "GET /y/b/1 HTTP/1.1 back_end")
        }
    }

    @Test("A server without an address is an error with its place, and the rules in use stay")
    func unknownHost() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        func rules(_ server: String) -> String {
            "upstream shop { server \(server); }\nserver { location / { proxy_pass http://shop; } }\n"
        }
        let good = rules("127.0.0.1:\(upstream.port)")
        try await RunningGateway.with(["rules.conf": good]) { gateway in
            try gateway.directory.replace("rules.conf", rules("no-such-host.invalid:80"))
            let report = await gateway.gateway.reload()
            let text = "\(report)"
            #expect(text.contains("the host of this server has no address"), "\(text)")
            #expect(text.contains("rules.conf:1:24"), "\(text)")
            #expect(try await gateway.get("/").text == "ok")
            try gateway.directory.replace("rules.conf", rules("no-such-host.invalid:80 resolve"))
            _ = await gateway.gateway.reload()
            #expect(try await gateway.get("/").status == 502)
        }
    }

    @Test("A reload keeps what is known of the servers that stay")
    func reload() async throws {
        let servers = try BalancedServers([.answer, .breakOff])
        @Sendable func rules(_ group: String) -> String {
            "upstream shop { \(servers.filled(group)) } server { location / { proxy_pass http://shop; } }"
        }
        let before = rules("server {0}; server {1} fail_timeout=1h;")
        try await RunningGateway.with(["rules.conf": before]) { gateway in
            try await Blocking.run {
                // One connection, so that one event loop serves all of it.
                var connection = try TestConnection(port: gateway.port)
                func ask() throws {
                    try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    let response = try connection.response()
                    #expect(response?.status == 200)
                }
                for _ in 0..<4 { try ask() }
                #expect(servers.take() == [0, 1, 0, 0, 0])
                try gateway.directory.replace("rules.conf", rules("server {1} fail_timeout=1h; server {0} weight=2;"))
                var admin = try TestConnection(port: gateway.adminPort)
                try admin.send("POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                let reload = try admin.response()
                #expect(reload?.status == 200)
                for _ in 0..<4 { try ask() }
                #expect(servers.take() == [0, 0, 0, 0])
            }
        }
    }
}
#endif
