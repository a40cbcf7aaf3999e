import ShuntRules
import Testing

@testable import ShuntTools

@Suite("Rules made of the configuration of HAProxy and IIS")
struct OtherImportTests {
    func check(_ imported: ImportedRules, _ requests: String) throws {
        let ruleSet = try RuleSet(text: imported.text)
        let cases = try TestFile(Array(requests.utf8), named: "cases", host: nil).cases
        for outcome in RuleTests(ruleSet, cases).run().outcomes where outcome.result != .passed {
            Issue.record("\(outcome.test.request): \(outcome.decision.map { "\($0)" } ?? "")\n\(imported.text)")
        }
    }

    @Test("Frontends of HAProxy: redirects, rewrites, refusals, tests with files, and backends")
    func haproxy() throws {
        let imported = HAProxyImport.rules(
            named: "haproxy.cfg",
            text: """
                global
                    log stdout
                frontend web
                    bind *:80
                    bind :443 ssl crt /etc/ssl/site.pem
                    acl is_api path_beg /api/
                    acl bad hdr_sub(User-Agent) -i badbot
                    acl old path -f old.lst
                    acl www hdr(host) -i www.example.com
                    # No robots
                    http-request deny deny_status 429 if bad !is_api
                    http-request deny if { src 192.0.2.0/24 10.0.0.1 }
                    redirect prefix https://example.com code 301 if www
                    http-request redirect scheme https code 308 unless { ssl_fc }
                    http-request redirect location /new code 302 if old or { path_end .htm }
                    http-request replace-path /v1/(.*) /api/\\1 if { path_beg /v1/ }
                    http-request replace-path /u/(.*) /w/\\1 if { path_beg /u } or { path_beg /deep/u }
                    http-request deny if { path /v/x }
                    http-request replace-path /w/(.*) /v/\\1 if { path_beg /w/ }
                    http-request return status 200 string ok if { path /health }
                    http-request lua.x
                    use_backend api if is_api
                    default_backend app
                backend api
                    balance leastconn
                    server a 10.0.0.1:8080 check weight 2
                backend app
                    server b 10.0.0.2:8080
                """
        ) { $0 == "old.lst" ? "# pages\n/a\n/b\n" : nil }
        #expect(imported.notes.map(\.line) == [21])
        try check(
            imported,
            """
            https://example.com/x -> respond 429
                > User-Agent: a BadBot
            https://example.com/api/x -> forward http://api/api/x
                > User-Agent: a BadBot
            https://example.com/x -> respond 403
                @remote 192.0.2.9
            https://www.example.com/x?y -> redirect 301 https://example.com/x?y
            http://example.com/x?y -> redirect 308 https://example.com/x?y
            https://example.com/b -> redirect 302 https://example.com/new
            https://example.com/c.htm -> redirect 302 https://example.com/new
            https://example.com/v1/x -> forward http://api/api/x
            https://example.com/v/x -> respond 403
            https://example.com/w/x -> forward http://app/v/x
            https://example.com/deep/u/u/x -> forward http://app/v/u/x
            https://example.com/health -> respond 200 "ok"
            https://example.com/other -> forward http://app/other
            """
        )
    }

    @Test("Refusals of HAProxy that have no counterpart, tests of HTTPS, and invalid names")
    func haproxyRefusals() throws {
        let imported = HAProxyImport.rules(
            named: "haproxy.cfg",
            text: """
                frontend web
                    bind *:80
                    bind *:443 ssl
                    http-request redirect location /secure if { ssl_fc 0 }
                    http-request return status 200 string on if { path /on } !{ ssl_fc 0 }
                    use_backend "x; return 200 pwn" if { path /p }
                    http-request deny if { path /$uri }
                    tcp-request connection reject if { src_conn_rate gt 10 }
                backend "x { server 1.1.1.1; }"
                    server b 10.0.0.2:8080
                """
        ) { _ in nil }
        #expect(imported.notes.map(\.line) == [6, 8])
        #expect(!imported.text.contains("upstream"))
        try check(
            imported,
            """
            http://example.com/a -> redirect 302 http://example.com/secure
            https://example.com/on -> respond 200 "on"
            https://example.com/a -> respond 403
            """
        )
        let deny = HAProxyImport.rules(named: "h", text: "frontend w\n http-request deny if { path /$uri }") { _ in nil
        }
        try check(deny, "GET /$uri a -> respond 403\nGET /x a -> forward")
    }

    /// A condition that refuses, a request, and true if HAProxy 2.6 refused it.
    static let refusals: [(condition: String, request: String, isRefused: Bool)] = [
        ("{ hdr_dom(referer) -i spam.com }", "GET / a\n > Referer: http://spam.com/", true),
        ("{ hdr_dom(referer) -i spam.com }", "GET / a\n > Referer: http://spam.community/", false),
        ("{ url_dir admin }", "GET /admin?x a", true), ("{ url_dir admin }", "GET /administrator a", false),
        ("{ path_dir admin/ }", "GET /x/admin a", true), ("{ path_dir /admin }", "GET /x/admin a", true),
        (#"{ path_reg "^/a\\.php" }"#, "GET /a.php a", true), (#"{ path_reg ^/a\\.php }"#, "GET /axphp a", false),
        (#"{ path_reg ^/a\.php }"#, "GET /a.php a", true), (#"{ path_reg '^/a\.php' }"#, "GET /a.php a", true),
        ("{ hdr(x-forwarded-for) 10.1.2.3 }", "GET / a\n > X-Forwarded-For: 1.1.1.1, 10.1.2.3", true),
        ("{ hdr(x-forwarded-for) 10.1.2.3 }", "GET / a\n > X-Forwarded-For: 10.1.2.30", false),
        ("{ hdr_beg(user-agent) -i curl }", "GET / a\n > User-Agent: x, curl/8", true),
        ("{ hdr_reg(x-a) ^b+$ }", "GET / a\n > X-A: a, bb", true),
        ("{ urlp(id) -m reg ^[0-9]+$ }", "GET /?id=a&id=1 a", true), ("{ urlp(id) 1 }", "GET /?ID=1 a", false),
        ("{ urlp(id) 1 }", "GET /?xid=1 a", false), ("{ urlp(id) -m end 1 }", "GET /?id=21&b a", true),
        ("!{ cook(s) -m beg 1 }", "GET / a\n > Cookie: S=1", true),
        ("!{ cook(s) -m beg 1 }", "GET / a\n > Cookie: b=2; s=12", false),
    ]

    @Test("Values of lists, names and parts of paths are compared as by HAProxy", arguments: refusals)
    func haproxyValues(condition: String, request: String, isRefused: Bool) throws {
        let text =
            "frontend w\n http-request deny if \(condition)\n default_backend b\nbackend b\n server s 10.0.0.1:80\n"
        let imported = HAProxyImport.rules(named: "h", text: text) { _ in nil }
        #expect(imported.notes.isEmpty)
        let lines = request.split(separator: "\n", maxSplits: 1)
        let rest = lines.count > 1 ? "\n   \(lines[1])" : ""
        try check(imported, "\(lines[0]) -> \(isRefused ? "respond 403" : "forward")\(rest)")
    }

    @Test("Targets of redirects keep the escapes of the path, and one choice of a backend is the last")
    func haproxyTargets() throws {
        let text = """
            frontend w
                acl old path_beg /old
                redirect location https://%[hdr(host)]%[path] code 301 if old
                redirect prefix / code 302 if { path_beg /p }
                use_backend a
                default_backend b
            backend a
                server s 10.0.0.1:80
            backend b
                server s 10.0.0.2:80
            """
        let imported = HAProxyImport.rules(named: "h", text: text) { _ in nil }
        #expect(imported.notes.isEmpty)
        try check(
            imported,
            """
            GET /old/a%20b?x a -> redirect 301 https://a/old/a%20b
            GET /p/x?y a -> redirect 302 http://a/p/x?y
            GET /z a -> forward http://a/z
            """
        )
    }

    @Test(
        "Rules that read the URL after a change of the path, or the environment, are noted or refused",
        arguments: [
            "http-request deny if { url_beg /x }", "http-request redirect location https://n%[pathq] code 302",
            #"http-request deny if { path_beg "${HOME}" }"#,
        ]
    )
    func haproxyUnsaid(line: String) throws {
        let text =
            "frontend w\n http-request set-path /x%[path]\n \(line)\n default_backend b\nbackend b\n server s 10.0.0.1:80\n"
        let imported = HAProxyImport.rules(named: "h", text: text) { _ in nil }
        #expect(imported.notes.map(\.line) == [3])
        if line.contains("deny") { try check(imported, "GET /s a -> respond 403") }
    }

    @Test("Networks, lists of whole lines, and refusals of which a test has no counterpart")
    func haproxyTests() throws {
        let imported = HAProxyImport.rules(
            named: "haproxy.cfg",
            text: """
                frontend web
                    acl internal src 10.0.0.0/8 172.16.0.0/12 2001:db8::/32
                    acl bots hdr_sub(User-Agent) -i -f ua.lst
                    http-request deny if { path_beg /secret } !internal
                    http-request deny if bots
                    http-request tarpit if { path /t }
                    http-request silent-drop if { path /d }
                    http-request deny if { path_beg /a } { path_len gt 20 }
                    http-request return status 200 if { path /ok }
                """
        ) { _ in "# agents\nBad Bot\nGo http client \n" }
        #expect(imported.notes.map(\.line) == [8])
        try check(
            imported,
            """
            GET /secret a -> respond 403
            GET /secret a -> forward
                @remote 172.31.0.1
            GET /secret a -> forward
                @remote 2001:db8::1
            GET /x a -> respond 403
                > User-Agent: a bad bot
            GET /x a -> forward
                > User-Agent: Googlebot
            GET /t a -> respond 500
            GET /d a -> respond 444
            GET /abc a -> respond 403
            GET /ok a -> respond 200
            """
        )
    }

    @Test("Rules of IIS for other servers, for one place, and about HTTPS")
    func iisPlaces() throws {
        let imported = try IISImport.rules(
            named: "web.config",
            text: """
                <configuration><system.webServer><rewrite><rules>
                <rule name="Api"><match url="^api/(.*)" /><action type="Rewrite" url="http://localhost:5000/{R:1}" /></rule>
                <rule name="Https" stopProcessing="true"><match url="(.*)" />
                <conditions><add input="{SERVER_PORT_SECURE}" pattern="^0$" /></conditions>
                <action type="Redirect" url="https://{HTTP_HOST}/{R:1}" /></rule>
                <rule name="Empty" stopProcessing="true"><match url="^e$" />
                <conditions><add input="{QUERY_STRING}" pattern="a=(1)" /></conditions>
                <action type="Redirect" url="/n?{C:2}" appendQueryString="false" /></rule>
                </rules></rewrite>
                <httpRedirect enabled="true" destination="https://x.example" />
                </system.webServer>
                <location path="admin"><system.web><authorization><deny users="*" /></authorization></system.web>
                <system.webServer><rewrite><rules><rule name="In"><match url=".*" /><action type="AbortRequest" /></rule>
                </rules></rewrite></system.webServer></location>
                <location path="old.html"><system.webServer><httpRedirect enabled="true" destination="/n" /></system.webServer>
                </location></configuration>
                """,
            root: "/"
        )
        #expect(imported.notes.map(\.line) == [10, 12, 13, 15])
        try check(
            imported,
            """
            https://a/api/x -> forward http://localhost:5000/x
            http://a/x -> redirect 301 https://a/x
            https://a/x -> forward
            https://a/e?a=1 -> redirect 301 https://a/n
            https://a/Admin/x -> respond 403
            https://a/admins -> forward
            """
        )
    }

    @Test("Refusals of IIS that have no counterpart")
    func iisRefusals() throws {
        let rule = """
            <rule name="a"><match url="^a" /><conditions><add input="{ToLower:{URL}}" pattern="x" /></conditions>
            <action type="AbortRequest" /></rule>
            """
        for text in [
            "<rewrite><rules>\(rule)</rules></rewrite>", "<security><ipSecurity allowUnlisted=\"false\" /></security>",
            "<security><authentication><anonymousAuthentication enabled=\"false\" /></authentication></security>",
            "<security><access sslFlags=\"Ssl, SslRequireCert\" /></security>",
            "<security><dynamicIpSecurity><denyByConcurrentRequests enabled=\"true\" /></dynamicIpSecurity></security>",
        ] {
            let imported = try IISImport.rules(
                named: "web.config",
                text: "<system.webServer>\(text)</system.webServer>",
                root: "/"
            )
            #expect(imported.notes.count == 1)
            try check(imported, "GET /b example.com -> respond 403")
        }
    }

    @Test("Rules of IIS: conditions, maps, negation and all actions")
    func iis() throws {
        let imported = try IISImport.rules(
            named: "web.config",
            text: """
                <?xml version="1.0"?>
                <configuration><system.webServer><rewrite>
                <rewriteMaps><rewriteMap name="Moved">
                <add key="/a" value="/one" /><add key="/b?x=1" value="/two" />
                </rewriteMap></rewriteMaps>
                <rules>
                <rule name="Moved" stopProcessing="true">
                <match url=".*" />
                <conditions><add input="{Moved:{REQUEST_URI}}" pattern="(.+)" /></conditions>
                <action type="Redirect" url="{C:1}" appendQueryString="false" />
                </rule>
                <rule name="Host" stopProcessing="true">
                <match url="(.*)" />
                <conditions logicalGrouping="MatchAny">
                <add input="{HTTPS}" pattern="^OFF$" /><add input="{HTTP_HOST}" pattern="^www\\." />
                </conditions>
                <action type="Redirect" url="https://example.com/{R:1}" redirectType="Found" />
                </rule>
                <rule name="Refuse" patternSyntax="Wildcard"><match url="*.bak" /><action type="CustomResponse" statusCode="404" /></rule>
                <rule name="Abort"><match url="^shut$" /><action type="AbortRequest" /></rule>
                <rule name="Item" stopProcessing="true"><match url="^item/(\\d+)$" /><action type="Rewrite" url="item.php?id={R:1}" /></rule>
                <rule name="Key"><match url=".*" /><conditions><add input="{REQUEST_URI}" pattern="^/secret b\\?k" /></conditions>
                <action type="AbortRequest" /></rule>
                <rule name="Lower"><match url="^x" /><action type="Redirect" url="{ToLower:{URL}}" /></rule>
                </rules></rewrite></system.webServer></configuration>
                """,
            root: "/var/www/html"
        )
        #expect(imported.notes.map(\.reason) == ["the function ToLower"])
        #expect((imported.count, imported.importedCount) == (7, 6))
        try check(
            imported,
            """
            https://example.com/a -> redirect 301 https://example.com/one
            https://example.com/b?x=1 -> redirect 301 https://example.com/two
            http://example.com/c/d?y -> redirect 302 https://example.com/c/d?y
            https://WWW.example.com/ -> redirect 302 https://example.com/
            https://example.com/x/a.BAK -> respond 404
            https://example.com/shut -> respond 444
            https://example.com/%73ecret%20b?k -> respond 444
            https://example.com/item/7?y=2 -> forward https://example.com/item.php?id=7&y=2
            https://example.com/other -> forward https://example.com/other
            """
        )
        #expect(throws: ImportError.self) { try IISImport.rules(named: "a", text: "<a", root: "/") }
    }
}
