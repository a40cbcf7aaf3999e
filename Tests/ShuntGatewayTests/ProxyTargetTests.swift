#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// The server and the target of `proxy_pass`, compared with a real nginx with the same rules.
@Suite("The target that an upstream is asked for")
struct ProxyTargetTests {
    /// Rules whose `{upstream}` is a server that notes what it gets, and targets.
    private static let cases: [(rules: String, targets: [String])] = [
        (
            "location /x/ { rewrite ^/x/(.*) $1 break; proxy_pass http://{upstream}; }",
            ["/x/.evil.test/s?q=1", "/x/:3001/x", "/x/1/x", "/x/@evil.test/x", "/x/a%20b", "/x/a%23b?c#d"]
        ),
        (
            "location /x/ { rewrite ^/x/(.*) $1 break; proxy_pass http://shop; }",
            ["/x/.evil.test/s?q=1", "/x/:3001/x", "/x/a"]
        ),
        ("location /x/ { rewrite ^/x/(.*) $1 break; proxy_pass http://{upstream}/b; }", ["/x/.evil.test/s"]),
        ("location /x { proxy_pass http://{upstream}?y; }", ["/x/a?b", "/x"]),
        (
            "location ~ ^/i/(.*)$ { set $to {upstream}; proxy_pass http://$to/l/$1; }",
            ["/i/admin%23.png", "/i/a%3fb?c", "/i/a?b#c"]
        ),
        ("location ~ ^/i/(.*)$ { proxy_pass http://{upstream}/$1$is_args$args; }", ["/i/a%23b?x=1", "/i/a#b"]),
        ("location / { set $to {upstream}; proxy_pass http://$to; }", ["/a?b#c", "/a%23b", "http://a.test?x"]),
        ("location / { set $to {upstream}; proxy_pass HTTP://$to?$args; }", ["/a?b#c", "/"]),
        ("location / { set $to shop; proxy_pass http://$to; }", ["/a"]),
        (
            "location / { proxy_pass http://$arg_to; }",
            ["/a?to=", "/a?to=:80", "/a?to={upstream}", "/a?to={upstream}/#x"]
        ),
        (
            "location / { proxy_pass http://unix:{socket}; } location /b/ { proxy_pass http://unix:{socket}:/c/; }",
            ["/a%20b?c#d", "/b/a%20b?c", "/b/"]
        ),
        ("location / { set $to unix:{socket}; proxy_pass http://$to:/c$uri; }", ["/a"]),
    ]

    /// The status, and the line and the Host that the upstream got.
    private struct Outcome: Equatable {
        var status: Int?
        var line: String?
        var host: String?

        init(_ response: TestResponse?, _ request: TestUpstream.Received?) {
            status = response?.status
            line = request?.line.replacing("HTTP/1.0", with: "HTTP/1.1")
            host = request?["host"]
        }
    }

    @Test("As nginx asks for it", arguments: cases.indices)
    func agreesWithNginx(number: Int) async throws {
        let (written, targets) = Self.cases[number]
        let folder = try TestFolder()
        let path = folder.path + "/up"
        let upstream = try TestUpstream { _ in .text("ok") }
        let socket = try TestUpstream(path: path) { _ in .text("ok") }
        @Sendable func filled(_ text: String) -> String {
            text.replacing("{upstream}", with: "127.0.0.1:\(upstream.port)").replacing("{socket}", with: path)
        }
        let rules = filled("upstream shop { server {upstream}; } server { listen 80; \(written) }")
        let requests = targets.map { "GET \(filled($0)) HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n" }
        @Sendable func noted(_ response: TestResponse?, _ before: (Int, Int)) -> Outcome {
            let asked = upstream.requests.dropFirst(before.0) + socket.requests.dropFirst(before.1)
            return Outcome(response, asked.last)
        }
        @Sendable func counts() -> (Int, Int) { (upstream.requests.count, socket.requests.count) }
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { port in
                try requests.map { request in
                    let before = counts()
                    var connection = try TestConnection(port: port)
                    try connection.send(request)
                    return noted(try connection.response(), before)
                }
            }
        }
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            for (request, outcome) in zip(requests, expected) {
                let before = counts()
                let found = noted(try await gateway.send(request).first, before)
                #expect(found == outcome, "\(request)")
            }
        }
    }

    @Test("A rewrite that loses the first slash does not get past a location that refuses")
    func guarded() async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        let rules = """
            server {
                listen 80;
                location /admin/ { return 403; }
                rewrite ^/en/(.*)$ $1 last;
            }
            """
        try await RunningGateway.with(["rules.conf": rules], options: .upstream(upstream)) { gateway in
            let expected = [("/en/:80/admin/x", 404), ("/en/admin/x", 404), ("/en/.a.test/x", 404), ("/admin/x", 403)]
            for (target, status) in expected {
                let response = try await gateway.get(target)
                #expect(response.status == status, "\(target)")
            }
            #expect(upstream.requests.isEmpty)
            let response = try await gateway.get("/ok")
            #expect(response.status == 200)
        }
    }
}
#endif
