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
        LintStatement("server {\nlocation = /admin { deny all; }\nlocation / { }\n}", finds: ["2 exact-guard"]),
        LintStatement(
            "server {\nlocation = /admin { return 403; }\nlocation /admin/ { return 403; }\nlocation / { return 200 x; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation = /.env { return 403; }\nlocation = /gone { return 410; }\nlocation / { return 200 x; }\n}",
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
        // Nobody is kept out anyway, or the expression is what keeps out.
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
    ]

    @Test("Guards", arguments: statements)
    func guards(_ statement: LintStatement) throws { try statement.hold() }
}
