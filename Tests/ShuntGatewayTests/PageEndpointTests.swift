#if Gateway
import Foundation
import NginxOracle
import Shunt
import ShuntGateway
import ShuntTools
import TestFolder
import Testing

/// Requests of the page to the admin listener.
@Suite(.serialized) struct PageEndpointTests {
    private static let rules = [
        "rules.conf": """
        input $app_version "0";
        route kl://user/:id named=user;
        rename_host old.example new.example;  #: name=old-shop owner=@shop ticket=WEB-7
        server {
            if ($http_x_flag = on) { return 403; }
            if ($cookie_lane = b) { return 403; }
            location /a { return 301 /b; }
            location /c { return 200 c; }
            location /d { return 200 $arg_page; }
        }

        """
    ]

    private static func object(_ gateway: RunningGateway, _ target: String) async throws -> [String: Any] {
        let response = try await gateway.get(target, from: gateway.adminPort)
        #expect(response.status == 200 || response.status == 202, "\(target): \(response.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    private static func texts(_ gateway: RunningGateway, _ query: String) async throws -> [String] {
        let list = try await object(gateway, "/rules?limit=100" + query)["rules"] as? [[String: Any]]
        return try #require(list).compactMap { $0["text"] as? String }
    }

    @Test("Rules are sorted, searched, filtered and cut, and each has its details")
    func rules() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            for _ in 0..<3 { _ = try await gateway.get("/c") }
            _ = try await gateway.get("/a")
            let sorted = try await Self.texts(gateway, "&sort=-hits&q=RETURN")
            #expect(sorted.prefix(2) == ["return 200 c", "return 301 /b"])
            let neverHit = try await Self.texts(gateway, "&filter=never-hit")
            #expect(!neverHit.contains("return 200 c"))
            #expect(neverHit.contains("return 200 $arg_page"))
            let both = try await Self.texts(gateway, "&filter=never-hit&q=arg_page")
            #expect(both == ["return 200 $arg_page"])
            let part = try await Self.object(gateway, "/rules?limit=1&after=1&q=return")
            #expect(part["found"] as? Int == 5)
            let first = try #require((part["rules"] as? [[String: Any]])?.first)
            let id = try #require(first["id"] as? String)
            let one = try await Self.object(gateway, "/rules/\(id)")
            #expect(one["text"] as? String == first["text"] as? String)
            #expect((one["lines"] as? [String])?.contains("route kl://user/:id named=user;") == true)
            #expect((one["example"] as? [String: Any])?["decision"] as? String == "respond 403")
            #expect(try await gateway.get("/rules/nothing", from: gateway.adminPort).status == 404)
            // What people noted with a rule is found and shown.
            let noted = try await Self.object(gateway, "/rules?limit=1&q=@SHOP")
            let named = try #require((noted["rules"] as? [[String: Any]])?.first)
            #expect(named["name"] as? String == "old-shop")
            let note = try await Self.object(gateway, "/rules/\(try #require(named["id"] as? String))")["note"]
            #expect(note as? [String: String] == ["name": "old-shop", "owner": "@shop", "ticket": "WEB-7"])
            for wrong in ["sort=x", "filter=x", "limit=x", "after=-1"] {
                let target = "/rules?\(wrong)"
                #expect(try await gateway.get(target, from: gateway.adminPort).status == 400, "\(wrong)")
            }
        }
    }

    @Test("The fields of a request, the routes and findings of lint are returned")
    func reads() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let reads = try await Self.object(gateway, "/reads")
            #expect(reads["headers"] as? [String] == ["x-flag"])
            #expect(reads["cookies"] as? [String] == ["lane"])
            #expect(reads["arguments"] as? [String] == ["page"])
            #expect(reads["inputs"] as? [String] == ["app_version"])
            let answer = try await Self.object(gateway, "/routes")
            #expect((answer["routes"] as? [[String: Any]])?.first?["pattern"] as? String == "kl://user/:id")
            let names = (answer["tree"] as? [[String: Any]])?.map { $0["name"] as? String }
            #expect(names == ["kl://user", "/:id"])
            try await Wait.until("lint has looked") {
                try await Self.object(gateway, "/findings")["schema"] as? String == "shunt-lint/1"
            }
            let samples = try await Self.object(gateway, "/traffic")["samples"] as? [[String: Any]]
            #expect(samples?.isEmpty == false)
            #expect(try await gateway.get("/coverage", from: gateway.adminPort).status == 404)
        }
    }

    @Test("Attempts to load rules are kept with what they changed, and for whom")
    func history() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let changed = try #require(Self.rules["rules.conf"])
                .replacing("return 200 c", with: "return 302 /elsewhere")
            try gateway.directory.replace("rules.conf", changed)
            await gateway.gateway.reload()
            try gateway.directory.replace("rules.conf", "nonsense;")
            await gateway.gateway.reload()
            let attempts = try #require(
                try await Self.object(gateway, "/history")["attempts"] as? [[String: Any]]
            )
            #expect(attempts.compactMap { $0["outcome"] as? String } == ["failed", "loaded", "loaded"])
            #expect((attempts[0]["text"] as? String)?.contains("^~~~") == true)
            #expect(attempts[1]["edited"] as? Int == 1)
            let difference = try await Self.object(gateway, "/history/2/diff")
            let edited = try #require((difference["edited"] as? [[String: Any]])?.first)
            #expect((edited["before"] as? [String: Any])?["text"] as? String == "return 200 c")
            #expect((edited["after"] as? [String: Any])?["text"] as? String == "return 302 /elsewhere")
            let group = try #require((difference["groups"] as? [[String: Any]])?.first)
            #expect(group["from"] as? String == "respond 200")
            #expect(group["to"] as? String == "redirect 302")
            let changedRules = try await Self.texts(gateway, "&filter=changed")
            #expect(changedRules == ["return 302 /elsewhere"])
            #expect(try await gateway.get("/history/1/diff", from: gateway.adminPort).status == 404)
            #expect(try await gateway.get("/history/x/diff", from: gateway.adminPort).status == 404)
        }
    }

    @Test("Held rules are reported, and evaluated on request")
    func held() async throws {
        let change = RunningGateway.Change { options in
            options.gate.maximumRemoved = ChangeLimit("0")
            options.gate.action = .hold
        }
        try await RunningGateway.with(Self.rules, options: change) { gateway in
            #expect(try await gateway.get("/candidate", from: gateway.adminPort).status == 404)
            try gateway.directory.replace("rules.conf", "server { location /c { return 410; } }")
            await gateway.gateway.reload()
            let candidate = try await Self.object(gateway, "/candidate")
            let explained = try await Self.object(gateway, "/explain?url=http://a.test/c&held=true&notations=true")
            #expect((explained["decision"] as? [String: Any])?["status"] as? Int == 200)
            let held = try #require(explained["held"] as? [String: Any])
            #expect(held["hash"] as? String == candidate["hash"] as? String)
            #expect((held["decision"] as? [String: Any])?["status"] as? Int == 410)
            let notations = try #require(explained["notations"] as? [String: Any])
            #expect(notations["expect"] as? String == "expect http://a.test/c respond 200;")
            #expect((notations["test"] as? String)?.hasPrefix("http://a.test/c -> respond 200") == true)
        }
    }

    @Test("Decisions are seen as they are made, without the values of arguments")
    func events() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let all = try TestEventStream(port: gateway.adminPort)
            let some = try TestEventStream(port: gateway.adminPort, target: "/events?kind=redirect")
            _ = try await all.text { $0.contains(":\n\n") }
            _ = try await some.text { $0.contains(":\n\n") }
            _ = try await gateway.get("/c?token=secret&x")
            _ = try await gateway.get("/a")
            let text = try await all.text { $0.contains("/a\"") }
            #expect(text.contains(#""host":"a.test","target":"/c?token=***&x","status":200,"#))
            #expect(!text.contains("secret"))
            #expect(text.contains("event: decision\n"))
            let redirects = try await some.text { $0.contains("/a\"") }
            #expect(!redirects.contains("/c?"))
            await gateway.gateway.reload()
            _ = try await all.text { $0.contains("event: reload\ndata: {\"version\":1,") }
        }
    }

    @Test("At most fifty decisions a second are shown, and the others are counted")
    func leavesOut() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let stream = try TestEventStream(port: gateway.adminPort)
            _ = try await stream.text { $0.contains(":\n\n") }
            let count = 3_000
            let request = "GET /c HTTP/1.1\r\nHost: a.test\r\n\r\n"
            let began = ContinuousClock.now
            _ = try await gateway.send(String(repeating: request, count: count), responses: count)
            let text = try await stream.text { Self.counted(in: $0).all >= count }
            let counted = Self.counted(in: text)
            let seconds = Int((ContinuousClock.now - began).components.seconds) + 2
            #expect(counted.all == count)
            #expect(counted.shown <= 50 * seconds)
        }
    }

    @Test("A listener for one decision among many gets it")
    func findsFew() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let stream = try TestEventStream(port: gateway.adminPort, target: "/events?kind=redirect")
            _ = try await stream.text { $0.contains(":\n\n") }
            // More at a time than are kept where every listener has a choice of them anyway.
            let many = String(repeating: "GET /c HTTP/1.1\r\nHost: a.test\r\n\r\n", count: 300)
            let one = "GET /a?wanted HTTP/1.1\r\nHost: a.test\r\n\r\n"
            _ = try await gateway.send(many + one + many, responses: 601)
            let text = try await stream.text { $0.contains("/a?wanted") }
            #expect(Self.counted(in: text).shown == 1)
        }
    }

    private static func counted(in text: String) -> (shown: Int, all: Int) {
        let shown = text.components(separatedBy: "event: decision\n").count - 1
        let lost = text.components(separatedBy: "event: lost\ndata: {\"count\":").dropFirst()
            .reduce(0) { $0 + (Int($1.prefix { $0.isNumber }) ?? 0) }
        return (shown, shown + lost)
    }

    @Test("Eight may listen; who leaves makes room")
    func listeners() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            var streams: [TestEventStream] = []
            for _ in 0..<8 { streams.append(try TestEventStream(port: gateway.adminPort)) }
            for stream in streams { _ = try await stream.text { $0.contains(":\n\n") } }
            let ninth = try await gateway.get("/events", from: gateway.adminPort)
            #expect(ninth.status == 503)
            streams.removeAll()
            let port = gateway.adminPort
            try await Wait.until("a listener that left is missed") {
                let text = try await TestEventStream(port: port).text { $0.contains("\r\n") }
                return text.hasPrefix("HTTP/1.1 200")
            }
        }
    }

    @Test("Memory is as before when listeners have left", .timeLimit(.minutes(10)))
    func memory() async throws {
        let folder = try TestFolder()
        try folder.write("rules.conf", Self.rules["rules.conf"] ?? "")
        let gateway = try await ServedProgram.serving(rules: folder.path)
        let port = gateway.adminPort
        var sizes: [Int] = []
        for _ in 0..<12 {
            var streams: [TestEventStream] = []
            // Those of the round before are missed as soon as something is sent to them.
            try await Wait.until("eight listen") {
                _ = try await gateway.ask("/c")
                let stream = try TestEventStream(port: port)
                let text = try await stream.text { $0.contains("\r\n\r\n") }
                if text.hasPrefix("HTTP/1.1 200") { streams.append(stream) }
                return streams.count == 8
            }
            _ = try await gateway.ask("/d?page=\(String(repeating: "x", count: 2_000))")
            for stream in streams { _ = try await stream.text { $0.contains("event: decision") } }
            streams.removeAll()
            sizes.append(try gateway.residentBytes())
        }
        let first = sizes[2..<5].max() ?? 0
        let last = sizes.suffix(3).max() ?? 0
        #expect(Double(last) <= Double(first) * 1.05, "\(sizes)")
    }

    @Test("With a token everything but health asks for it")
    func token() async throws {
        let token = "correct-horse-battery"
        let change = RunningGateway.Change { $0.adminToken = Array(token.utf8) }
        try await RunningGateway.with(Self.rules, options: change) { gateway in
            let cases: [(target: String, given: String?, status: Int)] =
                ["/status", "/rules", "/events", "/archive"]
                .flatMap { target in
                    [
                        (target, nil, 401), (target, "Bearer wrong", 401), (target, "Bearer \(token)x", 401),
                        (target, "Basic \(token)", 401),
                    ]
                } + [("/status", "Bearer \(token)", 200), ("/health", nil, 200), ("/ready", nil, 200)]
            for (target, given, status) in cases {
                let headers = given.map { ["Authorization: \($0)"] } ?? []
                let response = try await gateway.get(target, headers: headers, from: gateway.adminPort)
                #expect(response.status == status, "\(target) \(given ?? "")")
            }
        }
    }

    @Test("A Unix socket is for the user of the gateway only")
    func unixSocket() async throws {
        let folder = try TestFolder()
        try folder.write("rules.conf", "server { return 200 ok; }")
        let path = folder.path + "/admin.sock"
        let program = try ServedProgram.ending(rules: folder.path, options: ["--admin", "unix:\(path)"])
        try await Wait.until("the admin listener is there") {
            program.errors.contains("the admin listener is at unix:")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        program.send(SIGTERM)
        #expect(try await program.end() == 0)
    }

    @Test("Other machines reach the admin listener only with a token, or where that is allowed")
    func refusesToBeOpen() async throws {
        let folder = try TestFolder()
        try folder.write("rules.conf", "return 200 ok;")
        let program = try ServedProgram.ending(rules: folder.path, options: ["--admin", "0.0.0.0:0"])
        #expect(try await program.end() == 2)
        #expect(program.errors.contains("set a token with --admin-token-file, or allow it with --admin-open"))
        try folder.write("short", "abc\n")
        let short = try ServedProgram.ending(
            rules: folder.path,
            options: ["--admin-token-file", folder.path + "/short"]
        )
        #expect(try await short.end() == 2)
        #expect(short.errors.contains("has no token of at least 16 characters"))
        for option in ["--admin-token-file", "--options"] {
            let missing = try ServedProgram.ending(rules: folder.path, options: [option, folder.path + "/none"])
            #expect(try await missing.end() == 3)
            #expect(missing.errors.contains("\(option) \(folder.path)/none: "), "\(missing.errors)")
        }
    }
}
#endif
