import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: values of maps, and guards that another host, address or spelling avoids")
struct LintBypassTests {
    static let statements: [LintStatement] = [
        // The value of a map goes where it is written.
        LintStatement(
            "map $arg_u $t { default $arg_u; x /x; }\nserver { location /go { return 302 $t; } }",
            finds: ["2 open-redirect"],
            says: ["attacker.example"]
        ),
        LintStatement(
            "map $arg_u $t { default /home; x $arg_v; }\nserver { location /go { return 302 $t; } }",
            finds: ["2 open-redirect"]
        ),
        LintStatement(
            "map $arg_u $t { default /home; x /x; }\nserver { location /go { return 302 $t; } }",
            notFinding: ["open-redirect"]
        ),
        LintStatement(
            "map $arg_b $b { default $arg_b; x y; }\nserver { location / {\nproxy_pass http://$b.internal.example; } }",
            finds: ["3 ssrf"]
        ),
        LintStatement(
            "map $arg_b $b { default z; x y; }\nserver { location / {\nproxy_pass http://$b.internal.example; } }",
            notFinding: ["ssrf"]
        ),
        LintStatement(
            "server { location / {\nset $up $arg_up;\nproxy_pass $scheme://$up; } }",
            finds: ["3 ssrf"]
        ),
        LintStatement(
            "server { location / {\nproxy_pass $scheme://a.internal.example/$arg_up; } }",
            notFinding: ["ssrf"]
        ),
        LintStatement(
            "server { listen 80; location / {\nproxy_pass http://$http_host$request_uri; } }",
            finds: ["2 ssrf"]
        ),
        LintStatement(
            "map $http_origin $cors { default ''; ~a\\.example $http_origin; }\nserver { location /api/ "
                + "{ add_header Access-Control-Allow-Origin $cors; return 204; } }",
            finds: ["2 origin-reflection"],
            says: ["a foreign Origin is returned"]
        ),
        LintStatement(
            "map $http_origin $cors { default ''; ~^https://a\\.example$ $http_origin; }\nserver { location /api/ "
                + "{ add_header Access-Control-Allow-Origin $cors; return 204; } }",
            notFinding: ["origin-reflection"]
        ),
        // Hosts.
        LintStatement(
            "server { listen 80;\nif ($host !~ \"shop\\.example\") { return 403; }\nlocation / { return 200 x; } }",
            finds: ["2 unanchored-check"],
            says: ["foreign host"]
        ),
        LintStatement(
            "server { listen 80;\nif ($http_host !~ \"^a\\.example\") { return 403; }\nlocation / { return 200 x; } }",
            finds: ["2 unanchored-check"]
        ),
        LintStatement(
            "server { listen 80;\nif ($host ~ \"^(www\\.)?shop\\.example\") { return 204; }\nreturn 403; }",
            finds: ["2 unanchored-check"]
        ),
        LintStatement(
            "map $host $ok { default 0;\n~shop\\.example 1; }\nserver { listen 80; if ($ok = 0) { return 403; }\n"
                + "location / { return 200 x; } }",
            finds: ["2 unanchored-check"]
        ),
        LintStatement(
            "server { listen 80;\nif ($host !~ \"^(.+\\.)?shop\\.example$\") { return 403; }\nlocation / { return 200 x; } }",
            notFinding: ["unanchored-check"]
        ),
        // A redirect lets no one in, and another server refuses other hosts.
        LintStatement(
            "server { listen 80;\nif ($host ~ \"^www\\.a\\.example\") { return 301 https://a.example$request_uri; }\n"
                + "return 404; }",
            notFinding: ["unanchored-check"]
        ),
        // Addresses.
        LintStatement(
            "server { listen 80;\nif ($remote_addr ~ \"^10\\.0\\.0\\.1\") { return 204; }\nreturn 403; }",
            finds: ["2 unanchored-check"],
            says: ["10.0.0.1"]
        ),
        LintStatement(
            "server { listen 80;\nif ($remote_addr !~ \"^(192\\.0\\.2\\.1|10\\.0\\.0\\.7$)\") { return 403; }\nreturn 204; }",
            finds: ["2 unanchored-check"],
            says: ["192.0.2.1"]
        ),
        LintStatement(
            "server { listen 80;\nif ($remote_addr ~ \"^10\\.0\\.0\\.1$\") { return 204; }\nreturn 403; }",
            notFinding: ["unanchored-check"]
        ),
        LintStatement(
            "server { listen 80;\nif ($remote_addr ~ \"^10\\.0\\.0\\.\") { return 204; }\nreturn 403; }",
            notFinding: ["unanchored-check"]
        ),
        // The path as it was sent.
        LintStatement(
            "server { listen 80;\nif ($request_uri ~ \"^/admin\") { return 403; }\nlocation / { return 200 x; } }",
            finds: ["2 other-spelling"],
            says: ["/admi%6E", "test $uri"]
        ),
        LintStatement(
            "server { listen 80;\nif ($request_uri = /admin) { return 403; }\nlocation / { return 200 x; } }",
            finds: ["2 other-spelling"]
        ),
        LintStatement(
            "server { listen 80;\nif ($uri ~ \"^/admin\") { return 403; }\nlocation / { return 200 x; } }",
            notFinding: ["other-spelling"]
        ),
        // allow and deny.
        LintStatement(
            "server { location / {\ndeny all;\nallow 10.0.0.1; } }",
            finds: ["3 dead-access-rule"],
            says: ["put it above"]
        ),
        LintStatement(
            "server { location / {\nallow 10.0.0.0/8;\nallow 10.1.0.0/16;\ndeny all; } }",
            finds: ["3 dead-access-rule"],
            says: ["remove it"]
        ),
        LintStatement(
            "server { location / {\nallow 10.0.0.0/9;\nallow 10.128.0.0/9;\ndeny 10.0.0.0/8;\ndeny all; } }",
            finds: ["4 dead-access-rule"],
            says: ["r:2:1, r:3:1 take"]
        ),
        LintStatement(
            "server { location / {\ndeny 10.0.0.1;\nallow 10.0.0.0/8;\nallow 2001:db8::/32;\ndeny all; } }",
            notFinding: ["dead-access-rule"]
        ),
    ]

    @Test("Bypasses", arguments: statements)
    func bypasses(_ statement: LintStatement) throws { try statement.hold() }
}
