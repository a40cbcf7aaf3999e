import Testing

@Suite("shunt lint: mistakes in tables")
struct LintTableTests {
    static let tables: [LintStatement] = [
        // Keys of maps have no case.
        LintStatement(
            "map $uri $new {\n/OLD /old;\n/x /y;\ndefault \"\";\n}\nserver { if ($new) { return 301 $new; } }",
            finds: ["2 redirect-to-self"],
            says: ["/old → redirect 301"]
        ),
        LintStatement(
            "map $uri $new {\n/Old /older;\ndefault \"\";\n}\nserver { if ($new) { return 301 $new; } }",
            notFinding: ["redirect-to-self", "redirect-loop"]
        ),
        LintStatement(
            """
            map $host$uri $new {
            a.example/old http://a.example/new;
            a.example/new http://a.example/old;
            default "";
            }
            server { server_name a.example; if ($new) { return 301 $new; } }
            """,
            finds: ["2 redirect-loop"]
        ),
        LintStatement(
            """
            map $uri$is_args$args $new {
            /p?id=1 /p?id=1;
            /p?id=2 /two;
            default "";
            }
            server { if ($new) { return 301 $new; } }
            """,
            finds: ["2 redirect-to-self"]
        ),
        // A set takes the value of the map.
        LintStatement(
            """
            map $uri $new {
            /p1 /q1;
            /loop1 /loop2;
            /loop2 /loop1;
            /self /self;
            /c1 /c2;
            /c2 /c3;
            /h https:/a.example/;
            default "";
            }
            server { server_name a.example; set $x ""; if ($new) { set $x $new; } if ($x) { return 301 $x; } }
            """,
            finds: ["3 redirect-loop", "5 redirect-to-self", "6 redirect-chain", "8 missing-slash"]
        ),
        LintStatement(
            "map $http_host $x {\nhttps://a.example 1;\na.example/x 2;\na.example:80 3;\na.example:8080 4;\na.example. 5;\n.a.example 6;\ndefault 0;\n}\nserver { if ($x) { return 403; } }",
            finds: ["2 impossible-text", "3 impossible-text", "4 impossible-text", "7 impossible-text"],
            says: ["a host has no scheme", "a host has no path", "clients leave the usual port out"]
        ),
        LintStatement(
            "map $http_host $x { a.example:8080 4; a.example. 5; default 0; }\nserver { if ($x) { return 403; } }",
            notFinding: ["impossible-text"]
        ),
        LintStatement(
            "map $uri $new {\n/a \"\";\n/b /c;\ndefault \"\";\n}\nserver { if ($new) { return 301 $new; } }",
            finds: ["2 missing-slash"],
            says: ["this key has no target"]
        ),
        LintStatement(
            "map $uri $new {\n/a \"\";\n~^/a /c;\ndefault \"\";\n}\nserver { if ($new) { return 301 $new; } }",
            notFinding: ["missing-slash"]
        ),
        // Captures of a key choose the host, or continue after it.
        LintStatement(
            "map $uri $n {\n~^/a(?<r>.*)$ https://b.example$r;\n~^/go/(?<u>.*)$ https://$u;\n~^/x/(.*)$ https://b.example/$1;\ndefault '';\n}\nserver { server_name a.example; if ($n) { return 301 $n; } }",
            finds: ["7 authority-not-closed", "7 open-redirect"]
        ),
        LintStatement(
            "map $uri $n { ~^/x/(.*)$ https://b.example/$1; ~^/y(?<r>/.*)$ https://b.example$r; default ''; }\nserver { server_name a.example; if ($n) { return 301 $n; } }",
            notFinding: ["authority-not-closed", "open-redirect"]
        ),
        LintStatement(
            "map $request_uri $new {\nhttps://a.example/old /new;\na.example/b /c;\n/ok /x;\ndefault \"\";\n}\nserver { if ($new) { return 301 $new; } }",
            finds: ["2 impossible-text", "3 impossible-text"],
            notFinding: ["unreachable-rule"],
            says: ["a path has no scheme and no host", "write /old", "write /b"]
        ),
    ]

    @Test("Entries of tables", arguments: tables)
    func table(_ statement: LintStatement) throws { try statement.hold() }
}
