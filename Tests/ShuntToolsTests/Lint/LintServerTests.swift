import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: nginx's traps, and what only a server looks at")
struct LintServerTests {
    static let traps: [LintStatement] = [
        LintStatement(
            "server {\nlocation ^~ /static/ { return 204; }\nlocation ~ \\.php$ { return 404; }\n}",
            notFinding: ["regex-before-prefix"]
        ),
        LintStatement(
            "server {\nlocation /a/ { return 204; }\nlocation ~ ^/b { return 404; }\n}",
            notFinding: ["regex-before-prefix"]
        ),
        LintStatement(
            "server {\nlocation /img/ {\nalias /srv/;\ntry_files $uri =404;\n}\n}",
            notFinding: ["try-files-with-alias"]
        ),
        LintStatement(
            "server {\nlocation /img/ {\nalias /srv/;\ntry_files $uri /img/none?was=$uri;\n}\n}",
            finds: ["4 try-files-with-alias"],
            says: ["continues with the path none"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/img/(.+)$ {\nroot /srv;\ntry_files /$1 =404;\n}\n}",
            notFinding: ["try-files-with-alias"]
        ),
        LintStatement(
            "server {\nlocation /files/ { alias /srv/files; }\n}",
            finds: ["2 alias-without-slash"],
            says: ["/srv/filesname"]
        ),
        LintStatement("server {\nlocation /files/ { alias /srv/files/; }\n}", notFinding: ["alias-without-slash"]),
        LintStatement("server {\nlocation / { alias /srv/files; }\n}", finds: ["2 alias-without-slash"]),
        LintStatement(
            "server {\nlocation /a/ { proxy_pass http://127.0.0.1:1/b; }\n}",
            finds: ["2 joined-upstream-path"],
            says: ["/bname"]
        ),
        LintStatement(
            "server {\nlocation /a { proxy_pass http://127.0.0.1:1/; }\n}",
            finds: ["2 joined-upstream-path"],
            says: ["127.0.0.1:1//name"]
        ),
        LintStatement(
            "server {\nlocation /a/ { proxy_pass http://127.0.0.1:1/b/; }\nlocation /c { proxy_pass http://127.0.0.1:1/d; }\nlocation /e/ { proxy_pass http://127.0.0.1:1; }\nlocation = /f { proxy_pass http://127.0.0.1:1/; }\n}",
            notFinding: ["joined-upstream-path"]
        ),
        LintStatement(
            "server {\nlocation /api/ {\nlimit_except GET { deny all; }\nlocation /api/v1/ {\nlimit_except GET { deny all; }\n}\n}\n}",
            notFinding: ["limit-except-bypass"]
        ),
        LintStatement(
            "server {\nlocation /api/ {\nlimit_except GET { deny all; }\nlocation /api/v1/ { }\n}\n}",
            finds: ["4 limit-except-bypass"],
            says: ["DELETE"]
        ),
        // For other methods the rules of the location do not run, so that an `if` is not a way around it.
        LintStatement(
            "server {\nlocation /api/ {\nlimit_except GET { deny all; }\nif ($arg_x) { set $y 1; }\n}\n}",
            notFinding: ["limit-except-bypass"]
        ),
        LintStatement(
            "server {\nerror_page 404 /sorry/;\nlocation /sorry/ { return 404; }\n}",
            finds: ["2 error-page-cycle"],
            notFinding: ["rewrite-cycle"]
        ),
        LintStatement(
            "server {\nrecursive_error_pages on;\nerror_page 404 /sorry/;\nlocation /sorry/ { return 404; }\n}",
            finds: ["3 error-page-cycle"],
            notFinding: ["rewrite-cycle"]
        ),
        LintStatement(
            "rewrite_url ^https://a\\.test/x$ https://b.test/ 302;",
            finds: ["1 other-spelling"],
            says: ["is not redirected", "https://a.test:443/x"]
        ),
        LintStatement("rewrite_url ^https://a\\.test/x$ kl://x last;", notFinding: ["other-spelling"]),
        // The last word is where an error leads, and no status.
        LintStatement("server {\nerror_page 404 =200;\n}", finds: ["2 missing-slash"], notFinding: ["soft-error"]),
        LintStatement(
            "server {\nerror_page 401 =302 /login;\nlocation / { deny all; }\n}",
            finds: ["2 missing-slash"],
            says: ["without a Location"]
        ),
        LintStatement(
            "server {\nerror_page 401 =302 /login;\nlocation = /login { return 302 /in; }\n}",
            notFinding: ["missing-slash"]
        ),
    ]

    static let headers: [LintStatement] = [
        LintStatement(
            "server {\nadd_header X-A a;\nlocation / {\nadd_header_inherit off;\nadd_header X-B b;\n}\n}",
            notFinding: ["add-header-redefinition"]
        ),
        LintStatement(
            "server {\nadd_header X-A a;\nadd_header_inherit merge;\nlocation / {\nadd_header_inherit on;\nadd_header X-B b;\n}\n}",
            finds: ["4 add-header-redefinition"]
        ),
        LintStatement(
            "server {\nlocation / {\nif ($arg_x) { rewrite ^ /y break; }\n}\n}",
            finds: ["3 if-is-evil"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/site/(.*)$ { alias /srv/site$1; }\n}",
            finds: ["2 alias-traversal"],
            says: ["/srv/sitea"]
        ),
        LintStatement(
            "server {\nlocation / {\nif ($http_origin !~ ^example\\.com$) { return 403; }\n}\n}",
            finds: ["3 unsafe-origin"],
            says: ["no origin is matched"]
        ),
        LintStatement(
            "server {\nlocation / {\nif ($http_origin !~ ^https://www.example\\.com$) { return 403; }\n}\n}",
            finds: ["3 unsafe-origin"]
        ),
        LintStatement(
            "server {\nif ($http_referer !~ https://example\\.com/) { return 403; }\n}",
            finds: ["2 unanchored-check"]
        ),
        LintStatement(
            "server {\nlocation / { fastcgi_pass $arg_to; }\n}",
            finds: ["2 ssrf"],
            for: .nginx
        ),
    ]

    static let groups: [LintStatement] = [
        LintStatement(
            "server {\nlocation ~ ^/static/ { return 301 https://a.test/$1; }\n}",
            finds: ["2 missing-group"]
        ),
        LintStatement(
            "server {\nif ($uri ~ ^/(a+)) { set $x 1; }\nlocation /b { return 301 https://a.test/$1; }\n}",
            notFinding: ["missing-group"]
        ),
        LintStatement(
            "server {\nserver_name ~^(www)\\.;\nlocation /b { return 301 https://a.test/$1; }\n}",
            notFinding: ["missing-group"]
        ),
        LintStatement(
            "map $uri $m {\n~^/(x) $1;\n}\nserver {\nlocation /b { return 301 https://a.test/$1$m; }\n}",
            notFinding: ["missing-group"]
        ),
    ]

    @Test("Groups that no expression has", arguments: groups)
    func group(_ statement: LintStatement) throws { try statement.hold() }

    static let dots: [LintStatement] = [
        LintStatement(
            "map $host $ok { default 0;\n~^(www\\.)?shop.example$ 1; }\nserver { if ($ok = 0) { return 444; } return 204; }",
            finds: ["2 unescaped-dot"],
            notFinding: ["unanchored-check"]
        ),
        LintStatement(
            "server { if ($host !~ ^shop.example$) { return 444; } return 204; }",
            finds: ["1 unescaped-dot"],
            notFinding: ["unanchored-check"]
        ),
        LintStatement("server {\nserver_name ~^www.shop.example$;\nreturn 204; }", finds: ["2 unescaped-dot"]),
        LintStatement(
            "server {\nserver_name ~^www\\.shop\\.example$ a.example;\nreturn 204; }",
            notFinding: ["unescaped-dot"]
        ),
        LintStatement(
            "server { if ($host !~ shop\\.example) { return 444; } return 204; }",
            finds: ["1 unanchored-check"],
            notFinding: ["unescaped-dot"]
        ),
    ]

    @Test("Dots in expressions on hosts", arguments: dots)
    func dot(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Headers, addresses and hosts", arguments: headers)
    func header(_ statement: LintStatement) throws { try statement.hold() }

    private static func server(_ text: String) -> String { "server {\nlisten 443 ssl;\n\(text)\n}" }

    static let settings: [LintStatement] = [
        LintStatement(
            server("add_header Strict-Transport-Security max-age=1;"),
            notFinding: ["hsts-header"],
            for: .nginx
        ),
        LintStatement("server {\nlisten 80;\n}", notFinding: ["hsts-header"], for: .nginx),
        LintStatement(
            "server { location / { proxy_set_header Host $host:$server_port; } }",
            notFinding: ["proxy-host-header"],
            for: .nginx
        ),
    ]

    @Test("Traps", arguments: traps)
    func trap(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Settings", arguments: settings)
    func setting(_ statement: LintStatement) throws { try statement.hold() }
}
