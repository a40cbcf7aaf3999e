#if Gateway
import TestFolder
import Testing

/// Parts of files by an ETag or a time that rules add, and the values of parts and of `expires` in what rules add, as nginx has them.
@Suite(.serialized) struct AddedStateTests {
    private static let time = "Tue, 14 Nov 2023 22:13:20 GMT"
    private static let part = "Range: bytes=2-4"
    private static let conditions = [
        "X: x", part, "Range: bytes=1-2,4-5", "Range: bytes=99-", "\(part)\r\nIf-Range: \"own\"",
        "\(part)\r\nIf-Range: \"other\"", "\(part)\r\nIf-Range: \(time)", "\(part)\r\nIf-Range: text",
        "\(part)\r\nIf-Range: \"\"",
        "If-None-Match: \"own\"", "If-Match: \"own\"", "If-Modified-Since: \(time)", "If-Unmodified-Since: \(time)",
        "If-None-Match: *",
    ]
    private static let targets = [
        "/tag/f.txt", "/tagless/f.txt", "/none/f.txt", "/time/f.txt", "/odd/f.txt", "/later/f.txt", "/values/f.txt",
        "/max/f.txt",
        "/epoch/f.txt", "/changed/f.txt", "/max-text", "/epoch-text", "/off-text", "/max-up", "/max-up/404",
        "/lost/none",
        "/lists", "/lists-up", "/own-up",
    ]

    @Test("Parts and values are those of nginx", arguments: targets)
    func same(target: String) async throws {
        let upstream = try TestUpstream { request in
            let headers = [
                "Cache-Control: a", "Cache-Control: b", "Link: c", "Link: d", "Expires: e", "X-L: f", "X-L: g",
            ]
            return .text("body", status: request.line.contains("404") ? "404 None" : "200 OK", headers: headers)
        }
        let folder = try TestFolder(["f.txt": "0123456789"])
        let values = """
            add_header X-A "$sent_http_content_length|$sent_http_content_range|$sent_http_accept_ranges|$status" always;
            add_header X-B "$sent_http_content_type|$sent_http_last_modified" always;
            add_header X-C "$sent_http_expires|$sent_http_cache_control|$sent_http_link|$sent_http_x_l" always;
            """
        let alias = "alias \(folder.path)/;"
        let rules = """
            server {
                listen 80;
                default_type text/x-own;
                location /tag/ { add_header ETag '"own"'; \(alias) }
                location /tagless/ { etag off; add_header ETag '"own"' always; \(alias) }
                location /none/ { add_header ETag ""; add_header Last-Modified ""; \(alias) }
                location /time/ { add_header Last-Modified "\(Self.time)"; \(alias) }
                location /odd/ { add_header Last-Modified text; \(alias) }
                location /later/ { add_header ETag '$sent_http_x_tag"own"'; \(alias) }
                location /values/ { \(values) \(alias) }
                location /max/ { expires max; \(values) \(alias) }
                location /epoch/ { expires epoch; \(values) \(alias) }
                location /changed/ { expires modified +1h; add_header X-A $sent_http_expires; \(alias) }
                location = /max-text { expires max; \(values) return 200 text; }
                location = /epoch-text { expires epoch; \(values) return 301 /to; }
                location = /off-text { expires max; \(values) return 404 text; }
                location /max-up { expires max; \(values) proxy_pass \(upstream.url); }
                location /lost/ { expires max; error_page 404 =200 /lost/f.txt; \(values) \(alias) }
                location = /lists { add_header Cache-Control a; add_header Link b; add_header Cache-Control c; \(values) return 200 text; }
                location = /lists-up { add_header Cache-Control z; add_header Link z; \(values) proxy_pass \(upstream.url); }
                location = /own-up { \(values) proxy_pass \(upstream.url); }
            }
            """
        @Sendable func answers(at port: UInt16) throws -> [String] {
            try Self.conditions.map { condition in
                var connection = try TestConnection(port: port)
                try connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(condition)\r\n\r\n")
                guard let answer = try connection.response() else { return "closed" }
                // nginx has a page for what is refused, and its headers twice.
                let isPage = [301, 412, 416].contains(answer.status)
                let names = ["ETag", "Last-Modified", "Content-Range", "Accept-Ranges", "Expires", "Cache-Control"]
                let shown = isPage ? [] : names + ["X-A", "X-B", "X-C"]
                let body =
                    answer.status == 200 || answer.status == 206 && answer["Content-Range"] != nil ? answer.text : ""
                return "\(condition) \(answer.status) \(body) "
                    + shown.map { (answer[$0] ?? "-").replacing(#/max-age=3\d{3}$/#, with: "hour") }
                    .joined(separator: " ; ")
            }
        }
        try await RunningGateway.expectAsNginx(rules, answers(at:))
    }
}
#endif
