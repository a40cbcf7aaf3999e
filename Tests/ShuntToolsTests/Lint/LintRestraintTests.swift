import ShuntCore
import ShuntTools
import Testing

@Suite("shunt lint: what is right has no finding, and advice that can be followed")
struct LintRestraintTests {
    static let statements: [LintStatement] = [
        // A modifier may be in the word of the path.
        LintStatement(
            "server {\nlocation =/z { return 206; }\nlocation ^~/w { return 207; }\nlocation / { return 404; }\n}",
            notFinding: ["impossible-text"]
        ),
        LintStatement(
            "server {\nlocation =/tags?x=1 { return 206; }\nlocation ^~/img/*.png { return 207; }\n}",
            finds: ["2 impossible-text", "3 impossible-text"],
            says: ["~ ^/img/"]
        ),
        LintStatement(
            "server {\nerror_page 401 =302 /login;\nlocation =/login { return 302 /in; }\n}",
            notFinding: ["missing-slash"]
        ),
        // A redirect turns away, too.
        LintStatement(
            "server {\nif ($http_referer ~ evil) { return 302 http://z.example/; }\nreturn 200;\n}",
            notFinding: ["unanchored-check"]
        ),
        // A proxy names the scheme that it was asked with, and the next hop has another one.
        LintStatement(
            "server {\nlisten 443 ssl;\nserver_name a.example;\nif ($http_x_forwarded_proto = http) { return 301 https://a.example$request_uri; }\nreturn 204;\n}",
            notFinding: ["redirect-to-self", "redirect-loop"]
        ),
        LintStatement(
            "map $http_x_forwarded_proto $redir { default 0; http 1; }\nserver {\nlisten 443 ssl;\nserver_name a.example;\nif ($redir) { return 301 https://a.example$request_uri; }\nreturn 204;\n}",
            notFinding: ["redirect-to-self", "redirect-loop"]
        ),
        LintStatement(
            "server {\nlisten 443 ssl;\nserver_name a.example;\nif ($http_x_forwarded_proto = https) { return 301 https://a.example$request_uri; }\nreturn 204;\n}",
            finds: ["4 redirect-to-self"]
        ),
        LintStatement(
            "server {\nlocation ~ /.ht { deny all; }\nlocation ~* .(jpg|png)$ { return 403; }\nlocation / { return 204; }\n}",
            notFinding: ["dot-stops-at-newline"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/u/ { return 204; }\nlocation ~* ^/u/.*\\.php$ { return 403; }\nlocation / { return 204; }\n}",
            notFinding: ["dot-stops-at-newline"]
        ),
        // The second slash is the way out of the location.
        LintStatement(
            "server {\nlocation /u { if (!-f $request_filename) { rewrite (.*) /$1 last; } }\nlocation / { return 204; }\n}",
            notFinding: ["doubled-slash"]
        ),
        // One mistake has one finding.
        LintStatement(
            "server {\nif ($host = WWW.a.example) { return 403; }\nif ($request_method = post) { return 405; }\n}",
            finds: ["2 impossible-text", "3 impossible-text"],
            notFinding: ["dead-branch"],
            says: ["write POST"]
        ),
        LintStatement(
            "server {\nlocation ~ /^foo$/i { return 204; }\nrewrite /^old(.*)$/ /new$1 last;\n}",
            finds: ["2 never-matches", "3 never-matches"],
            says: ["leave out the slashes around it"]
        ),
        LintStatement("server {\nlocation ~ “^/x$” { return 204; }\n}", notFinding: ["never-matches"]),
        LintStatement(
            "server {\nlocation ~ ^//a { return 204; }\n}",
            finds: ["2 never-matches"],
            notFinding: ["could-be-prefix"]
        ),
        LintStatement(
            "server {\nlocation / { return 301 /x; rewrite ^ /y last; set $a b; }\n}",
            finds: ["2 unreachable-rule"],
            notFinding: ["too-wide"]
        ),
        LintStatement(
            "server {\nrewrite ^/c/(.*)$ /d/\\1 permanent;\nrewrite ^/e/(.*)$ /f/%1 permanent;\n}",
            finds: ["2 unused-group", "3 unused-group"],
            says: ["write $1 for \\1 and %1"]
        ),
        LintStatement(
            "server {\nlisten 80;\nrewrite ^/blog(.*)$ /blog/$1 permanent;\nreturn 204;\n}",
            finds: ["3 redirect-to-self"],
            says: ["let the expression leave the target out"]
        ),
        LintStatement(
            "server {\nlisten 80;\nif ($args ~* \"utm_\") { rewrite ^(.*)$ $1 permanent; }\nreturn 204;\n}",
            finds: ["3 redirect-to-self"],
            says: ["end the target with ?, which leaves the query out"]
        ),
        // A note after a block of one line is the note of that block.
        LintStatement(
            "server {\nlocation /z { return 302 $arg_url; } #: allow open-redirect \"known\"\nlocation / { return 204; }\n}",
            notFinding: ["open-redirect", "unused-allow"]
        ),
        LintStatement(
            "server {\nlisten 80 default_server;\nif ($host ~* \"^(?!www\\.)(.+)$\") { return 301 http://www.$1/; }\n}",
            notFinding: ["unescaped-capture-in-path"]
        ),
    ]

    @Test("A single expression that is always tried is a note", arguments: [(1, "note"), (2, "warning")])
    func triedExpression(count: Int, severity: String) throws {
        let expressions = ["[A-Z]", "\\d\\d"].prefix(count).map { "location ~ \($0) { return 204; }" }
        let names = ["a", "b", "c", "d"].map { "location ~ ^/\($0)/x { return 403; }" }
        let found = try LintStatement("server {\n\((expressions + names).joined(separator: "\n"))\n}").findings()
        let severities = found.filter { $0.check == "slow-expression" }.map { "\($0.diagnostic.severity)" }
        #expect(severities == Array(repeating: severity, count: count))
    }

    @Test("Findings and their absence", arguments: statements)
    func statement(_ statement: LintStatement) throws { try statement.hold() }
}
