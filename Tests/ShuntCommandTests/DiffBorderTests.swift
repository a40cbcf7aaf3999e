import TestFolder
import Testing

@Suite("shunt diff: changes at the borders of a rule")
struct DiffBorderTests {
    static let changes = [
        ("location = /x { return 403; }", "location /x { return 403; }", "/xa"),
        ("location /x { return 403; }", "location = /x { return 403; }", "/xa"),
        ("location ~ ^/x$ { return 403; }", "location ~ ^/x { return 403; }", "/xa"),
        ("location = /a { return 301 /c; }", "location = /a { return 301 /c$is_args$args; }", "/a?a=b"),
        ("rewrite ^/a$ /b permanent;", "rewrite ^/a$ /b? permanent;", "/a?a=b"),
        (
            "location /a { return 301 https://b.example$uri; }",
            "location /a { return 301 https://b.example$request_uri; }", "/a?a=b"
        ),
        (
            "location = /a { return 301 https://$host/b; }", "location = /a { return 301 https://a.example/b; }",
            "www.a.example/a"
        ),
        (
            "location = /a { proxy_pass http://127.0.0.1:3000$uri; }",
            "location = /a { proxy_pass http://127.0.0.1:3000$request_uri; }", "/a?a=b"
        ),
        ("rewrite ^/a$ /x permanent;", "rewrite ^/[a-b]$ /x permanent; rewrite ^/a$ /x permanent;", "a.example/b"),
        ("rewrite ^/[a-y]$ /x permanent;", "rewrite ^/[a-z]$ /x permanent; rewrite ^/[a-y]$ /x permanent;", "/z"),
    ]

    @Test("Each has a request that shows it", arguments: changes)
    func border(old: String, new: String, request: String) throws {
        func server(_ rules: String) -> String {
            "server {\nlisten 80;\nserver_name a.example www.a.example;\n\(rules)\nlocation / { return 204; }\n}\n"
        }
        let folder = try TestFolder(["old/a.conf": server(old), "new/a.conf": server(new)])
        let outcome = try folder.run(["diff", "old", "new"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("\(request)\n"), "\(outcome.text)")
    }

    @Test("An added or removed rule is not judged by requests whose outcome stays")
    func unshown() throws {
        let rest = "deny 10.0.0.0; deny 10.0.0.1; deny 10.255.255.255; } }"
        let folder = try TestFolder([
            "old/a.conf": "server { location / { deny 10.0.0.0/8; \(rest)",
            "new/a.conf": "server { location / { \(rest)",
        ])
        for (old, new) in [("old", "new"), ("new", "old")] {
            let outcome = try folder.run(["diff", old, new])
            #expect(outcome.status == 1)
            let line =
                "  no request found whose outcome deny 10.0.0.0/8 of a.conf:1:23 changes, and no proof that it changes nothing"
            #expect(outcome.lines.contains(line), "\(outcome.text)")
        }
    }

    @Test("Another name of a server")
    func names() throws {
        let rest = "return 204;\n}\nserver {\nlisten 80 default_server;\nreturn 444;\n}\n"
        let folder = try TestFolder([
            "old/a.conf": "server {\nserver_name a.example;\n\(rest)",
            "new/a.conf": "server {\nserver_name a.example www.a.example;\n\(rest)",
        ])
        #expect(try folder.run(["diff", "old", "new"]).text.contains("www.a.example/\n"))
    }
}
