#if Gateway
import Shunt
import ShuntCore
import ShuntGateway
import TestFolder
import Testing

/// Requests that the rules decide about again, where nginx is not a measure.
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

    @Test("A page after X-Accel-Redirect has no ranges, and of two types the last one counts")
    func headersOfAnswers() async throws {
        let types = ["Content-Type: a/b", "Content-Type: text/c"]
        let upstream = try TestUpstream { request in
            if request.line.contains("/typed") { return .text("up", headers: ["X-Accel-Redirect: /second", types[0]]) }
            if request.line.contains("/second") { return .text("up") }
            let leads = request.line.contains("/lead") ? ["X-Accel-Redirect: @none", "Accept-Ranges: bytes"] : []
            return .text("up", headers: types + leads)
        }
        try await RunningGateway.with(["rules.conf": Self.rules(upstream.port, "/sorry")]) { gateway in
            let page = try await gateway.get("/lead")
            #expect(page.status == 500)
            #expect(page["accept-ranges"] == nil)
            #expect(try await gateway.get("/a")["content-type"] == "text/c")
            #expect(try await gateway.get("/typed")["content-type"] == "a/b")
        }
    }

    @Test("A service that is asked for consent gets the method of the client")
    func methodOfTheQuestion() async throws {
        let upstream = try TestUpstream { .text($0["x-method"] ?? "") }
        let rules = """
            server {
                listen 80;
                location / { auth_request /ask; auth_request_set $m $upstream_http_x; proxy_pass http://127.0.0.1:\(upstream.port); }
                location = /ask { proxy_set_header X-Method $request_method; proxy_pass http://127.0.0.1:\(upstream.port); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { (gateway) async throws in
            #expect(try await gateway.send(Self.post(3)).first?.status == 200)
            #expect(upstream.requests.map { $0["x-method"] } == ["POST", nil])
            #expect(upstream.requests.map { String($0.line.prefix(4)) } == ["GET ", "POST"])
        }
    }

    @Test(
        "A service that fails to consent admits no one, whatever page takes that",
        arguments: [
            "nonsense\r\n\r\n", "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 503 S\r\nContent-Length: 0\r\n\r\n",
        ]
    )
    func failingQuestion(answer: String) async throws {
        let upstream = try TestUpstream { request in
            if request.line.contains("/ask") { return .init(parts: [answer]) }
            return .text("up", status: request["x-second"].map { "\($0.suffix(3)) S" } ?? "200 OK")
        }
        let proxy = "proxy_pass http://127.0.0.1:\(upstream.port);"
        let rules = """
            server {
                listen 80;
                error_page 502 503 504 = @page;
                location / { auth_request /ask; \(proxy) }
                location = /ask { proxy_intercept_errors on; \(proxy) }
                location @page { return 200 page; }
                location /other { auth_request /ask/2; \(proxy) }
                location = /ask/2 { proxy_intercept_errors on; error_page 502 503 =200 @second; \(proxy) }
                location @second { rewrite ^ /second break; proxy_set_header X-Second $request_uri; \(proxy) }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { (gateway) async throws in
            #expect(try await gateway.get("/").status == 500)
            // Another service can answer in its place.
            #expect(try await gateway.get("/other?s=204").status == 200)
            #expect(try await gateway.get("/other?s=403").status == 403)
        }
    }

    @Test(
        "The page for a failing service refuses, whatever the next service answers",
        arguments: ["/page", "=403 /page", "=401 @second", "@second", "/file/f.txt", "=204 @none"]
    )
    func refusingPage(page: String) async throws {
        let upstream = try TestUpstream { _ in .text("up") }
        let folder = try TestFolder(["f.txt": "file"])
        let rules = """
            server {
                listen 80;
                location / { auth_request /ask; proxy_pass \(upstream.url); }
                location = /ask { error_page 502 \(page); proxy_pass http://127.0.0.1:1; }
                location = /page { proxy_pass \(upstream.url); }
                location @second { proxy_pass \(upstream.url); }
                location /file/ { alias \(folder.path)/; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> Int? in
            var connection = try TestConnection(port: port)
            try connection.send("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")
            return try connection.response()?.status
        }
        // A file is not the answer of a service.
        let admitting = rules.replacing("502 \(page)", with: "502 = /file/f.txt")
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(["r.conf": admitting], options: change) { (gateway) async throws in
            #expect(try await gateway.get("/x").status == 500)
        }
    }

    @Test(
        "The upstream of the other requests is not asked for consent",
        arguments: [
            "internal;", "internal; deny all;", "rewrite ^ /nothing last;", "error_page 404 =200 /nothing; return 404;",
            "proxy_pass http://127.0.0.1:1; error_page 502 =200 /nothing;", "try_files /none /nothing;",
        ]
    )
    func questionWithoutService(location: String) async throws {
        let fallback = try TestUpstream { _ in .text("up") }
        let rules = """
            server {
                listen 80;
                location /kept/ { auth_request /ask; proxy_pass \(fallback.url); }
                location /any/ { satisfy any; deny all; auth_request /ask; proxy_pass \(fallback.url); }
                location = /ask { \(location) }
            }
            """
        let change = RunningGateway.Change { $0.upstream = UpstreamAddress(fallback.url) }
        try await RunningGateway.with(["r.conf": rules], options: change) { (gateway) async throws in
            #expect(try await gateway.get("/other").status == 200)
            for path in ["/kept/x", "/any/x"] { #expect(try await gateway.get(path).status == 500) }
            #expect(fallback.requests.count == 1)
        }
    }

    @Test("A body that the first upstream does not get is kept for the second")
    func bodyAfterAGivenOne() async throws {
        let upstream = try TestUpstream { request in
            .text("up", headers: request.body == Array("own".utf8) ? ["X-Accel-Redirect: @second"] : [])
        }
        let rules = """
            server {
                listen 80;
                location /first { proxy_set_body own; proxy_pass http://127.0.0.1:\(upstream.port); }
                location @second { proxy_pass http://127.0.0.1:\(upstream.port); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { (gateway) async throws in
            let text = Self.post(3).replacing("/x", with: "/first")
            #expect(try await gateway.send(text).first?.status == 200)
            #expect(upstream.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["own", "bbb"])
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
