import Shunt
import ShuntCore
import ShuntTools
import Testing

@Suite("shunt lint: expressions")
struct LintExpressionTests {
    static let statements: [LintStatement] = [
        LintStatement(
            "server {\nrewrite ^/(?:foo|foobar).* /x last;\n}",
            finds: ["2 redundant-alternative"],
            says: ["the alternative foobar changes nothing"]
        ),
        LintStatement("server {\nrewrite ^/(?:2|2.7)$ /x last;\n}", notFinding: ["redundant-alternative"]),
        // What the group captures is another text with another alternative.
        LintStatement("server {\nrewrite ^/(foobar|foo).* /x/$1 last;\n}", notFinding: ["redundant-alternative"]),
        LintStatement(
            "server {\nlocation ~ ^/[A-z]+/page { return 204; }\n}",
            finds: ["2 suspicious-class"],
            says: ["this matches /_/page"]
        ),
        LintStatement("server {\nlocation ~* ^/[A-Za-z.-]+/page { return 204; }\n}", notFinding: ["suspicious-class"]),
        LintStatement(
            "server {\nlocation ~ ^/[a|b]/ { return 204; }\n}",
            finds: ["2 suspicious-class"],
            says: ["the | is a character", "this matches /|/"]
        ),
        LintStatement(
            "block ~ ^https://[www]\\.example\\.com/;",
            finds: ["1 suspicious-class"],
            says: ["is one character", "this matches https://w.example.com/"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/x(?:a||b)/ { return 204; }\n}",
            finds: ["2 suspicious-class"],
            says: ["an alternative is empty"]
        ),
        LintStatement("server {\nlocation ~ ^/[a-z|]+$ { return 204; }\n}", notFinding: ["unused-group"]),
        LintStatement(
            "server {\nrewrite ^/(a|b)/x$ /y last;\n}",
            finds: ["2 unused-group"],
            says: ["nothing reads $1"]
        ),
        LintStatement("server {\nrewrite ^/(a|b)/x$ /$1 last;\n}", notFinding: ["unused-group"]),
        LintStatement("server {\nlocation ~ ^/(a|b)/x$ { return 302 /$1; }\n}", notFinding: ["unused-group"]),
        LintStatement(
            "server {\nlocation ~ ^/(a|b)/x$ { add_header X $1; return 204; }\nrewrite ^/(c)$ /d last;\n}",
            notFinding: ["unused-group"]
        ),
        LintStatement("server {\nrewrite ^/(a)\\1$ /y last;\n}", notFinding: ["unused-group"]),
        LintStatement(
            "map $uri $x { default 1;\n~^/(a|b)$ 2; ~^/(c|d)$ $1; }\nserver { return 200 $x; }",
            finds: ["2 unused-group"]
        ),
        LintStatement(
            "block ~ ^.*/wp-login\\.php;",
            finds: ["1 leading-dotstar"],
            says: ["proved: with and without it the expression matches the same"]
        ),
        LintStatement(
            "server {\nlocation ~ ^.*\\.php$ { return 403; }\n}",
            finds: ["2 leading-dotstar"],
            says: ["but for texts with a line feed"]
        ),
        LintStatement("server {\nrewrite ^.*/(a|b) /$1 last;\n}", notFinding: ["leading-dotstar"]),
        LintStatement("server {\nrewrite ^/.*a$ /b last;\n}", notFinding: ["leading-dotstar", "trailing-dotstar"]),
        LintStatement("server {\nrewrite ^/(a+)/.* /$1 last;\n}", finds: ["2 trailing-dotstar"]),
        LintStatement("server {\nrewrite ^/a/.*$ /b last;\n}", finds: ["2 trailing-dotstar"], says: ["line feed"]),
        LintStatement("server {\nrewrite .* /b last;\nrewrite \\.* /c last;\n}", notFinding: ["trailing-dotstar"]),
    ]

    static let prefixes: [LintStatement] = [
        LintStatement(
            "server {\nlocation ~ ^/x/.* { return 204; }\nlocation / { return 404; }\n}",
            finds: ["2 could-be-prefix"],
            says: ["write location ^~ /x/"]
        ),
        // The end may be before a line feed.
        LintStatement("server {\nlocation ~ ^/x/.*$ { return 204; }\n}", notFinding: ["could-be-prefix"]),
        LintStatement("server {\nlocation ~* ^/x/ { return 204; }\n}", notFinding: ["could-be-prefix"]),
        LintStatement(
            "server {\nlocation ~ /y$ { return 200; }\nlocation ~ ^/x/ { return 204; }\n}",
            notFinding: ["could-be-prefix"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/x/ { return 204; }\nlocation ~ /y$ { return 200; }\n}",
            finds: ["2 could-be-prefix"]
        ),
        LintStatement(
            "server {\nlocation /x/y/ { return 200; }\nlocation ~ ^/x/ { return 204; }\n}",
            notFinding: ["could-be-prefix"]
        ),
        LintStatement(
            "server {\nlocation ^~ / { return 200; }\nlocation ~ ^/x/ { return 204; }\n}",
            notFinding: ["could-be-prefix"]
        ),
        LintStatement(
            "server {\nlocation / { location ~ y { return 200; } }\nlocation ~ ^/x/ { return 204; }\n}",
            notFinding: ["could-be-prefix"]
        ),
        // Below a prefix the address without the slash is redirected.
        LintStatement("server {\nlocation ~ ^/x/ { proxy_pass http://u; }\n}", notFinding: ["could-be-prefix"]),
    ]

    static let nginx: [LintStatement] = [
        LintStatement(
            "server {\nrewrite ^/((.*))$ https://www.example.com/$1$2 redirect;\n}",
            finds: ["2 overlapping-captures"],
            for: .nginx
        ),
        LintStatement("server {\nrewrite ^/((.*))$ /x?$1$2 break;\n}", finds: ["2 overlapping-captures"], for: .nginx),
        LintStatement("server {\nrewrite ^/((.*))$ /$1$2 break;\n}", notFinding: ["overlapping-captures"], for: .nginx),
        LintStatement(
            "server {\nrewrite ^/(.*)/(.*)$ /x?$1$2 break;\n}",
            notFinding: ["overlapping-captures"],
            for: .nginx
        ),
        LintStatement("server {\nrewrite ^/((.*))$ /x?$1$2 break;\n}", notFinding: ["overlapping-captures"]),
        LintStatement(
            "server {\nrewrite ^/a/(.*)$ /b?c=d;\nset $x $1;\n}",
            finds: ["2 unnamed-groups"],
            says: ["r:3:1"],
            for: .nginx
        ),
        LintStatement("server {\nrewrite ^/a/(.*)$ /b?c=d;\nset $x $1;\n}", notFinding: ["unnamed-groups"]),
        LintStatement(
            "server {\nrewrite ^/a/(.*)$ /b?c=d last;\nset $x $1;\n}",
            notFinding: ["unnamed-groups"],
            for: .nginx
        ),
        LintStatement(
            "server {\nrewrite ^/a/(?<y>.*)$ /b?c=d;\nset $x $y;\n}",
            notFinding: ["unnamed-groups"],
            for: .nginx
        ),
    ]

    @Test("Expressions", arguments: statements)
    func expression(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Prefixes", arguments: prefixes)
    func prefix(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Mistakes in nginx only", arguments: nginx)
    func nginxOnly(_ statement: LintStatement) throws { try statement.hold() }

    /// Checks, rules, and the results; nil where the rules stay unchanged.
    static let fixes: [(check: String, rules: String, fixed: String?)] = [
        ("unused-group", "server { rewrite ^/(a|b)/x$ /y last; }", "server { rewrite ^/(?:a|b)/x$ /y last; }"),
        (
            "unused-group", "server { rewrite \"^/(a)/(b|c)/(d)$\" /y/$1 last; }",
            "server { rewrite \"^/(a)/(?:b|c)/(?:d)$\" /y/$1 last; }"
        ),
        // The second group would be the first.
        ("unused-group", "server { rewrite ^/(a)/(b)$ /y/$2 last; }", nil),
        ("leading-dotstar", "block ~ ^.*/wp-login\\.php;", "block ~ /wp-login\\.php;"),
        ("leading-dotstar", "server { location ~ ^.*\\.php$ { return 403; } }", nil),
        ("trailing-dotstar", "server { rewrite ^/(a+)/.* /$1 last; }", "server { rewrite ^/(a+)/ /$1 last; }"),
        ("trailing-dotstar", "server { rewrite ^/a/.*$ /b last; }", nil),
        (
            "could-be-prefix", "server { location ~ ^/x/.* { return 204; } }",
            "server { location ^~ /x/ { return 204; } }"
        ),
        ("redundant-alternative", "server { rewrite ^/(?:foo|foobar) /x last; }", nil),
    ]

    @Test("A fix changes no outcome, and others are left", arguments: fixes)
    func fixed(_ fix: (check: String, rules: String, fixed: String?)) throws {
        let files = InMemoryFileSystem(["r": fix.rules])
        var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        options.checks = [fix.check]
        let fixes = try LintFixes("r", from: files, options) { path, files throws(RuleSetError) in
            try LoadedRules(path: path, from: files)
        }
        #expect(fixes.files.values.map { String(decoding: $0, as: UTF8.self) } == (fix.fixed.map { [$0] } ?? []))
    }
}
