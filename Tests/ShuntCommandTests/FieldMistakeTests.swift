import Foundation
import TestFolder
import Testing

@Suite("Mistakes that people bring")
struct FieldMistakeTests {
    /// What lint says of some rules: check and message of each finding, and the advice.
    private func findings(_ files: [String: String]) throws -> [(line: Int, check: String, text: String)] {
        let folder = try TestFolder(files)
        let report = try JSON(folder.run(["lint", "r.conf", "--format", "json"]).output)["findings"]
        var found: [(line: Int, check: String, text: String)] = []
        while let check = report[found.count]["code"].string {
            let one = report[found.count]
            let text = [one["message"].string, one["suggestion"].string].compactMap { $0 }.joined(separator: "; ")
            found.append((one["line"].number ?? 0, check, text))
        }
        return found
    }

    private static let server = "server { listen 80 default_server; server_name a.example; "

    @Test(
        "A mistake with the check that finds it and words of its advice",
        arguments: [
            ("location ^/shop/api/ { return 404; }", "impossible-text", "write ~ before it"),
            ("location /api(.*)$ { return 404; }", "impossible-text", "write ~ before it"),
            ("location = /tags?tag=cool { return 404; }", "impossible-text", "a path has no query"),
            ("location = /m%C3%BCnchen { return 404; }", "impossible-text", "decoded before it is compared"),
            ("location = catalog { return 404; }", "impossible-text", "write /catalog"),
            ("location = https://a.example/x/3 { return 404; }", "impossible-text", "write /x/3"),
            ("return 301 www.a.example$request_uri;", "missing-slash", "write $scheme://www.a.example"),
            ("return 301 index.html;", "missing-slash", "write /index.html"),
            ("location = /frag#top { return 404; }", "impossible-text", "an encoded # is rarely meant"),
            (
                "location /api(.*)$ { proxy_pass http://127.0.0.1:8080/api$1; }", "missing-group",
                "write ~ before the expression of the location"
            ),
            ("root /srv/none; location / { try_files $uri $uri/; }", "rewrite-cycle", "write =404 after it"),
            (
                "root /srv/www; error_page 503 /c.html; if (-f $document_root/c.html) { return 503; }",
                "error-page-cycle", "the page is never sent"
            ),
            (
                "location /.well-known/acme-challenge/ { root /srv; } location ~ /\\. { deny all; }",
                "unreachable-location", "write ^~ before the prefix"
            ),
            ("if ($host !~ ^(shop.example|www.shop.example)$) { return 444; }", "unescaped-dot", "write \\. for a dot"),
            ("location / { proxy_pass http://127.0.0.1:8080/$request_uri; }", "doubled-slash", "begins with one"),
            ("set $b http://127.0.0.1:8080/$uri; location / { proxy_pass $b; }", "doubled-slash", "begins with one"),
            ("return 301 $host$request_uri;", "missing-slash", "write $scheme://$host$request_uri"),
            ("error_page 404 missing.html;", "missing-slash", "write /missing.html"),
            ("location / { try_files $uri index.html; }", "missing-slash", "write /index.html"),
            ("rewrite ^pictures/(.*)$ js/box/$1 last;", "never-matches", "a path begins with a slash"),
            ("if ($request_uri ~ \"^/index.php?id=5$\") { return 301 /5; }", "unescaped-question-mark", "write \\?"),
            ("server_name a.example:80;", "impossible-text", "write a.example"),
            ("server_name b.example, c.example;", "impossible-text", "write b.example"),
            ("server_name b.example.;", "impossible-text", "write b.example"),
            ("set $b 127.0.0.1:1; location /x/ { proxy_pass http://$b/y/; }", "lost-path", "leave /y/ out"),
            ("set_real_ip_from 10.0.0.0/8; deny 10.1.0.0/16;", "proxy-address-rule", "the addresses of clients"),
            (
                "listen 8080; set_real_ip_from 10.0.0.1; location = /d { return 301 /d/; }", "internal-port",
                "sent to port 8080"
            ),
            ("if ($server_port = 443) { return 301 http://a.example/; }", "impossible-scheme", "listens on 80"),
        ]
    )
    func found(rules: String, check: String, words: String) throws {
        let found = try findings(["r.conf": Self.server + rules + " }\n"])
        #expect(found.contains { $0.check == check && $0.text.contains(words) }, "\(found)")
    }

    @Test(
        "What works is not called a mistake",
        arguments: [
            (
                "location / { proxy_pass http://127.0.0.1; proxy_redirect ~^http://[^/]+(/.*)$ $1; }", "missing-group"
            ),
            (
                "location / { rewrite ^/tools/(.*\\.js)$ /$1 last; try_files $uri $uri/ /index.html; }", "rewrite-cycle"
            ),
            ("location ~ ^/a { return 404; } location /b|c { return 404; }", "unreachable-location"),
            ("location ~ /x\\. { return 404; } location /.w/ { return 204; }", "unreachable-location"),
            ("location ~ ^/a(?:bc)?d=x { return 404; }", "unescaped-question-mark"),
            ("return 301 https://$host$request_uri;", "doubled-slash"),
            ("set $b 127.0.0.1:1; location = /auth { proxy_pass http://$b/check; }", "lost-path"),
            ("set $b 127.0.0.1:1; location / { proxy_pass http://$b$request_uri; }", "lost-path"),
            ("set $b 127.0.0.1:1; location / { proxy_pass http://$b; }", "lost-path"),
            ("set_real_ip_from 10.0.0.1; allow 10.0.0.0/8; deny all;", "proxy-address-rule"),
            ("listen 8080; location = /d { return 301 /d/; }", "internal-port"),
            (
                "listen 8080; set_real_ip_from 10.0.0.1; absolute_redirect off; location = /d { return 301 /d/; }",
                "internal-port"
            ),
            ("if ($scheme = https) { return 301 http://a.example/; }", "impossible-scheme"),
            ("listen 443 ssl; if ($scheme = http) { return 301 https://a.example/; }", "impossible-scheme"),
            ("error_page 404 = @other; location @other { return 204; }", "missing-slash"),
            ("location ~* ^/img/.+\\.(png|jpg)$ { try_files $uri =404; }", "dot-stops-at-newline"),
        ]
    )
    func notFound(rules: String, check: String) throws {
        let found = try findings(["r.conf": Self.server + rules + " }\n"])
        #expect(!found.contains { $0.check == check }, "\(found)")
    }

    @Test(
        "A test of the scheme that no request of a server with TLS passes is found",
        arguments: [
            ("$scheme != \"https\"", true), ("$scheme = http", true), ("$scheme ~ ^http$", true),
            ("$https = \"\"", true),
            ("$https != on", true), ("$scheme = https", false), ("$https", false), ("$scheme !~ ^http$", false),
            ("$host != a.example", false),
        ]
    )
    func scheme(test: String, isFound: Bool) throws {
        let rules =
            "server { listen 443 ssl; listen [::]:8443 ssl; server_name a.example; if (\(test)) { return 301 https://a.example/; } }"
        let found = try findings(["r.conf": "ssl_certificate c; ssl_certificate_key k;\n\(rules)\n"])
        #expect(found.contains { $0.check == "impossible-scheme" } == isFound, "\(found)")
    }

    @Test("A key of a table that is compared with the target as it is sent has an example")
    func sentTargets() throws {
        let folder = try TestFolder([
            "r.conf": """
            map $request_uri $x { /e%20f /g; /a?b=c /d; }
            server { if ($x) { return 301 $x; } location /in/ { if ($request_uri ~ "%2f\\?q") { return 410; } return 204; } }

            """
        ])
        let text = try String(decoding: folder.run(["examples", "--rules", "r.conf"]).output, as: UTF8.self)
        #expect(text.contains("/e%20f"), "\(text)")
        #expect(text.contains("2 of 2 table entries") && text.contains("3 of 3 rules"), "\(text)")
    }

    @Test("Entries of a file that two maps include, and of the same network, have true examples")
    func sharedEntries() throws {
        let folder = try TestFolder([
            "r.conf": """
            map $uri $n { include a.map; }
            map $uri $m { include a.map; }
            geo $g { 10.0.0.0/8 1; 10.0.0.0/8 2; }
            server { if ($n) { return 301 $n; } if ($m) { return 302 $m; } if ($g = 1) { return 403; } return 204; }

            """,
            "a.map": "/a /b;\n/c /d;\n",
        ])
        let text = try String(decoding: folder.run(["examples", "--rules", "r.conf"]).output, as: UTF8.self)
        #expect(text.contains("/a /b\n  hits ") && text.contains("/c /d\n  hits "), "\(text)")
        #expect(text.contains("10.0.0.0/8 1\n  none    never reached") && text.contains("10.0.0.0/8 2\n  hits "), "\(text)")
    }

    @Test("A host in capitals as a key has an example")
    func hostsInCapitals() throws {
        let folder = try TestFolder([
            "r.conf": "map $host $x { WWW.Example.com /g; }\nserver { if ($x) { return 301 $x; } return 204; }\n"
        ])
        let text = try String(decoding: folder.run(["examples", "--rules", "r.conf"]).output, as: UTF8.self)
        #expect(text.contains("1 of 1 table entries") && text.contains("2 of 2 rules"), "\(text)")
    }

    @Test(
        "A list of Referers that are turned away accepts none of them",
        arguments: [("~*", false), ("!~*", true)]
    )
    func blockedReferers(operator: String, isFound: Bool) throws {
        let found = try findings([
            "r.conf": Self.server
                + "if ($http_referer \(`operator`) (semalt\\.com|darodar\\.com)) { return 403; } return 204; }\n"
        ])
        let checks = found.filter { ["unsafe-origin", "unanchored-check"].contains($0.check) }
        #expect(checks.isEmpty == !isFound, "\(found)")
    }

    @Test("Every entry of a redirect table is tried for loops and chains")
    func table() throws {
        var table = (0..<300).map { "/p\($0) /q\($0);" }
        table += ["/loop1 /loop2;", "/loop2 /loop1;", "/self /self;", "/c1 /c2;", "/c2 /end;"]
        let found = try findings([
            "r.conf": """
            map $uri $new { default ""; include t.map; }
            server { listen 80 default_server; server_name a.example; if ($new) { return 301 $new; } }

            """,
            "t.map": table.joined(separator: "\n") + "\n",
        ])
        #expect(found.filter { $0.check == "redirect-loop" }.map(\.line) == [301], "\(found)")
        #expect(found.filter { $0.check == "redirect-to-self" }.map(\.line) == [303])
        #expect(found.filter { $0.check == "redirect-chain" }.map(\.line) == [304])
    }

    @Test(
        "Circles are found through every kind of entry",
        arguments: [
            // The first hop goes to https.
            (
                "/a /b; /b /a; /s /s; default '';", "if ($new) { return 301 https://a.example$new; }",
                ["1 redirect-loop", "1 redirect-to-self"]
            ),
            ("/a /b;\ndefault /home;", "if ($new) { return 301 $new; }", ["2 redirect-to-self"]),
            ("/a /b;\ndefault $uri;", "if ($new) { return 301 $new; }", ["2 redirect-to-self"]),
            ("default '';\n~^/old/(.*)$ /old/$1;", "if ($new) { return 301 $new; }", ["2 redirect-to-self"]),
            (
                "default '';\n~^/x/(?<r>.*)$ /y/$r;\n~^/y/(.*)$ /x/$1;", "if ($new) { return 301 $new; }",
                ["2 redirect-loop"]
            ),
            ("default '';\n~^/x/(.*)$ /y/$1;\n/a /b;", "if ($new) { return 301 $new; }", []),
        ]
    )
    func circles(table: String, rule: String, expected: [String]) throws {
        let found = try findings([
            "r.conf": """
            map $uri $new { include t.map; }
            server { listen 80; listen 443 ssl; server_name a.example; \(rule) }

            """,
            "t.map": table + "\n",
        ])
        let circles = found.filter { $0.check == "redirect-loop" || $0.check == "redirect-to-self" }
        #expect(circles.map { "\($0.line) \($0.check)" }.sorted() == expected, "\(found)")
    }

    @Test(
        "Circles of rows with wildcards are found",
        arguments: [
            ("/a,/b\n/*,/\n", ["2 redirect-to-self"]), ("/a/*,/a/:splat\n", ["1 redirect-to-self"]),
            ("/c/*,/d/:splat\n/d/*,/c/:splat\n", ["1 redirect-loop"]), ("/b/*,/b/new/:splat\n", ["1 growing-redirect"]),
            ("/c/*,/d/:splat\n/e/*,/f\n", []),
        ]
    )
    func circlesOfRows(rows: String, expected: [String]) throws {
        let found = try findings([
            "r.conf": "server { listen 80 default_server; server_name a.example; redirects t.csv; }\n", "t.csv": rows,
        ])
        let circles = found.filter { $0.check.contains("redirect-") || $0.check.contains("-redirect") }
        #expect(circles.map { "\($0.line) \($0.check)" } == expected, "\(found)")
    }

    @Test("Keys that no request has are told, and others are not")
    func keys() throws {
        let found = try findings([
            "r.conf": """
            map $uri $new {
                https://www.a.example/full /full/;
                www.a.example/host /host/;
                about-us /about/;
                /product?id=5 /p/five/;
                "/with%20space" /space/;
                /good /new/;
                default "";
            }
            map $host $site {
                example.net:80 a;
                https://x.example b;
                "example.org." c;
                good.example d;
                default "";
            }
            map $request_uri $raw { "/a b" x; /e%20f y; /g?h=1 z; default ""; }
            server { listen 80 default_server; if ($new) { return 301 $new; } return 200 $site$raw; }

            """
        ])
        #expect(
            found.filter { $0.check == "impossible-text" }.map(\.line) == [2, 3, 4, 5, 6, 11, 12, 13, 17],
            "\(found)"
        )
    }

    @Test("Wildcards and expressions that are compared as text are found")
    func wildcards() throws {
        let found = try findings([
            "r.conf": """
            map $uri $new {
                /blog/* /b;
                /old/(.*) /o;
                ~^/x/.* /y;
                /a*b /c;
            }
            map $host $site {
                *.a.example 1;
                .b.example 1;
                c.* 1;
                d.example 1;
            }
            map $host $other { hostnames; *.a.example 1; .b.example 1; }
            server { listen 80 default_server; if ($new) { return 301 $new; } return 200 $site$other; }

            """
        ])
        #expect(found.filter { $0.check == "impossible-text" }.map(\.line) == [2, 3, 8, 9, 10], "\(found)")
    }

    @Test("An error is reported however many warnings there are, and the check is not passed")
    func errorAmongWarnings() throws {
        let networks = (1...1_100).map { "10.\($0 / 250).\($0 % 250).7/24 1;" } + ["10.0.0.0-10.0.0.255 1;"]
        let folder = try TestFolder([
            "r.conf": "geo $bot { include n.geo; }\nif ($bot) { block ~ . 403; }\n",
            "n.geo": networks.joined(separator: "\n") + "\n",
        ])
        let outcome = try folder.run(["check", "r.conf"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.first?.hasPrefix("n.geo:1101:") == true, "\(outcome.lines.first ?? "")")
        #expect(outcome.lines.last == "1 error, 1100 warnings")
        #expect(outcome.lines.contains { $0.contains("1000 more warnings like this are not shown") })
        let report = try JSON(folder.run(["check", "r.conf", "--format", "json"]).output)
        #expect(report["errors"].number == 1)
        #expect(report["warnings"].number == 1_100)
    }

    @Test("An empty line of a list is told, and shares by an input that may be missing")
    func tables() throws {
        let found = try findings([
            "r.conf": """
            input $device_id;
            input $group_id none;
            map $http_user_agent $bot { include bots.map; default 0; }
            split_clients $device_id $half { 50% a; * b; }
            split_clients $group_id $other { 50% a; * b; }
            server { if ($bot) { return 403; } return 200 $half$other; }

            """,
            "bots.map": "\"~*badbot\" 1;\n\"~*\" 1;\n",
        ])
        #expect(found.filter { $0.check == "matches-everything" }.map(\.line) == [2], "\(found)")
        #expect(found.filter { $0.check == "split-key-missing" }.map(\.line) == [4])
    }

    @Test("A list of hosts with networks says where networks belong")
    func networksInBlocklist() throws {
        let folder = try TestFolder([
            "r.conf": "blocklist l.txt;\n",
            "l.txt": "ads.example\n" + (0..<40).map { "192.0.2.\($0)/32\n" }.joined(),
        ])
        let outcome = try folder.run(["check", "r.conf"])
        #expect(outcome.lines.last == "1 rule: no errors, 40 warnings", "\(outcome.lines)")
        #expect(outcome.text.contains("write block networks FILE; for a list of networks of clients"))
    }

    @Test("A time zone in one file changes the rules of another, and diff has a request for it")
    func timezone() throws {
        let night = "if ($time_of_day >= 22:00) { block host night.example.com 503; }\n"
        let folder = try TestFolder([
            "old/10.conf": night, "new/10.conf": night, "new/05.conf": "timezone +01:00;\n",
        ])
        let outcome = try folder.run(["diff", "old", "new", "--at", "2026-11-26T12:00:00Z"])
        #expect(
            outcome.lines.contains {
                $0.hasSuffix("forward https://night.example.com/ → block 503") || $0.contains("→ block 503")
            },
            "\(outcome.lines)"
        )
        #expect(outcome.status == 1)
    }

    @Test("What has no effect is one line, and what the gateway does not do is an error of serving")
    func ignored() throws {
        let folder = try TestFolder([
            "nginx.conf": """
            user www; worker_processes 4; pid /run/x.pid; events {}
            http { sendfile on; tcp_nopush on; gzip on; server_tokens off;
            server { location / { proxy_pass http://127.0.0.1:3000; proxy_pass_trailers on; proxy_method GET; } } }

            """,
            "plain.conf": "events {}\nhttp { server { listen 80 default_server; return 204; } }\n",
        ])
        for command in ["check", "lint"] {
            let refused = try folder.run([command, "nginx.conf"])
            #expect(refused.status == 1)
            let message =
                "nginx.conf:3:57: error: the gateway does not do \"proxy_pass_trailers\": trailers of the upstream"
            #expect(refused.lines.contains { $0.hasPrefix(message) }, "\(refused.lines)")
        }
        let accepted = try folder.run(["check", "nginx.conf", "--accept", "proxy_pass_trailers", "--ignored"])
        #expect(accepted.status == 0)
        #expect(accepted.lines.contains { $0.contains("note: 7 directives have no effect") }, "\(accepted.lines)")
        #expect(accepted.lines.contains("without effect: gzip (nginx.conf:2:36)"), "\(accepted.lines)")
        #expect(try folder.run(["check", "nginx.conf", "--accept", "proxy_pass"]).status == 2)
        #expect(
            try folder.run(["lint", "nginx.conf", "--accept", "all", "--skip", "server"]).lines
                .contains { $0.contains("not-served") }
        )
        #expect(try folder.run(["lint", "plain.conf"]).status == 0)
    }
}
