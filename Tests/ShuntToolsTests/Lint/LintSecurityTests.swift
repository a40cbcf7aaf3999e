import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: security, expressions, traps, upkeep")
struct LintSecurityTests {
    private static let page = "https://www.example.com/private/"

    static let securityStatements: [LintStatement] = [
        LintStatement(
            "match_spelling exact;\nblock ^~ \(page) 404;",
            finds: ["2 other-spelling"],
            says: [
                "privat%65", "www.example.com:443/private/", "user@www", "HTTPS://WWW.EXAMPLE.COM", "com//private/",
                "/x/../private/", "www.example.com./private/",
            ]
        ),
        LintStatement("match_spelling loose;\nblock ^~ \(page) 404;", notFinding: ["other-spelling"]),
        LintStatement("block host ads.example.com;", notFinding: ["other-spelling"]),
        LintStatement(
            "server {\nlocation /y { return 302 $arg_url; }\n}",
            finds: ["2 open-redirect"],
            says: ["https://attacker.example/"]
        ),
        LintStatement(
            "server {\nlocation /x { return 302 https://a.example$arg_to; }\n}",
            finds: ["2 authority-not-closed"],
            says: ["https://a.example.attacker.example/", "https://a.example@attacker.example/"]
        ),
        LintStatement(
            "server {\nlocation /x { return 302 https://a.example/$arg_to; }\n}",
            notFinding: ["authority-not-closed", "open-redirect"]
        ),
        LintStatement(
            "server {\nlocation /x { set $to $arg_to; return 302 $scheme://$to/a; }\n}",
            finds: ["2 open-redirect"],
            says: ["http://attacker.example"]
        ),
        LintStatement(
            "server {\nlocation /x { return 302 $scheme://a.example$arg_to; }\n}",
            finds: ["2 authority-not-closed"],
            says: ["http://a.example@attacker.example/"]
        ),
        LintStatement(
            "server {\nlocation /x { return 302 $scheme://a.example/$arg_to; }\n}",
            notFinding: ["authority-not-closed", "open-redirect"]
        ),
        LintStatement("degrade ^~ kl://Open/ $arg_url;", finds: ["1 open-redirect"]),
        // Slashes are merged, and browsers read one as two.
        LintStatement(
            "server {\nlocation ~ ^/r(.*)$ { return 302 $1; }\n}",
            finds: ["2 open-redirect"],
            says: ["https:/attacker.example/"]
        ),
        LintStatement("server {\nlocation ~ ^/r/(.*)$ { return 302 https:/$1; }\n}", finds: ["2 open-redirect"]),
        LintStatement("server {\nlocation ~ ^/r(/.*)$ { return 302 $1; }\n}", notFinding: ["open-redirect"]),
        LintStatement("server { return 301 https://$server_name$request_uri; }", notFinding: ["host-spoofing"]),
        LintStatement("server {\nreturn 301 https://$host$request_uri;\n}", finds: ["2 host-spoofing"]),
        LintStatement(
            "server {\nlocation /files { alias /srv/files/; }\n}",
            finds: ["2 alias-traversal"],
            says: ["/files../secret"]
        ),
        LintStatement("server {\nlocation /files/ { alias /srv/files/; }\n}", notFinding: ["alias-traversal"]),
        LintStatement(
            "server {\nlocation /files { alias /srv/files; }\n}",
            finds: ["2 alias-traversal"],
            says: ["/srv/filesa"]
        ),
        LintStatement("server {\nreturn 302 https://a.example$uri;\n}", finds: ["2 http-splitting"], says: ["%0A"]),
        LintStatement(
            "server {\nlocation ~ ^/c/(.*)$ { return 302 /d?was=$1; }\n}",
            finds: ["2 unescaped-capture-in-query"],
            says: ["&admin=1"]
        ),
        LintStatement("server {\nlocation ~ ^/p/(.*)$ { proxy_pass http://$1; }\n}", finds: ["2 ssrf"]),
        LintStatement(
            "server {\nlocation / {\nif ($http_origin ~ ^https://sub.example.com$) { add_header Access-Control-Allow-Origin $http_origin; }\n}\n}",
            finds: ["3 unsafe-origin"]
        ),
        LintStatement(
            "server {\nlocation / {\nif ($http_origin ~ ^https://([a-z0-9-]+\\.)?example\\.com$) { return 204; }\n}\n}",
            notFinding: ["unsafe-origin"]
        ),
        LintStatement(
            "server {\nif ($http_origin ~ example\\.com) { return 204; }\n}",
            finds: ["2 unsafe-origin"]
        ),
        LintStatement("block ~ ^https?://www.example.com/;", finds: ["1 unescaped-dot"]),
        LintStatement("block ~ ^https?://www\\.example\\.com/;", notFinding: ["unescaped-dot"]),
        LintStatement(
            "server {\nif ($http_referer !~ example\\.com) { return 403; }\n}",
            finds: ["2 unanchored-check"],
            says: ["https://attacker.example/"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/p/.*$ { return 403; }\n}",
            finds: ["2 dot-stops-at-newline"],
            says: ["/p/%0A"]
        ),
        LintStatement(
            "server {\nlocation /admin { deny all; }\n}",
            finds: ["2 prefix-without-slash"],
            says: ["/admina"]
        ),
        LintStatement(
            "block host old.example;\nrename_host new.example old.example;",
            finds: ["2 block-before-rename"]
        ),
        LintStatement("server {\nlocation /b { deny all; return 200 x; }\n}", finds: ["2 return-bypasses-access"]),
        LintStatement("server {\nlocation /a { allow 10.0.0.0/8; }\n}", finds: ["2 allow-without-deny"]),
        LintStatement(
            "split_clients $cookie_id $g { 1% a; * b; }\nserver { return 200 $g; }",
            finds: ["1 split-key-client-controlled"],
            says: ["in the share \"a\""]
        ),
        LintStatement(
            "split_clients $cookie_id $g { 1% a; * b; }\n"
                + "if ($g = a) { rewrite_url ^https://a\\.example/(.*)$ https://b.example/$1 301; }",
            finds: ["2 permanent-in-condition"]
        ),
    ]

    static let otherStatements: [LintStatement] = [
        LintStatement("server {\nlocation ~ ^/(\\w+)/(\\d+)$ { return 200; }\n}", notFinding: ["regex-redos"]),
        LintStatement(
            "server {\nlocation ~ /\\w+/[\\w.]+(?!\\.html)$ { return 200; }\n}",
            finds: ["2 vacuous-lookaround"],
            says: ["looks back"]
        ),
        LintStatement("server {\nlocation ~ ^/api/health\\z { return 200; }\n}", finds: ["2 could-be-exact"]),
        LintStatement(
            "server {\nlocation ~ ^/api/ { return 404; }\nlocation ~ ^/api/health\\z { return 200; }\n}",
            finds: ["3 unreachable-rule"],
            notFinding: ["could-be-exact"]
        ),
        LintStatement(
            "map $http_x $m { default a; b c; }\nserver {\nlocation ~ ^/a/(\\w+)$ {\nif ($m ~ a) { return 302 /b/$1; }\n}\n}",
            finds: ["4 clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(\\w+)$ {\nif ($http_x ~ x) { set $q 1; }\nreturn 302 /b/$1;\n}\n}",
            finds: ["4 clobbered-capture"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/a/(\\w+)$ {\nif ($http_x ~ x) { return 403; }\nreturn 302 /b/$1;\n}\n}",
            notFinding: ["clobbered-capture"]
        ),
        LintStatement(
            "server {\nrewrite ^/x$ https://b.example/?a=1 permanent;\n}",
            finds: ["2 rewrite-appends-query"],
            says: ["u=2"]
        ),
        LintStatement(
            "map $arg_token $who {\n0123456789ab a;\ndefault '';\n}\nserver {\nif ($http_x_api_key = 0123456789ab) { return 204; }\nlocation / { proxy_pass http://127.0.0.1:1;\nproxy_set_header Authorization \"Basic dTpw\"; }\nreturn 200 $who;\n}",
            finds: ["2 secret-in-rules", "6 secret-in-rules", "8 secret-in-rules"]
        ),
        LintStatement(
            "map $arg_token $has { '' 0; default 1; }\nserver {\nif ($http_authorization = '') { return 401; }\nif ($arg_key = 0123456789ab) { return 204; }\nreturn 200 $has;\n}",
            notFinding: ["secret-in-rules"]
        ),
        LintStatement(
            "#: allow unescaped-dot \"ours\"\nblock ~ ^https?://www.example.com/;",
            notFinding: ["unescaped-dot", "unused-allow"]
        ),
        LintStatement(
            "#: allow unescaped-dot \"ours\"\nblock ~ ^https?://www\\.example\\.com/;",
            finds: ["1 unused-allow"]
        ),
        LintStatement(
            "#: until=2026-01-01 allow unescaped-dot\nblock ~ ^https?://www.example.com/;",
            finds: ["2 unescaped-dot", "2 expired-note"]
        ),
        LintStatement("if ($time < 2026-10-01) {\nblock host a.test;\n}", finds: ["1 past-window"]),
        LintStatement(
            "if ($time < 2026-12-01) {\nblock host a.test;\n}",
            notFinding: ["past-window", "future-window"]
        ),
        LintStatement(
            "if ($time < 2026-10-01 || $time > 2026-12-01) {\nblock host a.test;\n}",
            notFinding: ["past-window", "future-window"]
        ),
        LintStatement("if ($time >= 2026-12-01) {\nblock host a.test;\n}", finds: ["1 future-window"]),
    ]

    @Test("Security", arguments: securityStatements)
    func security(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Expressions, notes and times", arguments: otherStatements)
    func others(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Redirects with slashes: only what leaves the host is reported")
    func slashes() throws {
        let rules = "server {\nabsolute_redirect off;\nmerge_slashes off;\nrewrite ^/(.*)/$ /$1 permanent;\n}"
        try LintStatement(rules, finds: ["4 open-redirect-slashes"]).hold()
        try LintStatement(
            rules.replacing("absolute_redirect off;\n", with: ""),
            notFinding: ["open-redirect-slashes"]
        )
        .hold()
        let severities = try [LintOptions.Target.shunt, .nginx]
            .map { target in
                try LintStatement(rules, for: target).findings().filter { $0.check == "open-redirect-slashes" }
                    .map(\.diagnostic.severity)
            }
        #expect(severities == [[.note], [.error]])
    }

    @Test("Findings are found again, and in the same order")
    func repeats() throws {
        let statement = Self.securityStatements[0]
        let first = try statement.findings().map { "\($0.diagnostic)" + $0.remarks.joined() }
        #expect(try statement.findings().map { "\($0.diagnostic)" + $0.remarks.joined() } == first)
    }
}
