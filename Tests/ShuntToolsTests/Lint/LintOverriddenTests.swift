import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: what another directive cancels, and what a client can write")
struct LintOverriddenTests {
    static let statements: [LintStatement] = [
        LintStatement(
            "server {\nerror_page 500 502 /sorry;\nlocation /a {\nerror_page 404 /gone; proxy_pass http://127.0.0.1:1;\n}\n}",
            finds: ["3 error-page-redefinition"],
            says: ["the error_page directives around it do not apply here: 500, 502"]
        ),
        // A location that only returns makes no other error.
        LintStatement(
            "server {\nerror_page 500 502 /sorry;\nlocation /a {\nerror_page 404 /gone; return 404;\n}\n}",
            notFinding: ["error-page-redefinition"]
        ),
        LintStatement(
            "server {\nerror_page 500 502 /sorry;\nlocation /a {\nerror_page 404 /gone; if ($arg_x) { return 502; } return 404;\n}\n}",
            finds: ["3 error-page-redefinition"]
        ),
        LintStatement(
            "server {\nerror_page 404 /sorry;\nlocation /a {\nerror_page 404 502 /gone; return 404;\n}\n}",
            notFinding: ["error-page-redefinition"]
        ),
        LintStatement(
            "server {\nlocation /a {\nerror_page 404 /gone; return 404;\n}\n}",
            notFinding: ["error-page-redefinition"]
        ),
        LintStatement(
            "server {\nlocation /a {\nsatisfy any;\nallow all;\nauth_basic x; auth_basic_user_file /u;\n}\n}",
            finds: ["4 login-never-asked"]
        ),
        LintStatement(
            "server {\nlocation /a {\nsatisfy any;\nallow 10.0.0.0/8;\nallow 0.0.0.0/0;\nallow ::/0;\nauth_basic x; auth_basic_user_file /u;\n}\n}",
            finds: ["5 login-never-asked"]
        ),
        LintStatement(
            "server {\nlocation /a {\nsatisfy any;\ndeny 0.0.0.0/0;\nallow all;\nauth_basic x; auth_basic_user_file /u;\n}\n}",
            notFinding: ["login-never-asked"]
        ),
        LintStatement(
            "server {\nlocation /a {\nsatisfy any;\ndeny 10.0.0.0/8;\nallow 0.0.0.0/0;\nauth_basic x; auth_basic_user_file /u;\n}\n}",
            notFinding: ["login-never-asked"]
        ),
        LintStatement(
            "server {\nlocation /a {\nsatisfy any;\nallow 10.0.0.0/8;\ndeny all;\nauth_basic x; auth_basic_user_file /u;\n}\n}",
            notFinding: ["login-never-asked"]
        ),
        LintStatement(
            "server {\nlocation /a {\nallow all;\nauth_basic x; auth_basic_user_file /u;\n}\n}",
            notFinding: ["login-never-asked"]
        ),
        LintStatement(
            "server {\nlocation /a {\nif ($http_x_forwarded_for !~ \"^10\\.\") { return 403; }\nreturn 200 a;\n}\n}",
            finds: ["3 trusted-client-header"],
            says: ["every client can send this X-Forwarded-For", "X-Forwarded-For: 10."]
        ),
        LintStatement(
            """
            map $http_x_real_ip $ok { default 0; 192.0.2.7 1; }
            server {
            location /a {
            if ($ok = 0) { return 403; }
            return 200 a;
            }
            }
            """,
            finds: ["4 trusted-client-header"]
        ),
        // A list of those who are turned away alone lets no one in.
        LintStatement(
            "server {\nlocation /a {\nif ($http_x_forwarded_for ~ \"^10\\.\") { return 403; }\nreturn 200 a;\n}\n}",
            notFinding: ["trusted-client-header"]
        ),
        LintStatement(
            "server {\nlocation /a {\nif ($remote_addr !~ \"^10\\.\") { return 403; }\nreturn 200 a;\n}\n}",
            notFinding: ["trusted-client-header"]
        ),
        // The address is checked as well.
        LintStatement(
            "server {\nlocation /admin {\nif ($remote_addr !~ \"^10\\.\") { return 403; }\nif ($http_x_real_ip !~ \"^192\\.168\\.\") { return 403; }\nreturn 200 admin;\n}\n}",
            notFinding: ["trusted-client-header"]
        ),
        LintStatement(
            """
            map $http_x_real_ip $known { default 0; 192.0.2.7 1; }
            server {
            allow 10.0.0.0/8;
            deny all;
            location /admin { if ($known = 0) { return 403; } proxy_pass http://127.0.0.1:1; }
            }
            """,
            notFinding: ["trusted-client-header"]
        ),
    ]

    @Test(arguments: statements) func holds(_ statement: LintStatement) throws { try statement.hold() }
}
