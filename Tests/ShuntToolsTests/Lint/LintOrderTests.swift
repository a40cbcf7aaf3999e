import Shunt
import ShuntCore
import ShuntTools
import Testing

@Suite("shunt lint: order and cycles")
struct LintOrderTests {
    static let orderStatements: [LintStatement] = [
        LintStatement(
            "block ^~ https://a.example/;\nblock = https://a.example/x 410;",
            finds: ["2 unreachable-rule"],
            says: ["proved: all that could reach this is decided by r:1:1"]
        ),
        LintStatement(
            "rewrite_url ^https://a\\.example/(.*)$ https://b.example/$1 301;\n"
                + "rewrite_url ^https://a\\.example/old$ https://c.example/ 302;",
            finds: ["2 unreachable-rule"],
            says: ["move it above r:1:1"]
        ),
        LintStatement(
            "rewrite_url ^https://a\\.example/old$ https://c.example/ 302;\n"
                + "rewrite_url ^https://a\\.example/(.*)$ https://b.example/$1 301;",
            notFinding: ["unreachable-rule"]
        ),
        LintStatement(
            "block ~ ^https://a/[0-4];\nblock ~ ^https://a/[5-9];\nblock ~ ^https://a/\\d 410;",
            finds: ["3 unreachable-rule"],
            says: ["r:1:1, r:2:1"]
        ),
        LintStatement(
            "rewrite_url ^https://a/(.*)$ https://b/$1;\nrewrite_url ^https://c/(.*)$ https://a/$1;\nblock ~ ^https://a/x;",
            notFinding: ["unreachable-rule"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a { return 200; }\nlocation ~ ^/ab { return 404; }\n}",
            finds: ["3 unreachable-rule"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a { return 200; }\nlocation ~ ^/ab { return 404; }\nlocation ^~ /ab/ { }\n}",
            finds: ["3 unreachable-rule"]
        ),
        LintStatement(
            "map $uri $x {\n~^/a 1;\n~^/ab 2;\ndefault 3;\n}\nserver { return 200 $x; }",
            finds: ["3 dead-map-entry"]
        ),
        // "/ab%0Ax" is not matched by the first: a dot stops at a line feed.
        LintStatement(
            "map $uri $x {\n~^/a(.*)$ 1;\n~^/ab 2;\ndefault 3;\n}\nserver { return 200 $x; }",
            notFinding: ["dead-map-entry"]
        ),
        LintStatement(
            "server {\nrewrite ^/a$b /c;\nrewrite a^b /d;\nlocation ~ ^foo { }\nlocation ~ //x { }\n}\n"
                + "server {\nserver_name b;\nrewrite ^https://x /y;\n}",
            finds: ["2 never-matches", "3 never-matches", "9 never-matches"],
            says: ["a $ is the end", "a ^ is the beginning", "a path has no scheme"]
        ),
        LintStatement(
            "server {\nlocation ~ ^foo { }\nlocation ~ //x { }\n}",
            finds: ["2 never-matches", "3 never-matches"],
            says: ["a path begins with a slash", "slashes in a row are merged"]
        ),
        LintStatement("server {\nmerge_slashes off;\nlocation ~ //x { }\n}", notFinding: ["never-matches"]),
        LintStatement(
            "server {\nlocation ~ \\?id=1 { return 403; }\n}",
            finds: ["2 query-in-path"],
            notFinding: ["never-matches"],
            says: ["%3Fid=1"]
        ),
        LintStatement(
            "server {\nrewrite ^/x#y$ /z permanent;\nlocation ~ ^/a#.* { return 404; }\n}",
            finds: ["2 query-in-path", "3 query-in-path"],
            says: ["clients do not send what follows #", "%23"]
        ),
        LintStatement("server {\nlocation ~ ^/a#?b { return 404; }\n}", notFinding: ["query-in-path"]),
        LintStatement(
            "server {\nrewrite ^/admin /login redirect;\nif ($uri ~ ^/old) { return 410; }\nlocation /admin/ { return 403; }\nlocation = /old { return 204; }\nlocation / { return 204; }\n}",
            finds: ["4 unreachable-location", "5 unreachable-location"],
            says: ["r:2:1 answers all of its paths before"]
        ),
        LintStatement(
            "server {\nrewrite ^/admin /login redirect;\nlocation /a { rewrite ^ /admin/x last; }\nlocation /admin/ { return 403; }\n}",
            notFinding: ["unreachable-location"]
        ),
        LintStatement(
            "server {\nif ($arg_x) { rewrite ^/admin /login redirect; }\nrewrite ^/admin/x /y redirect;\nlocation /admin { return 403; }\n}",
            notFinding: ["unreachable-location"]
        ),
        LintStatement("input $v 0;\nif ($v < 3.2 && $v > 4) { block ~ .; }", finds: ["2 dead-branch"]),
        LintStatement("if ($host = A.example) { block ~ .; }", finds: ["1 dead-branch"]),
        LintStatement(
            "input $v 0;\nif ($v < 3) { block host a; }\nelse if ($v < 2) { block host b; }",
            finds: ["3 dead-branch"]
        ),
        LintStatement(
            "input $v 0;\nif ($v < 2) { block host a; }\nelse if ($v < 3) { block host b; }",
            notFinding: ["dead-branch"]
        ),
        LintStatement(
            "server {\nreturn 301 https://b$request_uri;\nlocation /x { return 404; }\n}",
            finds: ["3 unreachable-location"]
        ),
        LintStatement("server {\nlocation @app { return 404; }\n}", finds: ["2 unreachable-location"]),
        LintStatement(
            "server {\nlocation @app { return 404; }\nlocation / { try_files /x @app; }\n}",
            notFinding: ["unreachable-location"]
        ),
        LintStatement("map $uri $x { default 1; }\nblock host a;", finds: ["1 unused-definition"]),
        LintStatement("block ~ .;\nblock host a.example;", finds: ["1 too-wide", "2 unreachable-rule"]),
        LintStatement(
            "block host a.test;\nblock host a.test;",
            finds: ["2 duplicate-rule"],
            notFinding: ["unreachable-rule"]
        ),
        LintStatement("block host a.test;\nblock host a.test 410;", finds: ["2 conflicting-rule"]),
        LintStatement(
            "server { listen 80; server_name a; }\nserver { listen 80; server_name b; }\nserver { listen 80; server_name b; }",
            finds: ["3 unreachable-server"]
        ),
        LintStatement(
            "geo $ok {\ndefault no;\n10.0.0.0/8 yes;\n}\nserver { if ($ok) { return 204; } return 403; }",
            finds: ["2 dead-branch"],
            says: ["this value is true for if: only 0 and an empty text are false"]
        ),
        LintStatement(
            "server {\nset $block off;\nif ($arg_x) { set $block on; }\nif ($block) { return 403; }\n}",
            finds: ["2 dead-branch"]
        ),
        LintStatement(
            "map $uri $new {\ndefault -;\n/a /b;\n}\nserver { if ($new) { return 301 $new; } }",
            finds: ["2 dead-branch"]
        ),
        LintStatement(
            "map $uri $x {\ndefault off;\n/a on;\n}\nserver { if ($x = on) { return 403; } }",
            notFinding: ["dead-branch"]
        ),
        LintStatement(
            "server {\nlocation / {\nreturn 301 https://b.example$request_uri;\nproxy_pass http://127.0.0.1:1;\n}\n}",
            finds: ["4 unreachable-rule"],
            says: ["never decides: r:3:1 answers before it"]
        ),
        LintStatement(
            "server {\nlocation / {\nif ($arg_x) { break; }\nreturn 204;\nproxy_pass http://127.0.0.1:1;\n}\n}",
            notFinding: ["unreachable-rule"]
        ),
        LintStatement(
            "server { server_name a.example www.a.example,b.example; }",
            finds: ["1 impossible-text"],
            says: ["names are separated by blanks", "write www.a.example b.example"]
        ),
    ]

    static let cycleStatements: [LintStatement] = [
        LintStatement(
            "server {\nserver_name a;\nlocation /x { rewrite ^ /x/y; }\n}",
            finds: ["3 rewrite-cycle"],
            says: ["fail 500"]
        ),
        LintStatement("server {\nserver_name a;\nrewrite ^/l(.*)$ /l/$1;\n}", notFinding: ["rewrite-cycle"]),
        LintStatement(
            "server {\nlocation = /1 { return 301 /2; }\nlocation = /2 { return 301 /1; }\n}",
            finds: ["2 redirect-loop"]
        ),
        LintStatement(
            "server {\nlocation = /1 { return 301 /2; }\nlocation = /2 { return 301 /3; }\n}",
            finds: ["2 redirect-chain"],
            notFinding: ["redirect-loop"],
            says: ["lead to http://localhost/3 at once"]
        ),
        LintStatement(
            "server {\n"
                + (1...15).map { "location = /\($0) { return 301 /\($0 % 15 + 1); }" }.joined(separator: "\n") + "\n}",
            finds: ["2 redirect-loop"],
            notFinding: ["redirect-chain"]
        ),
        LintStatement(
            "server {\n"
                + (1...30).map { "location = /\($0) { return 301 /\($0 + 1); }" }.joined(separator: "\n") + "\n}",
            finds: ["2 redirect-chain"],
            notFinding: ["redirect-loop"],
            says: [
                "more than 20 redirects", "lead to the last page at once, since browsers stop here",
                "lead to http://localhost/31",
            ]
        ),
        // The key is the path: a query, an escape and dots make no other page of it.
        LintStatement(
            "map $uri $to {\ndefault \"\";\n/p /p?utm=1;\n/t /%74;\n/u /u/../u;\n/v /w;\n}\n"
                + "server {\nif ($to) { return 301 $to; }\nreturn 204;\n}",
            finds: ["3 redirect-to-self", "4 redirect-to-self", "5 redirect-to-self"],
            notFinding: ["redirect-chain"]
        ),
        // Each entry is tried, whatever the table reads.
        LintStatement(
            "map $arg_id $to {\ndefault \"\";\n0 /q;\n1 /p?id=2;\n2 /p?id=1;\n3 /p?id=3;\n}\n"
                + "server {\nif ($to) { return 301 $to; }\nreturn 204;\n}",
            finds: ["4 redirect-loop", "6 redirect-to-self"]
        ),
        LintStatement(
            "map $uri $page {\ndefault \"\";\n/0 0;\n/1 1;\n/2 2;\n}\n"
                + "map $page $to {\ndefault \"\";\n0 /q;\n1 /2;\n2 /1;\n}\n"
                + "server {\nif ($to) { return 301 $to; }\nreturn 204;\n}",
            finds: ["10 redirect-loop"]
        ),
        LintStatement(
            "map $cookie_lang $to {\ndefault http://b.example/;\nde /de/;\n}\nserver {\nreturn 302 $to;\n}",
            finds: ["3 redirect-to-self"]
        ),
        LintStatement("server {\nlocation /x { return 301 /x; }\n}", finds: ["2 redirect-to-self"]),
        LintStatement(
            "server {\nserver_name a.example;\nadd_header Set-Cookie \"seen=1; Path=/\";\n"
                + "if ($cookie_seen = \"\") { return 302 $request_uri; }\n}",
            notFinding: ["redirect-to-self", "redirect-loop"]
        ),
        LintStatement(
            "server {\nserver_name a.example;\nadd_header Set-Cookie \"seen=1; Max-Age=0\";\n"
                + "if ($cookie_seen = \"\") { return 302 $request_uri; }\n}",
            finds: ["4 redirect-to-self"]
        ),
        LintStatement(
            "degrade ^~ kl://Pay/ https://m.example.com/pay;\nrewrite_url ^https://m\\.example\\.com/pay$ kl://Pay/home;",
            finds: ["1 redirect-loop"]
        ),
        LintStatement(
            "server {\nserver_name a.example;\nlocation /g/ { return 302 http://a.example/g/x$request_uri; }\n}",
            finds: ["3 growing-redirect"]
        ),
        LintStatement("rename_host c d;\nrename_host d c;", finds: ["1 rename-cycle"]),
        LintStatement(
            "server {\nlisten 80;\nserver_name a.example;\nreturn 301 https://$host$request_uri;\n}\n"
                + "server { listen 443 ssl; server_name a.example; }",
            notFinding: ["redirect-loop", "redirect-to-self"]
        ),
        LintStatement(
            "server {\nlisten 80;\nlisten 443 ssl;\nserver_name a.example;\nreturn 301 https://$host$request_uri;\n}",
            finds: ["5 redirect-to-self"],
            says: ["https://a.example/"]
        ),
        LintStatement(
            "server {\nlisten 80;\nlisten 443 ssl;\nserver_name a.example;\n"
                + "if ($ssl_protocol = \"\") { return 301 https://a.example$request_uri; }\n}",
            notFinding: ["redirect-loop", "redirect-to-self"]
        ),
    ]

    @Test("Order", arguments: orderStatements)
    func order(_ statement: LintStatement) throws { try statement.hold() }

    @Test(
        "A page that the rules name may be there: no cycle is claimed without it",
        arguments: [
            "try_files $uri $uri/ /index.html?$args;", "try_files $uri /index.php?q=$uri;",
            "try_files $uri /$lang/index.html;", "if (!-e $request_filename) { rewrite ^(.*)$ /index.php last; }",
            "if (!-f $request_filename) { rewrite ^ /index.html last; }",
            "try_files $uri $uri/ @r; } location @r { rewrite ^/(.*)$ /app.html?q=$1 last;",
        ]
    )
    func namedPage(rules: String) throws {
        try LintStatement(
            "server { listen 80; server_name a.example; root /srv/www; set $lang en;\nlocation / { \(rules) } }",
            notFinding: ["rewrite-cycle"]
        )
        .hold()
    }

    @Test(
        "Paths that requests cannot have, or hardly ever have",
        arguments: [
            ("/a//b", "no request reaches this location: slashes in a row are merged before", "write /a/b"),
            ("/a/../b", "no request reaches this location: the dots of a path are resolved before", "write /b"),
            ("/a/./b", "the dots of a path are resolved before", "write /a/b"),
            ("/a%20b", "this matches an encoded percent sign only", "write \"/a b\""),
            ("/a?b", "this matches an encoded question mark only", "test $arg_NAME"),
        ]
    )
    func path(written: String, message: String, advice: String) throws {
        let statement = LintStatement(
            "server {\nlocation = \(written) { return 404; }\n}",
            finds: ["2 impossible-text"],
            says: [message, advice]
        )
        try statement.hold()
        let isClaimed = try statement.findings().contains { $0.diagnostic.message.contains("no request") }
        #expect(isClaimed == (written.contains("//") || written.contains("/.")))
    }

    @Test("Cycles", arguments: cycleStatements)
    func cycles(_ statement: LintStatement) throws { try statement.hold() }

    @Test(
        "Rows of redirects lead in a circle with other rules",
        arguments: [
            ("redirects x.txt;\nredirects y.txt;", "/a /b\n", "/b /a\n", true),
            ("redirects x.txt;\nrewrite ^([^.]*[^/])$ $1/ permanent;", "/p/ /p\n/q /r\n", "", true),
            ("redirects x.txt;\nredirects y.txt;", "/a /b\n", "/b /c\n", false),
        ]
    )
    func rows(_ rules: String, first: String, second: String, isCircle: Bool) throws {
        let files = InMemoryFileSystem([
            "/rules/r.conf": "server {\nserver_name a.example;\n\(rules)\n}", "/rules/x.txt": first,
            "/rules/y.txt": second,
        ])
        let options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        let findings = LintRun(try RuleSet(path: "/rules", from: files), options).findings
            .filter { $0.check == "redirect-loop" }
        #expect(findings.contains { $0.diagnostic.location.description == "/rules/x.txt:1:1" } == isCircle)
        #expect(findings.isEmpty != isCircle)
    }
}
