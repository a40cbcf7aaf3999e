import Testing

@Suite("shunt lint: mistakes in error pages, targets and addresses")
struct LintMistakeTests {
    static let errorPages: [LintStatement] = [
        LintStatement(
            "server { location / {\nproxy_pass http://127.0.0.1:1;\nerror_page 404 /404.html;\n} }",
            finds: ["3 error-page-cycle"],
            says: ["the errors of the upstream are sent to clients"]
        ),
        LintStatement(
            "server { proxy_intercept_errors on; location / {\nproxy_pass http://127.0.0.1:1;\nerror_page 404 /404.html;\n} }",
            notFinding: ["error-page-cycle"]
        ),
        LintStatement(
            "server { location / {\nproxy_pass http://127.0.0.1:1;\nerror_page 500 502 /50x.html;\n} location = /50x.html { return 200 x; } }",
            notFinding: ["error-page-cycle"]
        ),
        LintStatement(
            "server {\ndeny 10.0.0.0/8;\nerror_page 403 /denied.html;\nroot /srv;\n}",
            finds: ["3 error-page-cycle"],
            says: ["r:2:1 refuses the request for it, too", "write allow all;"]
        ),
        LintStatement(
            "server {\ndeny 10.0.0.0/8;\nerror_page 403 /denied.html;\nlocation = /denied.html { allow all; }\n}",
            notFinding: ["error-page-cycle"]
        ),
        LintStatement(
            "server {\nerror_page 500 502 /50x.html;\nlocation / { proxy_pass http://127.0.0.1:9000; }\n}",
            finds: ["2 error-page-cycle"],
            says: ["it comes from the upstream that does not answer"]
        ),
        LintStatement(
            """
            server {
            error_page 502 /50x.html;
            location / { proxy_pass http://127.0.0.1:9000; }
            location = /50x.html { root /srv; }
            }
            server {
            server_name b.example;
            error_page 502 /50x.html;
            location / { proxy_pass http://127.0.0.1:9000; }
            location = /50x.html { proxy_pass http://127.0.0.1:9001; }
            }
            server {
            server_name c.example;
            error_page 404 /missing.html;
            location / { proxy_pass http://127.0.0.1:9000; }
            }
            """,
            notFinding: ["error-page-cycle"]
        ),
        // A file may be the page.
        LintStatement(
            "server {\nroot /srv;\nerror_page 502 /500.html;\nlocation / { try_files $uri @p; }\nlocation @p { proxy_pass http://127.0.0.1:3000; }\n}",
            notFinding: ["error-page-cycle"]
        ),
    ]

    static let texts: [LintStatement] = [
        LintStatement(
            "server {\nlocation ^~ /img/.*\\.png$ { return 404; }\nlocation = /a(b|c)$ { return 404; }\n}",
            finds: ["2 impossible-text", "3 impossible-text"],
            says: ["write ~ in place of ^~", "write ~ in place of ="]
        ),
        LintStatement(
            "server {\nlocation ^~ /img/ { return 404; }\nlocation = /a.html { return 404; }\n}",
            notFinding: ["impossible-text"]
        ),
        LintStatement(
            "server {\nreturn 301 https://$request_uri;\n}",
            finds: ["2 missing-slash"],
            says: ["write https://$host$request_uri"]
        ),
        LintStatement("server {\nreturn 301 https://$host$request_uri;\n}", notFinding: ["missing-slash"]),
        LintStatement(
            "server {\nrewrite ^/?p=123$ /post/ permanent;\n}",
            finds: ["2 unescaped-question-mark"],
            says: ["test $arg_p"]
        ),
        LintStatement("server {\nrewrite ^/?(?<p>x)=?$ /post/ permanent;\n}", notFinding: ["unescaped-question-mark"]),
        LintStatement(
            "server {\nlocation ~ ^/ { return 200; }\nlocation / { return 404; }\n}",
            finds: ["3 unreachable-location"]
        ),
        LintStatement(
            "server {\nif ($remote_addr !~ ^10.1.) { return 403; }\nreturn 200;\n}",
            finds: ["2 unanchored-check"],
            says: ["a dot of this expression matches any character: it accepts 10.1"]
        ),
        LintStatement(
            "server {\nif ($remote_addr !~ ^10\\.1\\.) { return 403; }\nif ($remote_addr !~ ^10.1.0.1$) { return 404; }\nreturn 200;\n}",
            notFinding: ["unanchored-check"]
        ),
    ]

    static let loops: [LintStatement] = [
        // The usual port of a scheme is not in the Host of a browser.
        LintStatement(
            "server {\nserver_name a.example;\nif ($http_host != a.example) { return 301 http://a.example:80$request_uri; }\n}",
            notFinding: ["redirect-to-self", "redirect-loop"]
        ),
        LintStatement(
            "map $uri $new { default \"\";\n/a http://www.a.example/a;\n}\nserver {\nserver_name a.example www.a.example;\nif ($new) { return 301 $new; }\n}",
            finds: ["2 redirect-to-self"]
        ),
        LintStatement(
            "server {\nlocation / { index index.html; root /srv; }\nlocation = /index.html { return 301 /; }\n}",
            finds: ["3 redirect-to-self"]
        ),
        LintStatement(
            "server {\nroot /srv;\nindex index.php;\nlocation ~ ^(.*)/index\\.php$ { return 301 $1/; }\nlocation / { }\n}",
            finds: ["4 redirect-to-self"]
        ),
        LintStatement(
            "server {\nroot /srv;\nindex start.html;\nlocation = /index.html { return 301 /; }\n}",
            notFinding: ["redirect-to-self", "redirect-loop"]
        ),
        LintStatement(
            "map $uri $new { default \"\";\n/a /b;\n/b /a;\n}\nserver {\nroot /srv;\nlocation / { try_files $uri @m; }\nlocation @m { if ($new) { return 301 $new; } return 404; }\n}",
            finds: ["2 redirect-loop"]
        ),
        LintStatement(
            "server {\nlocation ~ [^/]$ { return 301 $request_uri/; }\nlocation / { return 204; }\n}",
            finds: ["2 growing-redirect"],
            says: ["?x=1//"]
        ),
        LintStatement(
            "server {\nrewrite ^/list/(\\d+)$ /list?page=$1 permanent;\nif ($arg_page) { return 301 /list/$arg_page; }\nreturn 204;\n}",
            finds: ["2 redirect-loop"]
        ),
        LintStatement(
            "server {\nserver_name a.example *.a.example;\nif ($host != www.a.example) { return 301 http://www.$host$request_uri; }\n}",
            finds: ["3 growing-redirect"]
        ),
        LintStatement(
            "server {\nserver_name a.example;\nerror_page 404 http://a.example/404;\nreturn 404;\n}",
            finds: ["3 redirect-to-self"]
        ),
        LintStatement(
            "server {\nserver_name a.example;\nerror_page 404 /404;\nlocation = /404 { return 200; }\nreturn 404;\n}",
            notFinding: ["redirect-to-self"]
        ),
        // The page is a file.
        LintStatement(
            "server {\nroot /srv;\nlocation / { try_files $uri /index.php$is_args$args; }\nlocation ~ ^/(en|de)/ { try_files $uri /$1/index.html; }\n}",
            notFinding: ["rewrite-cycle"]
        ),
        LintStatement(
            "server {\nroot /srv;\nlocation / { try_files $uri /$uri; }\n}",
            finds: ["3 rewrite-cycle"]
        ),
    ]

    static let guards: [LintStatement] = [
        LintStatement(
            "server {\nlocation /admin/ { deny all; }\nlocation ~ \\.php$ { proxy_pass http://127.0.0.1:1; }\n}",
            finds: ["2 exact-guard"],
            says: ["r:3:1 lets a part of it in", "write ^~ before the prefix"]
        ),
        LintStatement(
            "server {\nlocation ^~ /admin/ { deny all; }\nlocation ~ \\.php$ { proxy_pass http://127.0.0.1:1; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation /admin/ { deny all; }\nlocation ~ \\.php$ { deny all; }\n}",
            notFinding: ["exact-guard"]
        ),
        LintStatement(
            "server {\nlocation /x {\nauth_basic a;\nauth_basic_user_file f;\nreturn 302 /z;\n}\n}",
            finds: ["5 return-bypasses-access"],
            says: ["r:3:1 has no effect here"]
        ),
        LintStatement(
            "server {\nlocation /x {\nauth_basic off;\nreturn 302 /z;\n}\nlocation /y {\nauth_request /q;\nif ($arg_a) { return 302 /z; }\nreturn 403;\n}\n}",
            notFinding: ["return-bypasses-access"]
        ),
        LintStatement(
            "server {\nindex a.html, b.html;\nlocation / { try_files $uri, /a.html; }\n}",
            finds: ["2 impossible-text", "3 impossible-text"],
            says: ["write a.html", "write $uri"]
        ),
        LintStatement("server {\nif ($invalid_referer) { return 403; }\n}", finds: ["2 impossible-text"]),
        LintStatement(
            "server {\nvalid_referers none a.example;\nif ($invalid_referer) { return 403; }\n}",
            notFinding: ["impossible-text"]
        ),
    ]

    static let targets: [LintStatement] = [
        LintStatement(
            "map $uri $new {\ndefault \"\";\n/a b;\n/d /e;\n}\nserver { if ($new) { return 301 https://a.example$new; } }",
            finds: ["3 missing-slash"],
            says: ["no slash is between https://a.example and this value"]
        ),
        LintStatement(
            "map $arg_c $tld {\ndefault com;\nde de;\n}\nserver { return 301 https://a.$tld; }",
            notFinding: ["missing-slash"]
        ),
        LintStatement(
            "server { server_name ~^(?<d>.+)$; }\nserver { set $d https://x.test; return 301 $d$request_uri; }",
            notFinding: ["missing-slash"]
        ),
        LintStatement(
            "server {\nlocation / { return 200 $request_uri$is_args$args; }\n}",
            notFinding: ["rewrite-appends-query"]
        ),
        LintStatement(
            "server {\nserver_name ~^www\\.(?<domain>.+)$;\nreturn 301 $domain$request_uri;\n}",
            finds: ["3 missing-slash"],
            says: ["$domain without a scheme is a path"]
        ),
        LintStatement(
            "server {\nset $d b.example;\nlocation /a { return 301 $d$request_uri; }\nlocation /b { return 304 /c; }\n}",
            finds: ["3 missing-slash", "4 missing-slash"],
            says: ["write $scheme://$d$request_uri", "write a status from 301 to 308"]
        ),
        LintStatement(
            "server {\nrewrite ^/b$ //b.example/y permanent;\nlocation /a { return 301 //b.example/x; }\n}",
            finds: ["2 missing-slash", "3 missing-slash"],
            says: ["this is a path of the same host", "write $scheme://b.example/x"]
        ),
        LintStatement(
            "server {\nabsolute_redirect off;\nlocation /a { return 301 //b.example/x; }\n}",
            notFinding: ["missing-slash"]
        ),
        LintStatement(
            "server {\nroot /srv;\nlocation /a { try_files $uri =404 /index.html; }\nlocation /b { try_files $uri @a @b; }\nlocation @b { return 204; }\n}",
            finds: ["3 missing-slash", "4 missing-slash"],
            says: [
                "this is the name of a file: only the last word may be a status",
                "only the last word may be a location",
            ]
        ),
        LintStatement(
            "server {\nrewrite ^/index\\.php$ - last;\n}",
            finds: ["2 missing-slash"],
            says: ["this is a path, and not a sign for no change"]
        ),
        LintStatement(
            "server {\nlocation /a { return 301 /b$request_uri?$args; }\nlocation /c { return 301 /d$request_uri$is_args$args; }\nlocation /e { return 301 /f$uri$is_args$args; }\n}",
            finds: ["2 rewrite-appends-query", "3 rewrite-appends-query"],
            says: ["the query of the request is in the target twice"]
        ),
        LintStatement("server {\nreturn 301;\n}", finds: ["2 missing-slash"]),
        LintStatement("server {\nreturn 404;\n}", notFinding: ["missing-slash"]),
        LintStatement(
            "server {\nreturn 301 $scheme//$host/new;\n}",
            finds: ["2 missing-slash"],
            says: ["write $scheme://$host/new"]
        ),
        LintStatement("server {\nreturn 301 ${scheme}://a.example/new;\n}", notFinding: ["missing-slash"]),
        LintStatement(
            "map $uri $new {\n/a, /b;\n/c /d;\ndefault \"\";\n}\nserver { if ($new) { return 301 $new; } }",
            finds: ["2 impossible-text"],
            says: ["write /a"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/img/ { alias /srv/w/; }\n}",
            finds: ["2 alias-without-slash"],
            says: ["write alias /srv/w/$1"]
        ),
        LintStatement(
            "server {\nlocation ~ ^/img/(.*)$ { alias /srv/w/$1; }\nlocation ~ ^/favicon\\.ico$ { alias /srv/f.ico; }\n}",
            notFinding: ["alias-without-slash"]
        ),
        LintStatement(
            "geo $near { default 1; 10.0.0.0/8 0; }\nmap $near $key {\n0 \"\";\n1 $binary_remote_addr;\n}\nmap $https $secure { on 1; \"\" 0; }\nserver { if ($key) { return 403; } if ($secure) { return 404; } }",
            notFinding: ["hash-without-default"]
        ),
        LintStatement(
            "geo $near { default 1; 10.0.0.0/8 0; }\nmap $near $key {\n2 \"\";\n1 $binary_remote_addr;\n}\nserver { if ($key) { return 403; } }",
            finds: ["2 hash-without-default"]
        ),
        LintStatement(
            "server {\nlocation /a/ { location ~ ^/b/ { return 200; } return 403; }\n}",
            notFinding: ["could-be-prefix"]
        ),
    ]

    @Test("Loops that one request does not show", arguments: loops)
    func loop(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Guards with a way around them", arguments: guards)
    func guarding(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Targets that lead nowhere", arguments: targets)
    func target(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Pages that are never sent", arguments: errorPages)
    func errorPage(_ statement: LintStatement) throws { try statement.hold() }

    @Test("Texts that are compared with the wrong thing", arguments: texts)
    func text(_ statement: LintStatement) throws { try statement.hold() }
}
