import Foundation
import TestFolder
import Testing

@Suite("Mistakes in tables that people bring")
struct FieldTableTests {
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
        #expect(
            text.contains("10.0.0.0/8 1\n  none    never reached") && text.contains("10.0.0.0/8 2\n  hits "),
            "\(text)"
        )
    }

    @Test("A host in capitals as a key has an example")
    func hostsInCapitals() throws {
        let folder = try TestFolder([
            "r.conf": "map $host $x { WWW.Example.com /g; }\nserver { if ($x) { return 301 $x; } return 204; }\n"
        ])
        let text = try String(decoding: folder.run(["examples", "--rules", "r.conf"]).output, as: UTF8.self)
        #expect(text.contains("1 of 1 table entries") && text.contains("2 of 2 rules"), "\(text)")
    }

    @Test("Every entry of a redirect table is tried for loops and chains")
    func table() throws {
        var table = (0..<300).map { "/p\($0) /q\($0);" }
        table += ["/loop1 /loop2;", "/loop2 /loop1;", "/self /self;", "/c1 /c2;", "/c2 /end;"]
        let found = try FieldMistakeTests.findings([
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
        let found = try FieldMistakeTests.findings([
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
            ("/a,/b\n/*,/\n", ["2 invalid-rows"]), ("/a/*,/a/:splat\n", ["1 invalid-rows"]),
            ("/c/*,/d/:splat\n/d/*,/c/:splat\n", ["1 redirect-loop"]), ("/b/*,/b/new/:splat\n", ["1 invalid-rows"]),
            ("/c/*,/d/:splat\n/e/*,/f\n", []),
        ]
    )
    func circlesOfRows(rows: String, expected: [String]) throws {
        let found = try FieldMistakeTests.findings([
            "r.conf": "server { listen 80 default_server; server_name a.example; redirects t.csv; }\n", "t.csv": rows,
        ])
        let circles = found.filter { $0.check.contains("redirect-") || $0.check == "invalid-rows" }
        #expect(circles.map { "\($0.line) \($0.check)" } == expected, "\(found)")
    }

    @Test(
        "A map with a key for each value needs no default",
        arguments: [
            ("map $http_x $a { ~. 1; \"\" 2; }", false), ("map $request_method $a { GET 1; ~. 0; }", false),
            ("map $scheme $a { http 80; https 443; }", false), ("map $uri $a { /a 1; ~.* 0; }", false),
            ("map $http_x $a { ~. 1; b 2; }", true), ("map $scheme $a { http 80; ftp 21; }", true),
            ("map $uri $a { /a 1; ~^/b 2; }", true),
        ]
    )
    func completeMaps(map: String, isFound: Bool) throws {
        let found = try FieldMistakeTests.findings([
            "r.conf": "\(map)\nserver { listen 80 default_server; if ($a = 1) { return 403; } }\n"
        ])
        #expect(found.contains { $0.check == "hash-without-default" } == isFound, "\(found)")
    }

    @Test("Keys that no request has are reported, and others are not")
    func keys() throws {
        let found = try FieldMistakeTests.findings([
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
        let found = try FieldMistakeTests.findings([
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

    @Test("An empty line of a list is reported, and shares by an input that may be missing")
    func tables() throws {
        let found = try FieldMistakeTests.findings([
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
}
