#if Gateway
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// Answers that random requests showed to differ from those of nginx.
@Suite(.serialized) struct AnswersAsNginxTests {
    private static let chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"

    private static let requests = [
        // The length of a body in chunks.
        "GET /length HTTP/1.1\r\nHost: a.test\r\n\(chunks)", "POST /length HTTP/1.1\r\nHost: a.test\r\n\(chunks)",
        "POST /moved-length HTTP/1.1\r\nHost: a.test\r\n\(chunks)",
        "GET /tested-length HTTP/1.1\r\nHost: a.test\r\n\(chunks)",
        "GET /length HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc",
        "GET /length HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "POST /long HTTP/1.1\r\nHost: a.test\r\n\(chunks)",
        // A page for a redirect.
        "GET /moved?a=b HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /moved-up?a=b HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /moved-named HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /moved-file HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /moved-away HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /moved-twice HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "POST /moved-small HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc",
        "POST /rewritten-small HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc",
        // Conditions about what has no state.
        "GET /page HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: *\r\n\r\n",
        "GET /page HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: \"x\"\r\n\r\n",
        "HEAD /page HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: *\r\n\r\n",
        "GET /page HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: *\r\nIf-Modified-Since: x\r\n\r\n",
        "GET /page HTTP/1.1\r\nHost: a.test\r\nIf-Match: *\r\n\r\n",
        "GET /page HTTP/1.1\r\nHost: a.test\r\nIf-Match: \"x\"\r\n\r\n",
        "GET /page HTTP/1.1\r\nHost: a.test\r\nIf-Unmodified-Since: Tue, 14 Nov 2023 22:13:20 GMT\r\n\r\n",
        "GET /moved?a=b HTTP/1.1\r\nHost: a.test\r\nIf-Match: \"x\"\r\n\r\n",
        "GET /unmet HTTP/1.1\r\nHost: a.test\r\nIf-Match: \"x\"\r\n\r\n",
        "GET /paged HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: *\r\n\r\n",
        "GET /up HTTP/1.1\r\nHost: a.test\r\nIf-None-Match: *\r\nIf-Match: \"x\"\r\n\r\n",
        // Methods that files do not know.
        "FOO /x HTTP/1.1\r\nHost: none.test\r\n\r\n", "POST /x HTTP/1.1\r\nHost: none.test\r\n\r\n",
        "FOO /left HTTP/1.1\r\nHost: none.test\r\n\r\n", "GET /left HTTP/1.1\r\nHost: none.test\r\n\r\n",
        // A question has its own captures.
        "GET /outer HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /cookie HTTP/1.1\r\nHost: a.test\r\n\r\n",
        // The address that a proxy names.
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: 09.9.9.009\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: 9.9.9.9:080\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: 9.9.9.9:x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: 9.9.9.9:65536\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: [9.9.9.9]:1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: [2001:db8::1]\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: [2001:db8::1]:80\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: [2001:db8::1]:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: 2001:db8::1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: real.test\r\nX-R: [\r\n\r\n",
        // Nothing takes a request.
        "GET /x HTTP/1.1\r\nHost: bare.test\r\n\r\n", "POST /x HTTP/1.1\r\nHost: bare.test\r\n\r\n",
        "FOO /x HTTP/1.1\r\nHost: bare.test\r\n\r\n", "GET /again HTTP/1.1\r\nHost: bare.test\r\n\r\n",
        "GET /x HTTP/1.1\r\nHost: caught.test\r\n\r\n", "FOO /x HTTP/1.1\r\nHost: caught.test\r\n\r\n",
        // Headers that there are once.
        "GET /single/f HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /single/none HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /clear/f HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /clear/none HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /single/page HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /clear/page HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /single-up HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /clear-up HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /no-content HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /denied HTTP/1.1\r\nHost: bare.test\r\n\r\n", "GET /admitted HTTP/1.1\r\nHost: bare.test\r\n\r\n",
        // What is known of a request whose headers cannot be read.
        "GET /x?q=1 HTTP/1.1\r\nHost: a.test\r\n: empty\r\n\r\n", "POST /x?q=2 HTTP/1.1\r\n\r\n",
        "HEAD http://a.test/%zz?q=4 HTTP/1.1\r\n: empty\r\n\r\n", "no request\r\n\r\n",
    ]

    @Test("An answer is that of nginx", arguments: requests)
    func same(request: String) async throws {
        let upstream = try TestUpstream { request in
            let cookies = ["Set-Cookie: other=1", "Set-Cookie: Sid = a=b; Path=/", "Set-Cookie: sid=c"]
            return .text(request.line, headers: ["X-Up: \(request.line)", "ETag: up", "Last-Modified: up"] + cookies)
        }
        let folder = try TestFolder(["f": "file", "single/f": "file", "clear/f": "file"])
        let rules = """
            server {
                listen 80 default_server;
                server_name a.test;
                root \(folder.path);
                proxy_http_version 1.1;
                add_header X-Known "$arg_q|$request_method|$uri" always;
                location = /length { return 200 "[$content_length]"; }
                location = /moved-length { return 302 /to?$content_length; }
                location = /tested-length { if ($content_length) { return 200 some; } return 200 none; }
                location = /long { client_max_body_size 2; error_page 413 = @up; proxy_pass \(upstream.url); }
                location = /moved { error_page 301 /page; return 301 /to$is_args$args; }
                location = /moved-up { error_page 301 /up; return 301 /to$is_args$args; }
                location = /moved-named { error_page 302 = @up; return 302 http://b.test/to; }
                location = /moved-file { error_page 307 =200 /f; return 307 /to; }
                location = /moved-away { error_page 301 /else; return 301 /to; }
                location = /moved-twice { recursive_error_pages on; error_page 301 /moved-up; return 301 /to; }
                location = /moved-small { error_page 301 = @small; return 301 /to; }
                location = /rewritten-small { error_page 302 = @small; rewrite ^ /to redirect; }
                location @small { client_max_body_size 2; add_header X-Seen "[$content_length]"; proxy_pass \(upstream.url); }
                location = /unmet { error_page 412 =404 /else; return 200 unmet; }
                location = /paged { error_page 404 =200 /page; return 404; }
                location = /no-content { error_page 404 =204 /up; return 404; }
                location = /else { return 308 /other; }
                location = /page { return 200 page; }
                location = /up { proxy_pass \(upstream.url); }
                location /single {
                    add_header ETag a always;
                    add_header etag b;
                    add_header Last-Modified a;
                    add_header Last-Modified b always;
                    error_page 404 =404 /f;
                    location = /single/page { error_page 403 /single/f; return 403; }
                    location = /single-up { proxy_pass \(upstream.url); }
                }
                location /clear {
                    add_header ETag a always;
                    add_header ETag "";
                    add_header Last-Modified a;
                    add_header Last-Modified "" always;
                    location = /clear/page { error_page 403 =200 /clear/f; return 403; }
                    location = /clear-up { proxy_pass \(upstream.url); }
                }
                location ~ ^/(o)(uter)$ {
                    auth_request /ask;
                    auth_request_set $seen "$1|$uri|$upstream_http_x_up";
                    add_header X-Seen "$seen|$1|$2" always;
                    proxy_pass \(upstream.url)/v/$2;
                }
                location = /cookie {
                    auth_request /up;
                    auth_request_set $seen "$upstream_cookie_sid|$upstream_cookie_none|$upstream_cookie_oth";
                    add_header X-Seen $seen always;
                    proxy_pass \(upstream.url);
                }
                location = /ask {
                    set $before "[$1]";
                    rewrite ^/(a)(sk)$ /ask?$2 break;
                    proxy_pass \(upstream.url)/q$before/$1;
                }
                location @up { absolute_redirect off; proxy_pass \(upstream.url); }
            }
            server {
                listen 80;
                server_name bare.test;
                error_page 404 405 /lost;
                location = /lost { return 200 lost; }
                location = /denied { error_page 403 =302 /none; return 403; }
                location = /admitted { error_page 403 =200 /none; return 403; }
                location = /again { error_page 404 /nowhere; }
            }
            server { listen 80; server_name caught.test; error_page 404 =302 https://e.test/; }
            server {
                listen 80;
                server_name real.test;
                set_real_ip_from 127.0.0.1;
                real_ip_header X-R;
                return 200 $remote_addr;
            }
            server { listen 80; server_name none.test; rewrite ^/(left)$ $1 break; }
            """
        @Sendable func answer(at port: UInt16) throws -> [String] {
            var connection = try TestConnection(port: port)
            try connection.send(request)
            guard let response = try connection.response(isHead: request.hasPrefix("HEAD")) else { return [] }
            let names = ["Location", "X-Known", "X-Up", "ETag", "Last-Modified", "X-Seen"]
            let text = response.status < 300 || response["X-Up"] != nil ? response.text : ""
            let location = response["Location"]?.replacing(":\(port)/", with: "/")
            return ["\(response.status)", text, location ?? "-"] + names.dropFirst().map { response[$0] ?? "-" }
        }
        try await RunningGateway.expectAsNginx(rules, answer(at:))
    }

    @Test("An answer without a body that gets the status of an error ends where nginx ends it")
    func emptyAnswer() async throws {
        let upstream = try TestUpstream { request in
            let length = request.line.contains("length") ? "Content-Length: 2\r\n" : ""
            let status = request.line.contains("304") ? "304" : "204"
            return TestUpstream.Reply(parts: ["HTTP/1.1 \(status) None\r\n\(length)\r\n"])
        }
        let rules = """
            server {
                listen 80;
                error_page 403 @up;
                location / { return 403; }
                location /none { add_header Content-Length 0; return 204; }
                location @up { proxy_pass \(upstream.url); }
            }
            """
        @Sendable func answer(_ target: String, at port: UInt16) throws -> [[String]] {
            try ["1.0", "1.1"]
                .map { version in
                    var connection = try TestConnection(port: port)
                    try connection.send("GET \(target) HTTP/\(version)\r\nHost: a.test\r\n\r\n")
                    guard let answer = try connection.response() else { return [] }
                    let length = answer["Content-Length"] ?? answer["Transfer-Encoding"] ?? "none"
                    return ["\(answer.status)", length, answer.text]
                }
        }
        try await RunningGateway.expectAsNginx(rules) { try answer("/", at: $0) }
        // nginx announces a body that does not come, and the next answer would be taken for it.
        try await RunningGateway.with(["r.conf": rules]) { (gateway) async throws in
            let port = gateway.port
            for target in ["/length", "/304/length"] {
                let found = try await Blocking.run { try answer(target, at: port) }
                #expect(found == [["403", "0", ""], ["403", "0", ""]])
            }
            let found = try await Blocking.run { try answer("/none", at: port) }
            #expect(found == [["204", "none", ""], ["204", "none", ""]])
        }
    }
}
#endif
