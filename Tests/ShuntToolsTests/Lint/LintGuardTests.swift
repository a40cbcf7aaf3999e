import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: guards that leave something open")
struct LintGuardTests {
    static let statements: [LintStatement] = [
        LintStatement(
            "server {\nlocation = /admin { return 403; }\nlocation / { return 200 open; }\n}",
            finds: ["2 exact-guard"],
            says: ["/admin/"]
        ),
        LintStatement("server {\nlocation ~ /\\.git$ { deny all; }\nlocation / { }\n}", finds: ["2 exact-guard"]),
        LintStatement("server {\nlocation ~ /\\.(env|svn)$ { deny all; }\nlocation / { }\n}", finds: ["2 exact-guard"]),
        LintStatement(
            "server {\nlocation ~* ^/(admin|setup)$ { return 403; }\nlocation / { }\n}",
            finds: ["2 exact-guard"]
        ),
        // Files, parts of names, and expressions that take what is below.
        LintStatement(
            "server {\n"
                + [#"/\.git"#, #"/\.git(/|$)"#, #"/\.env$"#, #"\.(bak|old)$"#, "~$", "/readme$", "^/a/?$"]
                .map { "location ~ \($0) { deny all; }\n" }.joined() + "location / { }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement("server {\nlocation = /admin { deny all; }\nlocation / { }\n}", finds: ["2 exact-guard"]),
        LintStatement(
            "server {\nlocation = /admin { return 403; }\nlocation /admin/ { return 403; }\nlocation / { return 200 x; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation = /.env { return 403; }\nlocation = /gone { return 410; }\nlocation / { return 200 x; }\n}",
            notFinding: ["exact-guard"]
        ),
        // Some clients only are turned away.
        LintStatement(
            "server {\nlocation /admin/ { allow 10.0.0.0/8; deny all; }\nlocation ~ \\.php$ { return 204; }\nlocation / { }\n}",
            finds: ["2 exact-guard"],
            says: ["this turns /admin/ away, and r:3:1 lets a part of it in"]
        ),
        LintStatement(
            "server {\nlocation /admin/ { auth_basic x; auth_basic_user_file /f; }\nlocation ~ \\.png$ { return 204; }\nlocation / { }\n}",
            finds: ["2 exact-guard"],
            says: ["this needs a login for /admin/, and r:3:1 lets a part of it in"]
        ),
        LintStatement(
            "server {\nlocation /private/ { internal; }\nlocation ~ \\.pdf$ { return 204; }\nlocation / { }\n}",
            finds: ["2 exact-guard"],
            says: ["this keeps clients from /private/, and r:3:1 lets a part of it in"]
        ),
        LintStatement(
            "server {\nlocation = /admin { auth_request /ask; }\nlocation = /ask { internal; return 204; }\nlocation / { }\n}",
            finds: ["2 exact-guard"],
            says: ["this needs a login for /admin, and /admin/ gets through"]
        ),
        LintStatement(
            "server {\nauth_basic x;\nauth_basic_user_file /f;\nlocation /admin/ { auth_basic y; }\nlocation ~ \\.png$ { return 204; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation /a/ { auth_basic x; auth_basic_user_file /f; }\nlocation ~ \\.png$ { auth_basic y; auth_basic_user_file /f; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation /a/ { deny 10.0.0.1; }\nlocation ~ \\.png$ { return 204; }\nlocation / { }\n}",
            notFinding: ["exact-guard"]
        ),
        // The expression takes what follows the name of a file.
        LintStatement(
            "server {\nlocation = /admin.php { deny all; }\nlocation ~ \\.php(/|$) { proxy_pass http://127.0.0.1:1; }\n}",
            finds: ["2 exact-guard"],
            says: ["this turns /admin.php away, and /admin.php/ gets through"]
        ),
        LintStatement(
            "server {\nlocation = /admin.php { deny all; }\nlocation ~ \\.php$ { proxy_pass http://127.0.0.1:1; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation ~ /api { return 200 api; }\nlocation / { return 404; }\n}",
            finds: ["2 unanchored-check"],
            says: ["/x/api gets in, too"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/api { return 200 api; }\nlocation / { return 404; }\n}",
            notFinding: ["unanchored-check"]
        ),
        // No client is kept out anyway, or the expression is what keeps out.
        LintStatement(
            "server {\nlocation ~ /api { return 200 api; }\nlocation / { return 200 x; }\n}",
            notFinding: ["unanchored-check"]
        ),
        LintStatement(
            "server {\nlocation ~ /private { return 403; }\nlocation / { return 404; }\n}",
            notFinding: ["unanchored-check"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/site(.*)$ { alias /srv/static$1; }\n}",
            finds: ["2 alias-traversal"],
            says: ["requests the file /srv/statica"]
        ),
        LintStatement("server {\nlocation ~ ^/site(/.*)$ { alias /srv/static$1; }\n}", notFinding: ["alias-traversal"]),
        LintStatement(
            "server {\nlocation ~ ^/img/(\\w+)$ { alias /srv/img-$1.png; }\n}",
            notFinding: ["alias-traversal"]
        ),
        LintStatement(
            "server {\nif ($arg_u ~ ^https://www.example.com/) { return 302 $arg_u; }\nreturn 400;\n}",
            finds: ["2 unsafe-origin"],
            says: ["a foreign host"]
        ),
        LintStatement(
            "server {\nif ($arg_u ~ ^https://www\\.example\\.com/) { return 302 $arg_u; }\nreturn 400;\n}",
            notFinding: ["unsafe-origin"]
        ),
        LintStatement(
            "server {\nif ($arg_q ~ \"^[+]+|[+]+$\") { return 200 hit; }\nreturn 200 miss;\n}",
            finds: ["2 regex-redos"],
            says: ["fail 500"]
        ),
        LintStatement(
            "server {\nif ($arg_q ~ \"^[+]+|([+]+)+$\") { return 200 hit; }\nreturn 200 miss;\n}",
            finds: ["2 regex-redos"],
            says: ["fail 500"]
        ),
        LintStatement(
            "server { location ~ ^/s3/(?<b>[^/]+)/(.*)$ { proxy_pass http://$b.s3.example/$2; } }",
            finds: ["1 ssrf"],
            says: ["the request decides ($b) which host"]
        ),
        LintStatement(
            "server {\nlocation /q { proxy_pass http://127.0.0.1:$arg_port; }\nlocation ~ ^/r/(\\d+)/ { proxy_pass http://127.0.0.1:$1; }\n}",
            finds: ["2 ssrf", "3 ssrf"],
            says: ["the request decides ($arg_port) which port the gateway connects to"]
        ),
        LintStatement(
            "server { location ~ ^/r/(300\\d)/ { proxy_pass http://127.0.0.1:$1; } }",
            notFinding: ["ssrf"]
        ),
        LintStatement(
            "server {\nlocation /y/ { alias /srv/$cookie_u/; }\nlocation /z/ { root /srv/$arg_d; }\n}",
            finds: ["2 alias-traversal", "3 alias-traversal"],
            says: [
                "a request can leave the folder of this alias: it chooses $cookie_u",
                "a request can leave the folder of this root: it chooses $arg_d",
            ]
        ),
        LintStatement(
            "server { location / { root /srv/$http_host; } }",
            notFinding: ["alias-traversal"]
        ),
        LintStatement(
            "server {\nauth_basic x;\nauth_basic_user_file /f;\nlocation /pub { auth_basic off; }\nlocation /in { }\n}",
            finds: ["4 prefix-without-slash"],
            says: ["this matches /puba as well"]
        ),
        LintStatement(
            "server {\nif ($remote_addr ~ \"10.0.0.1|10.0.0.2\") { return 204; }\nreturn 403;\n}",
            finds: ["2 unanchored-check"]
        ),
        LintStatement(
            "server {\nset_real_ip_from 0.0.0.0/0;\nreal_ip_header X-Forwarded-For;\nallow 10.0.0.0/8;\ndeny all;\n}",
            finds: ["4 proxy-address-rule"],
            says: ["every client can have this address: set_real_ip_from trusts the X-Forwarded-For of all"]
        ),
        LintStatement(
            "server {\nlisten 443;\nssl_certificate /c;\nssl_certificate_key /k;\n}",
            finds: ["2 impossible-scheme"],
            says: ["write listen 443 ssl"]
        ),
        LintStatement(
            "server {\nlisten 443 ssl;\nserver_name a.example;\n}\nserver {\nlisten 443;\nserver_name b.example;\nssl_certificate /c;\nssl_certificate_key /k;\n}",
            notFinding: ["impossible-scheme"]
        ),
    ]

    @Test("Guards", arguments: statements)
    func guards(_ statement: LintStatement) throws { try statement.hold() }
}
