import Testing

@Suite("Hints and claims about mistakes that people bring")
struct FieldHintTests {
    private static func found(_ rules: String, outside: String = "") throws -> [(check: String, text: String)] {
        try FieldMistakeTests.findings(["r.conf": "\(outside)server { \(rules) }\n"]).map { ($0.check, $0.text) }
    }

    private static let named = "listen 80 default_server; server_name a.example; "

    @Test(
        "A redirect from another port to the usual one does not lead to itself",
        arguments: [
            ("listen 8080; server_name a.example; return 301 http://a.example$request_uri;", false),
            ("listen 8080; server_name a.example; return 301 http://$host$request_uri;", false),
            ("listen 8443 ssl; server_name a.example; return 301 https://$host$request_uri;", false),
            ("listen 8080; server_name a.example; return 301 http://a.example:8080$request_uri;", true),
            ("listen 8443 ssl; server_name a.example; return 301 https://$host:8443$request_uri;", true),
            ("listen 8080; server_name a.example; return 301 $request_uri;", true),
            ("listen 80; server_name a.example; return 301 http://a.example$request_uri;", true),
        ]
    )
    func ports(rules: String, isFound: Bool) throws {
        let found = try Self.found(rules, outside: "ssl_certificate c; ssl_certificate_key k; ")
        #expect(found.contains { $0.check == "redirect-to-self" } == isFound, "\(found)")
    }

    @Test(
        "A hint that is right when it is applied",
        arguments: [
            (
                "location ~ ^/ab/ { return 404; } location /ab/ { proxy_pass http://127.0.0.1:1; }",
                "unreachable-location", "only the redirect of /ab reaches this"
            ),
            ("location / { try_files $uri 404; }", "missing-slash", "write =404"),
            ("location *.php { return 404; }", "impossible-text", "write location ~ \\.php$"),
            ("location /img/*.png { return 404; }", "impossible-text", "write location ~ ^/img/.*\\.png$"),
            ("location /img/* { return 404; }", "impossible-text", "write location /img/"),
            ("location ^~ /img/* { return 404; }", "impossible-text", "write location ^~ /img/"),
            ("location = /img/* { return 404; }", "impossible-text", "a path has no wildcards"),
            ("location = ^/x$ { return 404; }", "impossible-text", "write ~ in place of ="),
            ("if ($uri = /a/*) { return 404; }", "impossible-text", "write ~ ^/a/"),
            ("if ($request_uri != /a/*) { return 404; }", "impossible-text", "write !~ ^/a/"),
            (
                "if ($request_uri ~ ^/a/(.*)$) { rewrite ^ /b/$1 permanent; }", "missing-group",
                "name the group of the expression around it"
            ),
            ("rewrite ^/a.php?id=5$ /five permanent;", "unescaped-question-mark", "test $arg_id"),
            ("if ($request_method = \"GET|POST\") { return 405; }", "impossible-text", "write ~ ^(GET|POST)$"),
            ("if ($request_method != \"GET|POST\") { return 405; }", "impossible-text", "write !~ ^(GET|POST)$"),
            (
                "if ($http_user_agent ~ bot|crawler|) { return 403; }", "redundant-alternative",
                "remove the empty alternative, or this one"
            ),
            ("location / { try_files $uri @none; }", "missing-slash", "no location @none"),
            ("error_page 404 = @none; location / { return 404; }", "missing-slash", "no location @none"),
            (
                "location ^~ / { return 204; } location ~ \\.php$ { return 404; }", "unreachable-location",
                "with ^~ has all of its paths"
            ),
            ("rewrite ^ https://b.example$request_uri permanent;", "rewrite-appends-query", "twice"),
            ("location ~ ^/a%20b { return 404; }", "query-in-path", "an encoded percent sign only"),
            ("if ($http_user_agent ~* \"\") { return 403; }", "matches-everything", "always true"),
            ("if ($args !~ .*) { return 403; }", "matches-everything", "never true"),
        ]
    )
    func right(rules: String, check: String, words: String) throws {
        let found = try Self.found(Self.named + rules)
        #expect(found.contains { $0.check == check && $0.text.contains(words) }, "\(found)")
    }

    @Test(
        "A name that is not a host is not offered, and reported where a redirect has it",
        arguments: [("_", true), ("*.a.example", true), ("~^a", true), ("a.example", false), (".a.example", false)]
    )
    func names(name: String, isFound: Bool) throws {
        let server = "listen 80 default_server; server_name \(name); "
        let found = try Self.found(server + "return 301 https://$server_name$request_uri;")
        #expect(found.contains { $0.check == "missing-slash" && $0.text.contains("no host") } == isFound, "\(found)")
        let other = try Self.found(server + "return 301 https://$host$request_uri;")
        #expect(other.contains { $0.check == "host-spoofing" }, "\(other)")
        #expect(!other.contains { $0.text.contains("$server_name") } == isFound, "\(other)")
    }

    @Test(
        "Rules that work are not reported",
        arguments: [
            ("location / { try_files $uri @n; } location @n { return 204; }", "missing-slash"),
            ("location / { try_files @n =404; }", "missing-slash"),
            (
                "location ^~ / { return 204; } location /x/ { return 204; } location ~ \\.php$ { return 404; }",
                "unreachable-location"
            ),
            (
                "rewrite ^/(y) $1; location ^~ / { return 204; } location ~ ^y { return 404; }",
                "unreachable-location"
            ),
            ("location ^~ /a/ { return 204; } location ~ \\.php$ { return 404; }", "unreachable-location"),
            ("rewrite ^ https://b.example$request_uri? permanent;", "rewrite-appends-query"),
            ("rewrite ^ https://b.example$uri permanent;", "rewrite-appends-query"),
            ("location ~ ^/a(%20|_)b { return 404; }", "query-in-path"),
            ("location ~ .* { return 204; }", "matches-everything"),
            ("if ($request_uri ~ (.*)) { return 302 /b?u=$1; }", "matches-everything"),
            ("if ($args ~ .+) { return 302 /b; }", "matches-everything"),
            ("location = /a*b*/c { return 204; }", "unreachable-location"),
        ]
    )
    func notFound(rules: String, check: String) throws {
        let found = try Self.found(Self.named + rules)
        #expect(!found.contains { $0.check == check }, "\(found)")
    }

    @Test("A dot that lets a foreign origin in is the one thing to change")
    func originDot() throws {
        let map = "map $http_origin $o { default ''; ~^https://www.shop.example$ $http_origin; } "
        let header = "add_header Access-Control-Allow-Origin $o always; return 204;"
        let found = try Self.found(Self.named + header, outside: map).filter { $0.check == "origin-reflection" }
        #expect(found.first?.text.contains("write \\. for a dot") == true, "\(found)")
    }

    @Test("A path that a rewrite made is not called the one of proxy_pass")
    func rewrittenPath() throws {
        let rules = "location /a/ { rewrite ^/a/(.*)$ /b/$1 break; proxy_pass http://127.0.0.1:81; }"
        let found = try Self.found(Self.named + rules).filter { $0.check == "proxy-pass-normalized" }
        #expect(!found.contains { $0.text.contains("remove the path") }, "\(found)")
    }
}
