import Foundation
import TestFolder
import Testing

@Suite("Mistakes that people bring")
struct FieldMistakeTests {
    /// The findings of lint for some rules: check and message of each finding, and the advice.
    static func findings(_ files: [String: String]) throws -> [(line: Int, check: String, text: String)] {
        let folder = try TestFolder(files)
        let report = try JSON(folder.run(["lint", "r.conf", "--format", "json"]).output)["findings"]
        var found: [(line: Int, check: String, text: String)] = []
        while let check = report[found.count]["code"].string {
            let one = report[found.count]
            let text = [one["message"].string, one["suggestion"].string].compactMap { $0 }.joined(separator: "; ")
            found.append((one["line"].number ?? 0, check, text))
        }
        return found
    }

    private static let server = "server { listen 80 default_server; server_name a.example; "

    @Test(
        "A mistake with the check that finds it and words of its advice",
        arguments: [
            ("location ^/shop/api/ { return 404; }", "impossible-text", "write ~ before it"),
            ("location /api(.*)$ { return 404; }", "impossible-text", "write ~ before it"),
            ("location = /tags?tag=cool { return 404; }", "impossible-text", "matches an encoded question mark only"),
            ("location = /m%C3%BCnchen { return 404; }", "impossible-text", "decoded before it is compared"),
            ("location = catalog { return 404; }", "impossible-text", "write /catalog"),
            ("location = https://a.example/x/3 { return 404; }", "impossible-text", "write /x/3"),
            ("return 301 www.a.example$request_uri;", "missing-slash", "write $scheme://www.a.example"),
            ("return 301 index.html;", "missing-slash", "write /index.html"),
            ("return 301 javascript:alert(1);", "missing-slash", "do not follow a redirect to javascript:"),
            ("return 301 \" https://a.example/\";", "missing-slash", "the space at its start"),
            ("return 301 \"/x y\";", "missing-slash", "write /x%20y"),
            ("return 301 https:/a.example/x;", "missing-slash", "write https://a.example/x"),
            ("return 301 http//a.example/x;", "missing-slash", "write http://a.example/x"),
            ("rewrite ^/a https//:a.example/$1 redirect;", "missing-slash", "write https://a.example/$1"),
            ("return 301 http:///x;", "missing-slash", "write http://x"),
            ("return 301 https://;", "missing-slash", "has no host"),
            ("return 301 htps://$host/x;", "missing-slash", "write https://$host/x"),
            ("return 301 https://a.example:x/;", "missing-slash", "is not a number"),
            ("return 404 /404.html;", "missing-slash", "write error_page 404 /404.html and return 404"),
            ("return 503 @closed; location @closed { return 204; }", "missing-slash", "is the body of the answer"),
            (
                "location / { try_files $uri @n; } location @n { try_files $uri @n; }", "rewrite-cycle",
                "the last word leads here again"
            ),
            ("location = /frag#top { return 404; }", "impossible-text", "an encoded # only"),
            (
                "location /api(.*)$ { proxy_pass http://127.0.0.1:8080/api$1; }", "missing-group",
                "write ~ before the expression of the location"
            ),
            ("root /srv/none; location / { try_files $uri $uri/; }", "rewrite-cycle", "write =404 after it"),
            (
                "root /srv/www; error_page 503 /c.html; if (-f $document_root/c.html) { return 503; }",
                "error-page-cycle", "the page is never sent"
            ),
            (
                "location /.well-known/acme-challenge/ { root /srv; } location ~ /\\. { deny all; }",
                "unreachable-location", "write ^~ before the prefix"
            ),
            ("if ($host !~ ^(shop.example|www.shop.example)$) { return 444; }", "unescaped-dot", "write \\. for a dot"),
            ("location / { proxy_pass http://127.0.0.1:8080/$request_uri; }", "doubled-slash", "begins with one"),
            ("set $b http://127.0.0.1:8080/$uri; location / { proxy_pass $b; }", "doubled-slash", "begins with one"),
            ("return 301 $host$request_uri;", "missing-slash", "write $scheme://$host$request_uri"),
            ("error_page 404 missing.html;", "missing-slash", "write /missing.html"),
            ("error_page 404 =/404.html;", "missing-slash", "write = /404.html"),
            ("location / { try_files $uri index.html; }", "missing-slash", "write /index.html"),
            ("rewrite ^pictures/(.*)$ js/box/$1 last;", "never-matches", "a path begins with a slash"),
            ("if ($request_uri ~ \"^/index.php?id=5$\") { return 301 /5; }", "unescaped-question-mark", "write \\?"),
            ("server_name a.example:80;", "impossible-text", "write a.example"),
            ("server_name b.example, c.example;", "impossible-text", "write b.example"),
            ("server_name b.example.;", "impossible-text", "write b.example"),
            ("set $b 127.0.0.1:1; location /x/ { proxy_pass http://$b/y/; }", "lost-path", "leave /y/ out"),
            ("set_real_ip_from 10.0.0.0/8; deny 10.1.0.0/16;", "proxy-address-rule", "the addresses of clients"),
            (
                "listen 8080; set_real_ip_from 10.0.0.1; location = /d { return 301 /d/; }", "internal-port",
                "sent to port 8080"
            ),
            ("if ($server_port = 443) { return 301 http://a.example/; }", "impossible-scheme", "port 443 with ssl"),
            ("set $b http://127.0.0.1:1; location / { proxy_pass $b/$uri; }", "doubled-slash", "begins with one"),
            ("set $b http://127.0.0.1:1/; location / { proxy_pass $b$uri; }", "doubled-slash", "begins with one"),
            ("rewrite ^(.*)$ https://b.example/$1 permanent;", "doubled-slash", "$1 begins with one"),
            ("return 301 /new/$request_uri;", "doubled-slash", "begins with one"),
            ("rewrite ^/x/(.*)$ $1 last; location / { return 204; }", "missing-slash", "write /$1"),
            ("return 301 \"\";", "missing-slash", "an empty Location leads nowhere"),
            ("error_page 404 https//b.example/y;", "missing-slash", "write https://b.example/y"),
            ("set $b http://127.0.0.1:1/; location /x/ { proxy_pass $b; }", "lost-path", "write $request_uri"),
            ("set $b 127.0.0.1; location /x/ { proxy_pass http://$b:1/y/$is_args$args; }", "lost-path", "the path"),
            (
                "set $b 127.0.0.1; location ~ ^/x/(.*) { proxy_pass http://$b:1/$1; }", "lost-path",
                "write $is_args$args after it"
            ),
            ("location = \"\" { return 204; }", "impossible-text", "write /"),
            ("location /f { if ($request_method = POST) { return 307 /f; } return 204; }", "redirect-to-self", "URL"),
            ("location = /caf%E9 { return 204; }", "impossible-text", "an expression with \"/caf\\xe9\""),
            ("if ($remote_addr = 10.0.0.0/8) { return 403; }", "impossible-text", "whose keys are networks"),
            ("if ($remote_addr ~ 10.0.0.0/8) { return 403; }", "never-matches", "the address of one host"),
            ("server_name \"~^www\\.b\\.example:80$\";", "never-matches", "without a port"),
            ("root /srv/none; try_files $uri $uri/;", "rewrite-cycle", "write =404 after it"),
            (
                "error_page 503 /m.html; location / { return 503; }", "error-page-cycle",
                "write a location for the page that sends it"
            ),
        ]
    )
    func found(rules: String, check: String, words: String) throws {
        let found = try Self.findings(["r.conf": Self.server + rules + " }\n"])
        #expect(found.contains { $0.check == check && $0.text.contains(words) }, "\(found)")
    }

    @Test(
        "Rules that work are not reported",
        arguments: [
            (
                "location / { proxy_pass http://127.0.0.1; proxy_redirect ~^http://[^/]+(/.*)$ $1; }", "missing-group"
            ),
            (
                "location / { rewrite ^/tools/(.*\\.js)$ /$1 last; try_files $uri $uri/ /index.html; }", "rewrite-cycle"
            ),
            ("location ~ ^/a { return 404; } location /b|c { return 404; }", "unreachable-location"),
            ("location ~ /x\\. { return 404; } location /.w/ { return 204; }", "unreachable-location"),
            ("location ~ ^/a(?:bc)?d=x { return 404; }", "unescaped-question-mark"),
            ("return 301 https://$host$request_uri;", "doubled-slash"),
            ("set $b 127.0.0.1:1; location = /auth { proxy_pass http://$b/check; }", "lost-path"),
            ("set $b 127.0.0.1:1; location / { proxy_pass http://$b$request_uri; }", "lost-path"),
            ("set $b 127.0.0.1:1; location / { proxy_pass http://$b; }", "lost-path"),
            ("set_real_ip_from 10.0.0.1; allow 10.0.0.0/8; deny all;", "proxy-address-rule"),
            ("listen 8080; location = /d { return 301 /d/; }", "internal-port"),
            (
                "listen 8080; set_real_ip_from 10.0.0.1; absolute_redirect off; location = /d { return 301 /d/; }",
                "internal-port"
            ),
            ("if ($scheme = https) { return 301 http://a.example/; }", "impossible-scheme"),
            ("listen 443 ssl; if ($scheme = http) { return 301 https://a.example/; }", "impossible-scheme"),
            ("error_page 404 = @other; location @other { return 204; }", "missing-slash"),
            ("return 301 $scheme://$host:8080/x;", "missing-slash"),
            ("return 301 https://a.example:$server_port/x;", "missing-slash"),
            ("return 301 https://u:p@a.example/;", "missing-slash"), ("return 301 myapp://item/7;", "missing-slash"),
            ("return 302 mailto:a@b.example;", "missing-slash"), ("return 404 \"no such page\";", "missing-slash"),
            ("return 302 https://[::1]:80/;", "missing-slash"), ("return 200 /x;", "missing-slash"),
            ("location / { try_files $uri @n; } location @n { return 404; }", "rewrite-cycle"),
            ("location ~* ^/img/.+\\.(png|jpg)$ { try_files $uri =404; }", "dot-stops-at-newline"),
            ("rewrite ^/x(/.*)$ $1 last; rewrite ^/y/(/.*)$ $1 last;", "missing-slash"),
            ("rewrite ^/(?:z|x/)(.*)$ https://b.example/$1 permanent;", "doubled-slash"),
            ("set $b 127.0.0.1; location ~ ^/x/(.*) { proxy_pass http://$b:1/$1$is_args$args; }", "lost-path"),
            ("if ($remote_addr ~ ^10\\.) { return 403; }", "never-matches"),
            ("location /f { if ($request_method = POST) { return 303 /f; } return 204; }", "redirect-to-self"),
            ("location /f { if ($request_method != GET) { return 302 /g; } return 204; }", "redirect-loop"),
            ("location \"\" { return 204; }", "impossible-text"),
            (
                "error_page 503 /m.html; location / { return 503; } location = /m.html { root /srv; }",
                "error-page-cycle"
            ),
        ]
    )
    func notFound(rules: String, check: String) throws {
        let found = try Self.findings(["r.conf": Self.server + rules + " }\n"])
        #expect(!found.contains { $0.check == check }, "\(found)")
    }

    @Test("Values of a map that lead nowhere are found where redirects begin with them")
    func tableTargets() throws {
        let entries = [
            "/a www.b.example/x", "/b b.html", "/c /good", "/d 0", "/e https:/b.example/", "/f \"/x y\"", "/g about-us",
        ]
        let map = entries.map { "\($0);" }.joined(separator: "\n")
        func rules(_ use: String) -> [String: String] {
            ["m.map": map, "r.conf": "map $uri $new { include m.map; default \"\"; }\n\(Self.server)\(use) }\n"]
        }
        let found = try Self.findings(rules("if ($new) { return 301 $new; }")).filter { $0.check == "missing-slash" }
        #expect(found.map(\.line) == [1, 2, 5, 6, 7], "\(found)")
        let other = try Self.findings(rules("if ($new) { return 301 /$new; }")).filter { $0.check == "missing-slash" }
        #expect(other.isEmpty, "\(other)")
    }

    @Test(
        "A key of a map that no request has, with the check that finds it and words of its advice",
        arguments: [
            ("$uri", "~^about", "never-matches", "a path begins with a slash"),
            ("$uri", "\"~^/p\\?id=5$\"", "query-in-path", "use a map of $request_uri"),
            ("$uri", "~^https?://a.example/x", "never-matches", "a path has no scheme"),
            ("$uri", "\" /lead\"", "impossible-text", "write /lead"),
            ("$uri", "~^/about", nil, ""), ("$uri", "\"\"", nil, ""),
            ("$request_uri", "~^about", "never-matches", "a slash first"), ("$request_uri", "~^/p\\?id=5$", nil, ""),
            ("$host", "~:80$", "never-matches", "without a port"), ("$host", "b.example,", "impossible-text", "comma"),
            ("$host", "~^\\[::1\\]$", nil, ""),
            ("$remote_addr", "10.0.0.0/8", "impossible-text", "whose keys are networks"),
            ("$remote_addr", "localhost", "impossible-text", "the address of one host"),
            ("$remote_addr", "unix:", nil, ""), ("$remote_addr", "2001:DB8::1", nil, ""),
            ("$scheme", "https://", "impossible-text", "http or https"), ("$scheme", "HTTPS", nil, ""),
            ("$server_port", "http", "impossible-text", "a number"), ("$request_method", "get", nil, ""),
            ("$http_x", "\"a b\"", nil, ""),
        ]
    )
    func keys(source: String, key: String, check: String?, words: String) throws {
        let rules = "map \(source) $new { default \"\"; \(key) /x; }\n\(Self.server)if ($new) { return 302 $new; } }\n"
        let found = try Self.findings(["r.conf": rules])
            .filter { ["never-matches", "impossible-text", "query-in-path"].contains($0.check) }
        #expect(found.map(\.check) == (check.map { [$0] } ?? []), "\(found)")
        #expect(found.allSatisfy { $0.text.contains(words) }, "\(found)")
        // Where rules on whole URLs read the map too, its variables may have other values.
        let outside = try Self.findings(["r.conf": rules + "if ($new) { block host x.example 403; }\n"])
        #expect(check == nil || source == "$host" || !outside.contains { $0.check == "never-matches" }, "\(outside)")
    }

    @Test("Expressions among the names of servers to which others leave no host")
    func deadNames() throws {
        let names = [
            ("~^www\\d+\\.a\\.example$", false), ("~^www1\\.a\\.example$", true), ("*.b.example", false),
            ("~^.+\\.b\\.example$", true), ("~^(.+\\.)?b\\.example$", false), ("c.example", false),
            ("~^c\\.example$", true), ("~^[CD]\\.example$", false),
        ]
        let rules = names.map { "server { listen 80; server_name \($0.0); return 200 x; }\n" }.joined()
        let found = try Self.findings(["r.conf": rules]).filter { $0.check == "unreachable-server" }
        #expect(found.map(\.line) == names.indices.filter { names[$0].1 }.map { $0 + 1 }, "\(found)")
        #expect(found.first?.text.contains("r.conf:1:33") == true)
    }

    @Test(
        "Entries of lists that others cover",
        arguments: [
            ("agents", "Bad\nEvilBot\nbad\n/^x/\nEvil\n/^x/\nOther\n", [2, 3, 6]),
            (
                "networks", "192.0.2.1\n192.0.2.0/24\n10.0.0.0/8\n10.0.0.0/8\n2001:db8::/32\n2001:0db8:1::/48\n",
                [1, 4, 6]
            ),
            ("networks", "192.0.2.0/25\n192.0.2.128/25\n10.0.0.1-10.0.0.9\n10.0.0.5-10.0.0.12\n", []),
            (
                "urls", "ads.example\nx.ads.example\nADS.example\n0.0.0.0 t.example\nt.example\n0.0.0.0 t.example\n",
                [2, 3, 6]
            ),
        ]
    )
    func coveredEntries(kind: String, text: String, lines: [Int]) throws {
        let folder = try TestFolder(["r.conf": "block \(kind) l.txt;\n", "l.txt": text])
        let report = try JSON(folder.run(["lint", "r.conf", "--format", "json"]).output)["findings"]
        if lines.isEmpty { return #expect(report[0]["code"].string == nil) }
        #expect(report[0]["code"].string == "list-overlap")
        #expect(report[0]["file"].string == "l.txt")
        let proof = report[0]["notes"][0].string ?? ""
        let found = proof.matches(of: /(\d+) by/).compactMap { Int($0.1) }
        #expect(found == lines, "\(proof)")
    }

    @Test(
        "A test of the scheme that no request of a server with TLS passes is found",
        arguments: [
            ("$scheme != \"https\"", true), ("$scheme = http", true), ("$scheme ~ ^http$", true),
            ("$https = \"\"", true),
            ("$https != on", true), ("$scheme = https", false), ("$https", false), ("$scheme !~ ^http$", false),
            ("$host != a.example", false),
        ]
    )
    func scheme(test: String, isFound: Bool) throws {
        let rules =
            "server { listen 443 ssl; listen [::]:8443 ssl; server_name a.example; if (\(test)) { return 301 https://a.example/; } }"
        let found = try Self.findings(["r.conf": "ssl_certificate c; ssl_certificate_key k;\n\(rules)\n"])
        #expect(found.contains { $0.check == "impossible-scheme" } == isFound, "\(found)")
    }

    @Test(
        "A list of Referers that are turned away accepts none of them",
        arguments: [("~*", false), ("!~*", true)]
    )
    func blockedReferers(operator: String, isFound: Bool) throws {
        let found = try Self.findings([
            "r.conf": Self.server
                + "if ($http_referer \(`operator`) (semalt\\.com|darodar\\.com)) { return 403; } return 204; }\n"
        ])
        let checks = found.filter { ["unsafe-origin", "unanchored-check"].contains($0.check) }
        #expect(checks.isEmpty == !isFound, "\(found)")
    }

    @Test("An error is reported however many warnings there are, and the check is not passed")
    func errorAmongWarnings() throws {
        let networks = (1...1_100).map { "10.\($0 / 250).\($0 % 250).7/24 1;" } + ["10.0.0.0-10.0.0.255 1;"]
        let folder = try TestFolder([
            "r.conf": "geo $bot { include n.geo; }\nif ($bot) { block ~ . 403; }\n",
            "n.geo": networks.joined(separator: "\n") + "\n",
        ])
        let outcome = try folder.run(["check", "r.conf"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.first?.hasPrefix("n.geo:1101:") == true, "\(outcome.lines.first ?? "")")
        #expect(outcome.lines.last == "1 error, 1100 warnings")
        #expect(outcome.lines.contains { $0.contains("1000 more warnings like this are not shown") })
        let report = try JSON(folder.run(["check", "r.conf", "--format", "json"]).output)
        #expect(report["errors"].number == 1)
        #expect(report["warnings"].number == 1_100)
    }

    @Test("The message about networks in a list of hosts names the place for networks")
    func networksInBlocklist() throws {
        let folder = try TestFolder([
            "r.conf": "blocklist l.txt;\n",
            "l.txt": "ads.example\n" + (0..<40).map { "192.0.2.\($0)/32\n" }.joined(),
        ])
        let outcome = try folder.run(["check", "r.conf"])
        #expect(outcome.lines.last == "1 rule: no errors, 40 warnings", "\(outcome.lines)")
        #expect(outcome.text.contains("write block networks FILE; for a list of networks of clients"))
    }

    @Test("A time zone in one file changes the rules of another, and diff has a request for it")
    func timezone() throws {
        let night = "if ($time_of_day >= 22:00) { block host night.example.com 503; }\n"
        let folder = try TestFolder([
            "old/10.conf": night, "new/10.conf": night, "new/05.conf": "timezone +01:00;\n",
        ])
        let outcome = try folder.run(["diff", "old", "new", "--at", "2026-11-26T12:00:00Z"])
        #expect(
            outcome.lines.contains {
                $0.hasSuffix("forward https://night.example.com/ → block 503") || $0.contains("→ block 503")
            },
            "\(outcome.lines)"
        )
        #expect(outcome.status == 1)
    }

    @Test("Directives without effect are one line, and those that the gateway does not do are an error of serving")
    func ignored() throws {
        let folder = try TestFolder([
            "nginx.conf": """
            user www; worker_processes 4; pid /run/x.pid; events {}
            http { sendfile on; tcp_nopush on; gzip on; server_tokens off;
            server { location / { proxy_pass http://127.0.0.1:3000; proxy_pass_trailers on; proxy_method GET; } } }

            """,
            "plain.conf": "events {}\nhttp { server { listen 80 default_server; return 204; } }\n",
        ])
        for command in ["check", "lint"] {
            let refused = try folder.run([command, "nginx.conf"])
            #expect(refused.status == 1)
            let message =
                "nginx.conf:3:57: error: the gateway does not do \"proxy_pass_trailers\": trailers of the upstream"
            #expect(refused.lines.contains { $0.hasPrefix(message) }, "\(refused.lines)")
        }
        let accepted = try folder.run(["check", "nginx.conf", "--accept", "proxy_pass_trailers", "--ignored"])
        #expect(accepted.status == 0)
        #expect(accepted.lines.contains { $0.contains("note: 7 directives have no effect") }, "\(accepted.lines)")
        #expect(accepted.lines.contains("without effect: gzip (nginx.conf:2:36)"), "\(accepted.lines)")
        #expect(try folder.run(["check", "nginx.conf", "--accept", "proxy_pass"]).status == 2)
        #expect(
            try folder.run(["lint", "nginx.conf", "--accept", "all", "--skip", "server"]).lines
                .contains { $0.contains("not-served") }
        )
        #expect(try folder.run(["lint", "plain.conf"]).status == 0)
    }
}
