#if Gateway
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// `types`, compared with a real nginx with the same rules and files.
@Suite struct FileTypeTests {
    @Test("The blocks of a level add up, and replace those of the levels around it")
    func blocks() async throws {
        let folder = try TestFolder([
            "a.js": "a", "b.mjs": "b", "c.css": "c", "in/a.js": "a", "in/b.mjs": "b", "in/c.css": "c",
        ])
        let rules = """
            types { text/x-js js; text/x-css css; }
            types { text/x-module mjs; }
            default_type text/x-default;
            server {
                listen 80;
                root \(folder.path);
                location /in/ { types { text/x-inner js; } types { text/x-inner-css CSS; } }
                location = /none { types { } return 200; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { port in
            try ["/a.js", "/b.mjs", "/c.css", "/in/a.js", "/in/b.mjs", "/in/c.css"]
                .map { target in
                    var connection = try TestConnection(port: port)
                    try connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                    return "\(target): \(try connection.response()?["content-type"] ?? "none")"
                }
        }
    }

    @Test("A file is sent as it is, whatever compressed one lies next to it")
    func compressedFiles() async throws {
        let folder = try TestFolder(["z.css": "plain", "z.css.gz": "small", "only.css.gz": "small"])
        let rules = "server { listen 80; root \(folder.path); gzip_static on; }"
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(["r.conf": rules], options: change) { gateway in
            let plain = try await gateway.get("/z.css", headers: ["Accept-Encoding: gzip"])
            #expect(plain.status == 200 && plain.text == "plain" && plain["content-encoding"] == nil)
            #expect(try await gateway.get("/only.css", headers: ["Accept-Encoding: gzip"]).status == 404)
        }
    }

    @Test("The type of an answer that has no body of a rule is known to what the rules add")
    func typeOfAStatus() async throws {
        let rules = """
            map $sent_http_content_type $kept { default off; ~text/ epoch; }
            map $sent_http_content_type $framed { default ""; ~text/ DENY; }
            expires $kept;
            server {
                listen 80;
                add_header X-Frame-Options $framed always;
                location = /moved { return 301 /x; }
                location = /found { return 302 /x; }
                location = /missing { return 404; }
                location = /denied { deny all; }
                location = /empty { return 204; }
                location = /text { return 200 text; }
                location = /type { default_type image/png; return 200 text; }
                location = /page { error_page 404 /text; return 404; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { port in
            try ["moved", "found", "missing", "denied", "empty", "text", "type", "page"]
                .map { target in
                    var connection = try TestConnection(port: port)
                    try connection.send("GET /\(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try connection.response()
                    let headers = ["cache-control", "x-frame-options"].map { answer?[$0] ?? "none" }
                    return "\(target): \(answer?.status ?? 0) \(headers)"
                }
        }
    }
}
#endif
