#if Gateway
import Shunt
import ShuntCore
import ShuntGateway
import TestFolder
import Testing

/// Pages for requests that cannot be read.
@Suite struct RefusalPageTests {
    @Test("A request that cannot be read gets the page of the default server")
    func pages() async throws {
        let folder = try TestFolder(["bad.html": "bad"])
        let rules = """
            server {
                listen 80;
                root \(folder.path);
                add_header X-Own o always;
                error_page 400 /bad.html;
                error_page 414 = /long;
                error_page 494 =302 http://b.test/large;
                location = /long { return 200 long; }
            }
            """
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(["r.conf": rules], options: change) { (gateway) async throws in
            func answer(_ text: String) async throws -> TestResponse? {
                try await gateway.send(text + "\r\n\r\n").first
            }
            for text in ["GET / HTTP/1.1\r\nHost: a\r\nHost: b", "no request", "GET / HTTP/1.1\r\nHost: a b"] {
                let bad = try await answer(text)
                #expect(bad?.status == 400 && bad?.text == "bad" && bad?["X-Own"] == "o", "\(text)")
                #expect(bad?["connection"] == "close")
            }
            let target = "/" + String(repeating: "x", count: 70_000)
            let long = try await answer("GET \(target) HTTP/1.1\r\nHost: a")
            #expect(long?.status == 200 && long?.text == "long")
            let large = try await answer("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 70_000))
            #expect(large?.status == 302 && large?["location"] == "http://b.test/large")
        }
    }

    private static let unreadable = [
        "GET / HTTP/1.1", "no request", "GET / HTTP/1.1\r\nHost: a b",
        "GET /\(String(repeating: "x", count: 70_000)) HTTP/1.1\r\nHost: a",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 70_000))",
    ]

    @Test(
        "A page for a request that cannot be read has its gates, as in nginx",
        arguments: [
            "auth_basic x; auth_basic_user_file @/pw;", "auth_basic x; auth_basic_user_file @/none;", "deny all;",
            "limit_req zone=z;", "limit_req zone=z; limit_req_dry_run on;", "return 403;", "root @/none;",
            "auth_basic off; auth_basic_user_file @/pw;",
            "satisfy any; deny all; auth_basic x; auth_basic_user_file @/pw;",
        ]
    )
    func gates(gate: String) async throws {
        let folder = try TestFolder(["guarded/p.html": "guarded", "pw": "u:{PLAIN}p\n"])
        let rules = """
            limit_req_zone $server_port zone=z:1m rate=1r/m;
            server {
                listen 80;
                root \(folder.path);
                error_page 400 414 494 /guarded/p.html;
                location / { return 200 own; }
                location /guarded/ { \(gate.replacing("@", with: folder.path)) }
            }
            """
        @Sendable func answers(at port: UInt16) throws -> [String] {
            try Self.unreadable.map { text in
                var connection = try TestConnection(port: port)
                try connection.send(text + "\r\n\r\n")
                guard let response = try connection.response() else { return "none" }
                let isPage = response.text == "guarded"
                return
                    "\(response.status) \(isPage) \(response["WWW-Authenticate"] ?? "-") \(response["Connection"] ?? "-")"
            }
        }
        try await RunningGateway.expectAsNginx(rules, answers(at:))
    }

    @Test(
        "A page for such a request that would have to wait for something is the reason",
        arguments: ["auth_request /ask;", "limit_req zone=z burst=5;"]
    )
    func waits(gate: String) async throws {
        let folder = try TestFolder(["guarded/p.html": "guarded"])
        let rules = """
            limit_req_zone $server_port zone=z:1m rate=1r/m;
            server {
                listen 80;
                root \(folder.path);
                error_page 400 414 494 /guarded/p.html;
                location /guarded/ { \(gate) }
                location = /ask { proxy_pass http://127.0.0.1:1; }
            }
            """
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(["r.conf": rules], options: change) { (gateway) async throws in
            _ = try await gateway.send("no request\r\n\r\n")
            for text in Self.unreadable {
                let answer = try await gateway.send(text + "\r\n\r\n").first
                #expect([400, 414, 431].contains(answer?.status) && answer?.text.hasPrefix("4") == true)
            }
        }
    }

    @Test("Without a page such a request gets the reason, and the headers of the default server")
    func reasons() async throws {
        let rules = "server { listen 80; add_header X-Own o always; error_page 404 /x; return 200; }"
        try await RunningGateway.with(["r.conf": rules]) { (gateway) async throws in
            let bad = try await gateway.send("no request\r\n\r\n").first
            #expect(bad?.status == 400 && bad?["X-Own"] == "o" && bad?.text.hasPrefix("400 Bad Request: ") == true)
        }
    }
}
#endif
