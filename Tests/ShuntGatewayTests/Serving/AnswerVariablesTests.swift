#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// The variables of an answer in what rules add to it, and the names of headers by address, as nginx has them.
@Suite(.serialized) struct AnswerVariablesTests {
    private static let requests = [
        "GET /up/a", "HEAD /up/a", "POST /up/a", "GET /up/404", "GET /up/503", "GET /up/none", "GET /down",
        "GET /file/page.html", "GET /file/x.txt", "GET /file/none", "HEAD /file/x.txt", "POST /file/x.txt",
        "GET /file/x.txt\r\nIf-None-Match: *", "GET /expires/page.html",
        "GET /expires/x.txt", "GET /expires/up", "GET /expires/text", "GET /text", "GET /moved", "HEAD /text",
        "GET /page/404", "GET /page/503", "GET /early", "GET /question", "GET /set", "GET /moved-up",
        "GET /group", "GET /emptied", "GET /consent", "GET /refused", "GET /expires/moved", "PUT /file/x.txt",
    ]

    @Test("Headers that rules add to an answer have its values", arguments: requests)
    func additions(request: String) async throws {
        let upstream = try TestUpstream { request in
            let last = request.line.split(separator: " ")[1].split(separator: "/").last ?? ""
            let type = last == "up" ? "text/html; charset=utf-8" : "text/x-a"
            return .text(
                "body",
                status: Int(last) != nil ? "\(last) Status" : "200 OK",
                headers: [
                    "X-K: yes", "X-K: again", "X-Hidden: h", "Content-Type: \(type)", "Location: http://b.test/b",
                ]
            )
        }
        let folder = try TestFolder(["page.html": "<p>", "x.txt": "text"])
        let rules = """
            upstream group { server 127.0.0.1:1; server \(upstream.url.dropFirst(7)); }
            map $sent_http_content_type $time { default off; text/plain epoch; ~^text/html max; }
            map $upstream_http_x_k $known { default none; yes known; }
            map $status $class { default other; ~^2 good; ~^4 bad; }
            server {
                listen 80;
                root \(folder.path);
                charset utf-8;
                proxy_hide_header X-Hidden;
                proxy_redirect http://b.test/ /c/;
                add_header X-A "$known|$class|$status|$upstream_status" always;
                add_header X-B "$upstream_http_x_hidden|$sent_http_x_hidden|$sent_http_x_k|$sent_http_location" always;
                add_header X-C "$sent_http_content_length|$sent_http_x_a|$sent_http_x_b" always;
                add_header X-D "$sent_http_content_type" always;
                add_header X-F "$upstream_addr|$upstream_status|$upstream_response_length" always;
                add_header X-G "$request_time|$upstream_connect_time|$upstream_header_time|$upstream_response_time" always;
                location /up { proxy_pass \(upstream.url); }
                location = /emptied { error_page 404 =204 /up/a; return 404; }
                location = /group { proxy_pass http://group; }
                location = /consent {
                    auth_request /up/a;
                    auth_request_set $asked "$upstream_addr|$upstream_status";
                    add_header X-A $asked;
                    proxy_pass \(upstream.url);
                }
                location = /down { proxy_pass http://127.0.0.1:1; }
                location /file/ { alias \(folder.path)/; }
                location /expires/ { expires $time; add_header X-E $sent_http_x_k; alias \(folder.path)/; }
                location = /expires/up { expires $time; proxy_pass \(upstream.url); }
                location = /expires/text { expires $time; return 200 text; }
                location = /text { return 200 text; }
                location = /refused { deny all; expires $time; }
                location = /expires/moved { expires $time; return 301 /to; }
                location = /moved { return 301 /to; }
                location = /moved-up { proxy_pass \(upstream.url); proxy_set_header X-S $status; }
                location /page { proxy_intercept_errors on; error_page 404 /file/x.txt; error_page 503 =200 /up/a; proxy_pass \(upstream.url); }
                location = /early { if ($known = known) { return 403; } proxy_pass \(upstream.url); }
                location = /question { auth_request /up/a; proxy_pass \(upstream.url); }
                location = /set { set $early $upstream_http_x_k; add_header X-A "[$early|$status]"; proxy_pass \(upstream.url); }
            }
            """
        @Sendable func answer(at port: UInt16) throws -> [String] {
            var connection = try TestConnection(port: port)
            let lines = request.split(separator: "\r\n", maxSplits: 1)
            let more = lines.count > 1 ? "\(lines[1])\r\n" : ""
            try connection.send("\(lines[0]) HTTP/1.1\r\nHost: a.test\r\n\(more)Content-Length: 0\r\n\r\n")
            guard let response = try connection.response(isHead: request.hasPrefix("HEAD")) else { return [] }
            let names = [
                request == "GET /emptied" ? "Content-Type" : "X-A", "X-B", "X-C", "X-D", "X-E", "X-F", "X-G", "Expires",
                "Cache-Control",
            ]
            // The gateway has another line of text, and type, for what nothing answers.
            let isPage = response.status >= 300 && response["X-K"] == nil
            let hidden = isPage ? ["X-C"] : []
            let values = names.map { hidden.contains($0) ? "" : response[$0] ?? "-" }
            // Times differ.
            return ["\(response.status)"] + values.map { $0.replacing(/\d+\.\d{3}/, with: "T") }
        }
        try await RunningGateway.expectAsNginx(rules, answer(at:))
    }

    @Test("An answer gets nothing because of a request before it")
    func afterAnother() async throws {
        let upstream = try TestUpstream { request in
            request.line.contains("401")
                ? .text("no", status: "401 No", headers: ["WWW-Authenticate: Basic realm=\"a\""])
                : .text("none", status: request.line.contains("404") ? "404 None" : "200 OK")
        }
        let rules = """
            server {
                listen 80;
                location /first { add_header X-S $upstream_status; proxy_pass \(upstream.url); }
                location /plain { error_page 404 /page; error_page 401 =200 /page; proxy_pass \(upstream.url); }
                location /other { proxy_pass \(upstream.url); }
                location /page { add_header Set-Cookie admin=1 always; return 200 page; }
                location /caught {
                    error_page 404 /plain; add_header X-S $upstream_status;
                    proxy_intercept_errors on; proxy_pass \(upstream.url);
                }
            }
            """
        @Sendable func answers(at port: UInt16) throws -> [String] {
            var connection = try TestConnection(port: port)
            let targets = ["/plain/404", "/first", "/plain/404", "/plain/401", "/other/401", "/caught/404"]
            return try targets.map { target in
                try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n")
                let response = try connection.response()
                let headers = ["Set-Cookie", "X-S", "WWW-Authenticate"].map { response?[$0] ?? "-" }
                return "\(response?.status ?? 0) \(headers.joined(separator: " "))"
            }
        }
        try await RunningGateway.expectAsNginx(rules, answers(at:))
    }

    @Test("The default server of the address decides which names of headers there are")
    func names() async throws {
        let ports = try (0..<2).map { _ in try LoopbackSocket.listening().port }
        let rules = """
            server { listen 127.0.0.1:\(ports[0]); return 200 "[$http_a_b]"; }
            server { listen 127.0.0.1:\(ports[1]); underscores_in_headers on; return 200 "[$http_a_b]"; }
            """
        let change = RunningGateway.Change { $0.listeners = [] }
        try await RunningGateway.with(["r.conf": rules], options: change) { (_) async throws in
            let answers = try await Blocking.run {
                try ports.map { port in
                    var connection = try TestConnection(port: port)
                    try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\nA_B: c\r\n\r\n")
                    return try connection.response()?.text
                }
            }
            #expect(answers == ["[]", "[c]"])
        }
    }
}
#endif
