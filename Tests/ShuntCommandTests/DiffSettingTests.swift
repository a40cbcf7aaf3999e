import TestFolder
import Testing

/// Changes of directives that decide through others only: a request shows each, or the answer is no.
@Suite("shunt diff: locations, routes and settings")
struct DiffSettingTests {
    private static func server(_ rules: String) -> String {
        "server {\nlisten 80;\nserver_name a.example;\n\(rules)\n}\n"
    }

    static let changes: [(old: String, new: String, witness: String)] = [
        ("route /item/:id item;", "route /item/:id(int) item;", "/item/a"),
        ("route /item/:id(int) item;", "route /item/:id(uint) item;", "/item/-7"),
        ("route /item/:id item;", "route /items/:id item;", "/item"),
        ("route GET /item/:id item;", "route /item/:id item;", "POST https://www.example.com/item/"),
        ("route /item/:id item;", "route /item(/:id) item;", "/item"),
        ("route https://b.example/x x;", "route https://c.example/x x;", "https://b.example/x"),
        ("route app://user/:id user;", "route app://user/:id user default=tab:posts;", "app://user/"),
        ("route /a/:b x default=c:1;", "route /a/:b x default=c:2;", "/a/"),
        (
            server("location ~ ^/img/ { return 200 i; }\nlocation / { return 204; }"),
            server("location ~* ^/img/ { return 200 i; }\nlocation / { return 204; }"), "a.example/IMG/"
        ),
        (
            server("location /img/ { return 200 i; }\nlocation ~ \\.png$ { return 204; }"),
            server("location ^~ /img/ { return 200 i; }\nlocation ~ \\.png$ { return 204; }"), "a.example/img/.png"
        ),
        (
            server("location /a { return 200 a; }\nlocation / { return 204; }"),
            server("location /b { return 200 a; }\nlocation / { return 204; }"), "a.example/a"
        ),
        (
            server("location = /a/b { return 403; }\nlocation / { return 204; }"),
            server("merge_slashes off;\nlocation = /a/b { return 403; }\nlocation / { return 204; }"),
            "a.example//a/b"
        ),
        (
            server("set_real_ip_from 10.0.0.0/8;\nlocation / { allow 192.0.2.0/24; deny all; }"),
            server("set_real_ip_from 172.16.0.0/12;\nlocation / { allow 192.0.2.0/24; deny all; }"), "from 10.0.0.0"
        ),
        (
            server("set_real_ip_from 10.0.0.0/8;\nlocation / { allow 192.0.2.0/24; deny all; }"),
            server(
                "set_real_ip_from 10.0.0.0/8;\nreal_ip_header X-Forwarded-For;\n"
                    + "location / { allow 192.0.2.0/24; deny all; }"
            ), "X-Forwarded-For: 192.0.2.1"
        ),
        (
            "map $uri $to { default \"\"; ~^/a /one; ~b$ /two; }\n" + server("if ($to) { return 301 $to; }"),
            "map $uri $to { default \"\"; ~b$ /two; ~^/a /one; }\n" + server("if ($to) { return 301 $to; }"),
            "a.example/ab"
        ),
        (
            server("location ~ ^/a { return 200 a; }\nlocation ~ b$ { return 200 b; }"),
            server("location ~ b$ { return 200 b; }\nlocation ~ ^/a { return 200 a; }"), "a.example/ab"
        ),
        (
            server("location / { valid_referers b.example; if ($invalid_referer) { return 403; } }"),
            server("location / { valid_referers none b.example; if ($invalid_referer) { return 403; } }"),
            "a.example/"
        ),
        (
            "geo $g { default 0; 10.0.0.0/8 1; }\n" + server("if ($g) { return 403; }"),
            "geo $g { proxy 192.0.2.1; default 0; 10.0.0.0/8 1; }\n" + server("if ($g) { return 403; }"),
            "X-Forwarded-For: 10.0.0.1"
        ),
        (
            "match_spelling exact;\nblock ^~ https://a.example/p 404;",
            "match_spelling loose;\nblock ^~ https://a.example/p 404;", "https://a.example/%70"
        ),
        (
            server("location / { limit_except GET { deny all; } }"),
            server("location / { limit_except GET POST { deny all; } }"), "POST a.example/"
        ),
        (
            server("location /a { return 301 /b; }"), server("absolute_redirect off;\nlocation /a { return 301 /b; }"),
            "a.example/a"
        ),
        // The text of all directives is the same, and one is in another block.
        (server("root /srv/a;"), server("root /srv/b;"), "with /srv/"),
        (
            server("location /d/ { alias /srv/a/; }"), server("location /d/ { alias /srv/b/; }"), "a.example/d/"
        ),
        (
            server("if ($http_cookie ~ beta=1) { return 302 /b; }\nreturn 204;"),
            server("if ($http_cookie ~ \"beta=(1|2)\") { return 302 /b; }\nreturn 204;"), "beta=2"
        ),
        (
            "if ($time < 2027-01-01T00:00:00Z) { block host a.example; }",
            "if ($time < 2028-01-01T00:00:00Z) { block host a.example; }", "2027-"
        ),
        (
            "split_clients $request_uri $v { 10% a; * b; }\n" + server("return 200 $v;"),
            "split_clients $request_uri $v { 11% a; * b; }\n" + server("return 200 $v;"), "respond 200"
        ),
        (
            server("server_name_in_redirect on;\nlocation = /a { return 301 /b; }"),
            server("location = /a { return 301 /b; }"), "a.example/b"
        ),
        (
            server("location /a { deny all; }\nlocation / { }"), server("location /a { }\ndeny all;\nlocation / { }"),
            "a.example/"
        ),
    ]

    @Test(
        "A change that no outcome shows is named as one",
        arguments: [
            ("listen 80;", "listen 8080;"), ("satisfy any;", "satisfy all;"), ("gzip on;", "gzip off;"),
            ("keepalive_timeout 5s;", "keepalive_timeout 9s;"), ("resolver 192.0.2.1;", "resolver 192.0.2.2;"),
        ]
    )
    func named(old: String, new: String) throws {
        func rules(_ setting: String) -> String { "server {\n\(setting)\nserver_name a.example;\nreturn 204;\n}\n" }
        let folder = try TestFolder(["old/a.conf": rules(old), "new/a.conf": rules(new)])
        let outcome = try folder.run(["diff", "old", "new"])
        #expect(outcome.status == 1)
        let change = "the change of \(old.dropLast()) to \(new.dropLast()) in a.conf:2:1 does"
        #expect(outcome.lines.contains("  no outcome of a request shows what \(change)"), "\(outcome.text)")
        #expect(!outcome.text.contains("no test request found"), "\(outcome.text)")
    }

    @Test("The servers of a group are named where they change")
    func upstreams() throws {
        func rules(_ servers: String) -> String {
            "upstream u {\n\(servers)\n}\nserver {\nserver_name a.example;\nproxy_pass http://u;\n}\n"
                .replacing("proxy_pass http://u;", with: "location / { proxy_pass http://u; }")
        }
        let folder = try TestFolder([
            "old/a.conf": rules("server 192.0.2.1;\nserver 192.0.2.2;"),
            "new/a.conf": rules("server 192.0.2.1 weight=2;\nleast_conn;"),
        ])
        let text = try folder.run(["diff", "old", "new"]).text
        #expect(text.contains("no outcome of a request shows what ") && text.contains("weight=2"), "\(text)")
        #expect(!text.contains("no test request found"), "\(text)")
    }

    @Test("Each has a request that shows it, in both directions", arguments: changes)
    func shown(_ change: (old: String, new: String, witness: String)) throws {
        let folder = try TestFolder(["old/a.conf": change.old, "new/a.conf": change.new])
        for (old, new) in [("old", "new"), ("new", "old")] {
            let outcome = try folder.run(["diff", old, new])
            #expect(outcome.status == 1)
            #expect(outcome.text.contains(change.witness), "\(outcome.text)")
            #expect(outcome.text.contains("outcomes change;"), "\(outcome.text)")
            #expect(!outcome.text.contains("no test request found"), "\(outcome.text)")
        }
    }
}
