import SeededRandom
import Shunt
import Testing

/// The server, the host and the target of a forwarded request are their own values, which no text of a client can mix.
@Suite struct ForwardedTargetTests {
    /// The place that a decision forwards to, and the target.
    private struct Sent: Equatable, CustomStringConvertible {
        var server: String
        var target: String

        var description: String { "\(server) \(target)" }

        init(_ server: String, _ target: String) {
            self.server = server
            self.target = target
        }

        /// Nil for a decision that forwards nothing.
        init?(_ decision: borrowing DecisionView) {
            guard let target = decision.withTarget({ String(repairing: $0) }) else { return nil }
            let authority = decision.withAuthority { String(repairing: $0) } ?? ""
            let server = decision.upstreamSocket.map { "unix:\($0)" } ?? decision.upstreamGroup.map { "group \($0)" }
            self.init(server ?? authority, target)
        }
    }

    private static let cases: [(rules: String, target: String, server: String, sent: String, url: String)] = [
        ("", "/a?b#c", "a.test", "/a?b", "http://a.test/a?b#c"),
        ("location / { proxy_pass http://up.test; }", "/a?b#c", "up.test", "/a?b#c", "http://up.test/a?b#c"),
        ("location / { proxy_pass http://up.test:81/x; }", "/a?", "up.test:81", "/xa", "http://up.test:81/xa"),
        ("location / { proxy_pass http://[::1]:81/x/; }", "/a", "[::1]:81", "/x/a", "http://[::1]:81/x/a"),
        (
            "location / { rewrite ^/x(.*) $1 break; proxy_pass http://up.test; }", "/x.evil.test/s?q",
            "up.test", ".evil.test/s?q", "http://up.test/.evil.test/s?q"
        ),
        (
            "location / { rewrite ^/x(.*) $1 break; proxy_pass http://127.0.0.1:3000; }", "/x1/s",
            "127.0.0.1:3000", "1/s", "http://127.0.0.1:3000/1/s"
        ),
        (
            "location / { rewrite ^/x(.*) $1 break; proxy_pass http://API; }", "/x:99@evil.test/",
            "group api", ":99@evil.test/", "http://API/:99@evil.test/"
        ),
        (
            "location / { set $u api; proxy_pass http://$u; }", "/a", "group api", "/a", "http://api/a"
        ),
        (
            "location / { set $u api; proxy_pass http://$u:80; }", "/a", "api:80", "/a", "http://api:80/a"
        ),
        (
            #"location ~ ^/i/(.*\.png)$ { set $u up.test; proxy_pass http://$u/l/$1; }"#, "/i/admin%23.png",
            "up.test", "/l/admin#.png", "http://up.test/l/admin#.png"
        ),
        (
            "location / { set $u up.test; proxy_pass http://$u/$1$is_args$args; }", "/a%23b?c",
            "up.test", "/?c", "http://up.test/?c"
        ),
        ("location / { proxy_pass HTTP://$arg_u; }", "/?u=Up.test?x#y", "Up.test", "/?x", "HTTP://Up.test/?x"),
        ("location / { proxy_pass http://up.test?x; }", "/a?b", "up.test", "?xa?b", "http://up.test/?xa?b"),
        (
            "location / { proxy_pass http://unix:/run/app.sock; }", "/a%20b?c",
            "unix:/run/app.sock", "/a%20b?c", "http://unix:/run/app.sock:/a%20b?c"
        ),
        (
            "location /a/ { proxy_pass http://unix:/run/app.sock:/base/; }", "/a/%20b?c",
            "unix:/run/app.sock", "/base/%20b?c", "http://unix:/run/app.sock:/base/%20b?c"
        ),
        (
            "location / { set $u unix:/run/app.sock; proxy_pass http://$u; }", "/a",
            "unix:/run/app.sock", "/a", "http://unix:/run/app.sock:/a"
        ),
        ("rewrite ^/x/(.*)$ /$1/y last;", "/x/%2eevil.test", "a.test", "/.evil.test/y", "http://a.test/.evil.test/y"),
        ("rewrite ^ /n last;", "http://b.test?q", "b.test", "/n?q", "http://b.test/n?q"),
    ]

    @Test("A request goes to the server that a rule names, with the target that nginx sends", arguments: cases.indices)
    func sent(_ index: Int) throws {
        let (rules, target, server, sent, url) = Self.cases[index]
        let text = "upstream api { server 127.0.0.1:1; } server { \(rules) }"
        let engine = Engine(try RuleSet(text: text))
        engine.withDecision(for: RuleRequest(target: target, host: "a.test")) { decision in
            #expect(Sent(decision) == Sent(server, sent))
            #expect(decision.withURL { String(repairing: $0) } == url)
            let copy = decision.copy()
            #expect(copy.targetBytes == Array(sent.utf8))
            #expect(copy.authorityBytes == decision.withAuthority { Array(copying: $0) })
        }
    }

    @Test(
        "A path without its first slash is not forwarded, and never becomes a part of the host",
        arguments: [
            "/en/admin/x", "/en/:80/admin/x", "/en/.other.test/x", "/en/@other.test/x", "/en/1", "/en/%3A80/admin/x",
        ]
    )
    func withoutSlash(_ target: String) throws {
        let rules = """
            server { location /admin/ { return 403; } rewrite ^/en/(.*)$ $1 last; error_page 404 =410 /gone; location = /gone { return 410; } }
            server { server_name b.test; rewrite ^/en/(.*)$ $1 last; }
            """
        let engine = Engine(try RuleSet(text: rules))
        let decision = engine.decide(RuleRequest(target: target, host: "b.test"))
        #expect(
            decision.kind == .fail && decision.status == 404 && decision.urlBytes == nil && decision.targetBytes == nil
        )
        #expect(decision.reason == "a rewrite left a path that does not begin with a slash")
        #expect(decision.rule?.line == 2)
        #expect(engine.decide(RuleRequest(target: target, host: "a.test")).status == 410)
    }

    @Test(
        "A whole URL has its own host and target, / for an empty path",
        arguments: ["", "server { }", "server { add_header A b; }"]
    )
    func wholeURLs(_ rules: String) throws {
        let engine = Engine(try RuleSet(text: rules))
        let urls = [
            ("http://b.test", "b.test", "/"), ("http://b.test:81/a?b#c", "b.test:81", "/a?b"),
            ("http://b.test?q#f", "b.test", "/?q"), ("app://x/y", "x", nil), ("HTTPS://b.test/?", "b.test", "/?"),
        ]
        // The second time over a decision that is no longer used.
        for (url, authority, target) in urls + urls {
            let decision = engine.decide(RuleRequest(url: url))
            #expect(decision.urlBytes == Array(url.utf8))
            #expect(decision.authorityBytes == Array(authority.utf8))
            #expect(decision.targetBytes == target.map { Array($0.utf8) })
        }
    }

    @Test(
        "A value of proxy_pass that is not a URL of a server is answered with 500",
        arguments: [
            "", "http:", "http://", "http:///x", "ftp://a/x", "http://a:/x", "http://a:0/x", "http://a:70000/x",
            "http://a:b@c/", "http://[::1/x", "http://[::1]x/", "http://unix:", "http://unix::/x",
        ]
    )
    func invalid(_ value: String) throws {
        let engine = Engine(try RuleSet(text: "server { location / { proxy_pass $arg_u; } }"))
        let decision = engine.decide(RuleRequest(target: "/?u=\(value)", host: "a.test"))
        #expect(decision.kind == .respond && decision.status == 500)
    }

    // MARK: Random rules

    private static let servers = [
        "up.test", "up.test:81", "127.0.0.1:3000", "[::1]:8080", "api", "unix:/run/a.sock:",
    ]
    private static let pieces = ["$1", "/$1", "$1/x", "/y$1", "$uri", "/$uri$1", "$1?z=$1", "x$1", "$1#f"]

    /// A server whose rules have rewrites of all kinds, and each pass requests to one of the servers.
    private static func rules(_ random: inout SeededGenerator) -> String {
        var text = "upstream api { server 127.0.0.1:1; }\nserver {\n"
        if Bool.random(using: &random) {
            text += "rewrite ^/s(.*) \(pieces.randomElement(using: &random) ?? "") last;\n"
        }
        for name in ["/", "/p/", "/q"] {
            text += "location \(name) {\n"
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let flag = ["break", "last", ""].randomElement(using: &random) ?? ""
                text += "rewrite ^/[a-z]*/?(.*) \(pieces.randomElement(using: &random) ?? "") \(flag);\n"
            }
            let server = servers.randomElement(using: &random) ?? ""
            switch Int.random(in: 0...3, using: &random) {
            case 0: text += "proxy_pass http://\(server);\n"
            case 1: text += "proxy_pass http://\(server)/b/;\n"
            case 2: text += "set $u \"\(server)\"; proxy_pass http://$u;\n"
            default: break
            }
            text += "}\n"
        }
        return text + "}\n"
    }

    private static let parts = [
        "/", "p/", "q", "s", ".evil.test", ":3001", "@evil.test", "evil.test", "1", "%2e", "%3a", "%40", "%2f", "%23",
        "#", "?", "//", "\\", "..", "%5c", "[::2]", "x",
    ]

    @Test(
        "Whatever the client sends, the server that is asked is one that a rule names, and the host is the one judged"
    )
    func random() throws {
        var random = SeededGenerator(seed: 33)
        let named = Set(["up.test", "up.test:81", "127.0.0.1:3000", "[::1]:8080", "group api", "unix:/run/a.sock"])
        var forwarded = 0
        for _ in 0..<300 {
            let rules = Self.rules(&random)
            guard let set = try? RuleSet(text: rules) else { continue }
            let engine = Engine(set)
            for _ in 0..<20 {
                let count = Int.random(in: 0...6, using: &random)
                let path = (0..<count).map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
                let target = (path.hasPrefix("/") ? "" : "/") + path
                engine.withDecision(for: RuleRequest(target: target, host: "a.test")) { decision in
                    guard let sent = Sent(decision) else { return }
                    forwarded += 1
                    let isRight = decision.isUpstream ? named.contains(sent.server) : sent.server == "a.test"
                    #expect(isRight, "\(sent) of \(target) by\n\(rules)")
                    #expect(!sent.target.isEmpty && (decision.isUpstream || sent.target.hasPrefix("/")))
                    if decision.upstreamSocket == nil { Self.checkURL(of: decision, "\(target) by\n\(rules)") }
                }
            }
        }
        #expect(forwarded > 1000)
    }

    /// Checks that a parser finds the same host in the URL.
    private static func checkURL(of decision: borrowing DecisionView, _ context: String) {
        let authority = decision.withAuthority { String(repairing: $0) }
        let found = decision.withURL { (url) -> String? in
            let text = String(repairing: url)
            let rest = text.dropFirst("http://".count)
            return String(rest.prefix { !"/?#\\".contains($0) })
        }
        #expect(authority == found ?? nil, "\(context)")
    }
}
