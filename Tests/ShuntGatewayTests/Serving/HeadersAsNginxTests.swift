#if Gateway
import Testing

/// Headers of answers that come in several ways, and of questions, as nginx has them.
@Suite(.serialized) struct HeadersAsNginxTests {
    private static func upstream() throws -> TestUpstream {
        try TestUpstream { request in
            let places = (request["x-places"] ?? "").split(separator: " ").map { "Location: \($0)" }
            let lead =
                request["x-lead"].map { ["X-Accel-Redirect: \($0)", "Set-Cookie: a=b", "Cache-Control: x"] } ?? []
            let seen = "\(request["upgrade"] ?? "none") \(request["connection"]?.lowercased() ?? "none")"
            let ranges = [String](
                repeating: "Accept-Ranges: bytes",
                count: request["x-ranges"].flatMap { Int($0) } ?? 1
            )
            return .text("up", headers: places + lead + ["X-Seen: \(seen)"] + ranges)
        }
    }

    @Test("Without chunks an answer of no known length ends with the connection", arguments: ["GET", "HEAD"])
    func unchunked(method: String) async throws {
        let upstream = try TestUpstream { request in
            if request.line.contains("known") { return .text("abc") }
            let chunks = request.line.hasPrefix("HEAD") ? "" : "3\r\nabc\r\n0\r\n\r\n"
            return .init(parts: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"])
        }
        let rules = """
            server {
                listen 80;
                chunked_transfer_encoding off;
                proxy_http_version 1.1;
                location / { proxy_pass \(upstream.url); }
                location /on { chunked_transfer_encoding on; proxy_pass \(upstream.url); }
                location /page { chunked_transfer_encoding on; error_page 404 = @page; return 404; }
                location @page { proxy_pass \(upstream.url); }
                location /text { return 200 text; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [String] in
            try ["/a", "/known", "/on", "/page", "/text"]
                .map { target in
                    var connection = try TestConnection(port: port)
                    try connection.send("\(method) \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n")
                    guard let answer = try connection.response(isHead: method == "HEAD") else { return "closed" }
                    let framing = [answer["transfer-encoding"], answer["content-length"]].map { $0 ?? "none" }
                    let isEnd = answer["connection"] == "close"
                    return "\(target) \(answer.status) \(framing) \(isEnd) \(answer.text)"
                }
        }
    }

    private static func rules(_ upstream: TestUpstream) -> String {
        """
        server {
            listen 80;
            location /places { proxy_redirect http://up.test/ /r/; proxy_pass \(upstream.url); }
            location /lead { proxy_pass \(upstream.url); }
            location @dead { proxy_pass http://127.0.0.1:1; }
            location @text { return 403 text; }
            location @none { return 204; }
            location @made { return 201; }
            location @moved { return 301 /r/; }
            location @odd { return 304; }
            location @taken { return 409; }
            location /asks {
                auth_request /ask;
                auth_request_set $seen $upstream_http_x_seen;
                add_header X-Asked $seen;
                proxy_pass \(upstream.url);
            }
            location = /chat {
                proxy_http_version 1.1;
                proxy_set_header Upgrade $http_upgrade;
                proxy_set_header Connection upgrade;
                add_header X-Asked $upstream_http_x_seen;
                proxy_pass \(upstream.url);
            }
            location = /ask {
                proxy_http_version 1.1;
                proxy_set_header Upgrade $http_upgrade;
                proxy_set_header Connection $http_connection;
                proxy_pass \(upstream.url);
            }
        }
        server {
            listen 80;
            server_name ends.test;
            keepalive_timeout 0;
            location / { keepalive_timeout 60; return 200 kept; }
            location /lead { keepalive_timeout 60; proxy_pass \(upstream.url); }
            location /page { keepalive_timeout 60; error_page 404 /x; return 404; }
            location /named { keepalive_timeout 60; error_page 404 @named; return 404; }
            location /zero { error_page 404 @named; return 404; }
            location /again { rewrite ^ /x last; }
            location /asks { keepalive_timeout 60; auth_request /ask; proxy_pass \(upstream.url); }
            location = /ask { proxy_pass \(upstream.url); }
            location @named { keepalive_timeout 60; return 200 named; }
        }
        """
    }

    @Test(
        "An answer has the headers of nginx's",
        arguments: [
            "/places\r\nX-Places: http://up.test/a http://up.test/b",
            "/places\r\nX-Places: http://up.test/a http://o.test/b",
            "/places\r\nX-Places: http://o.test/a http://up.test/b", "/places\r\nX-Places: /a http://up.test/b",
            "/lead\r\nX-Lead: /none", "/lead\r\nX-Lead: none", "/lead\r\nX-Lead: @dead",
            "/lead\r\nX-Lead: @dead\r\nX-Ranges: 2", "/lead\r\nX-Lead: @dead\r\nX-Ranges: 3",
            "/lead\r\nX-Lead: @text\r\nX-Ranges: 2", "/lead\r\nX-Lead: @gone\r\nX-Ranges: 2",
            "/lead\r\nX-Lead: @none", "/lead\r\nX-Lead: @made", "/lead\r\nX-Lead: @moved", "/lead\r\nX-Lead: @odd",
            "/lead\r\nX-Lead: @taken",
            "/asks\r\nUpgrade: websocket\r\nConnection: Upgrade",
            "/chat\r\nUpgrade: websocket\r\nConnection: Upgrade", "/chat\r\nUpgrade: websocket",
            "/chat\r\nUpgrade: websocket\r\nConnection: close",
        ]
    )
    func headers(request: String) async throws {
        let upstream = try Self.upstream()
        try await RunningGateway.expectAsNginx(Self.rules(upstream)) { (port) throws -> [String] in
            var connection = try TestConnection(port: port)
            let parts = request.split(separator: "\r\n", maxSplits: 1)
            try connection.send("GET \(parts[0]) HTTP/1.1\r\nHost: a.test\r\n\(parts[1])\r\n\r\n")
            guard let response = try connection.response() else { return [] }
            let places = response.headers.filter { $0.name.lowercased() == "location" }
                .map { $0.value.replacing(":\(port)/", with: "/") }
            let names = ["Set-Cookie", "Cache-Control", "X-Asked"]
            let ranges = response.headers.filter { $0.name.lowercased() == "accept-ranges" }.map(\.value)
            return ["\(response.status)"] + places.sorted() + names.map { response[$0] ?? "-" } + ranges
        }
    }

    @Test(
        "A connection ends where nginx ends it",
        arguments: ["/", "/lead", "/page", "/named", "/zero", "/again", "/asks"]
    )
    func keptAlive(path: String) async throws {
        let upstream = try Self.upstream()
        try await RunningGateway.expectAsNginx(Self.rules(upstream)) { (port) throws -> [String] in
            var connection = try TestConnection(port: port)
            let lead = path == "/lead" ? "X-Lead: /x\r\n" : ""
            try connection.send("GET \(path) HTTP/1.1\r\nHost: ends.test\r\n\(lead)\r\n")
            guard let response = try connection.response() else { return ["none"] }
            return ["\(response.status)", response["Connection"] ?? "keep-alive"]
        }
    }

    @Test(
        "An idle connection ends after its keepalive_timeout, whichever side answered",
        arguments: ["/own", "/up", "/moved"]
    )
    func idle(path: String) async throws {
        let upstream = try Self.upstream()
        let rules = """
            server {
                listen 80;
                keepalive_timeout 1s;
                location /own { return 200 own; }
                location /moved { return 301 /to; }
                location /up { proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [Bool] in
            var connection = try TestConnection(port: port)
            try connection.send("GET \(path) HTTP/1.1\r\nHost: a.test\r\n\r\n")
            let isAnswered = try connection.response() != nil
            let clock = ContinuousClock()
            let begin = clock.now
            // There is no second answer: the connection is closed.
            let isClosed = try connection.response() == nil
            return [isAnswered, isClosed, clock.now - begin < .seconds(8)]
        }
    }
}
#endif
