import Shunt
import ShuntCore
import Testing

/// Matchers of whole URLs, asked about requests over HTTP.
@Suite("The port, the fragment and the scheme that a client writes")
struct PageFormTests {
    private static let rules = """
        block ^~ http://a.test/private/ 404;
        block = http://a.test/x 410;
        block ~ \\.exe(\\?|$) 451;
        match ^~ http://a.test/grouped/ { block ~ . 402; }
        match ^~ http://f.test/open/ { break; }
        block ^~ http://f.test/;
        block ^~ http://p.test:81/ 409;
        block ~ ^http://s\\.test/[^?]*// 405;
        match host e.test { match_spelling exact; block ^~ http://e.test/private/ 404; }
        """

    static let requests: [(target: String, host: String, status: Int?)] = [
        ("/private/x", "a.test", 404), ("/private/x", "a.test:8080", 404), ("/private/x", "A.test:1", 404),
        ("/x/../private/x", "a.test:1", 404), ("http://a.test:81/private/x", "a.test", 404),
        ("https://a.test/private/x", "a.test", 404), ("ftp://a.test/private/x", "a.test", 404),
        ("/x", "a.test", 410), ("/x#f", "a.test", 410), ("/x#", "a.test:99", 410), ("/x?q#f", "a.test", nil),
        ("/y.exe#f", "b.test", 451), ("/y.exe?a#f", "b.test:1", 451), ("/y.exer#.exe", "b.test", 451),
        ("/grouped/x", "a.test:1", 402), ("/open/x", "f.test:1", nil), ("/open/x", "f.test", nil),
        ("/other", "f.test:1", 403), ("https://f.test/other", "f.test", 403),
        ("/x", "p.test:81", 409), ("/x", "p.test:82", nil), ("/x", "p.test", nil),
        ("/private?", "q.test", nil), ("/x?", "a.test", 410), ("/x?#", "a.test", 410), ("/x?#f", "a.test:1", 410),
        ("/a//b", "s.test", 405), ("/a//b", "s.test:81", 405), ("/a/b", "s.test:81", nil),
        (#"/%70rivate/\/../secret"#, "a.test", 404), (#"/open\x/../private/secret"#, "a.test", 404),
        (#"/private/\/../secret"#, "a.test:81", 404), (#"/\private\x"#, "a.test", 404),
        ("/%70rivate//../secret", "a.test", 404), ("/private//../secret", "a.test:81", 404),
        ("/private/../secret", "a.test:81", 404), ("/other//private/x", "a.test", nil),
        ("/x//../private/x", "a.test", 404),
        ("/private/x", "e.test", 404), ("/private/x", "e.test:1", nil),
    ]

    @Test("They do not take a page from the rules that are for it", arguments: requests)
    func matchers(target: String, host: String, status: Int?) throws {
        for servers in ["", "server { listen 80; location / { return 204; } }"] {
            let rules = try RuleSet(text: Self.rules + "\n" + servers)
            let request = RuleRequest(target: target, host: host)
            var options = Engine.Options()
            options.isLinear = true
            let decision = Engine(rules).decide(request)
            #expect(decision == Engine(rules, options: options).decide(request))
            #expect(decision == Engine(rules).explain(request).decision)
            #expect((decision.kind == .block ? decision.status : nil) == status, "\(decision)")
        }
    }

    @Test(
        "A path that is for an open page in one reading only is refused",
        arguments: [
            (#"/open\x/../private/secret"#, 400), (#"/open\a"#, 400), ("/private//../open/a", 400),
            ("/open//a", nil), ("/open/a?", nil), ("/other//a", 403), (#"/other\a"#, 403),
        ] as [(String, Int?)]
    )
    func openPages(target: String, status: Int?) throws {
        for host in ["f.test", "f.test:81"] {
            let decision = Engine(try RuleSet(text: Self.rules)).decide(RuleRequest(target: target, host: host))
            #expect((decision.kind == .forward ? nil : decision.status) == status, "\(decision)")
        }
    }

    @Test("A request without a Host is one for any host", arguments: ["", "server { listen 80; return 204; }"])
    func noHost(servers: String) throws {
        let rules = "block ~ ^https?://[^/]+/admin 410;\nredirects l;\n\(servers)"
        let files = InMemoryFileSystem(["/r/a.conf": rules, "/r/l": "/gone 410\n/old /new\n/private/* 403\n"])
        let engine = Engine(try RuleSet(path: "/r", from: files))
        for (target, status) in [("/admin", 410), ("/gone", 410), ("/private/x", 403), ("/old", 301)] {
            var request = RuleRequest(target: target, host: nil)
            request.version = "1.0"
            let decision = engine.decide(request)
            #expect(decision.status == status, "\(target) \(decision)")
            if case .redirect(let redirect) = decision.action { #expect(redirect.location.hasSuffix("/new")) }
        }
    }

    @Test("A renamed host has no dot at its end")
    func finalDot() throws {
        let engine = Engine(try RuleSet(text: "rename_host *.old.test *.new.test;\nrename_host .both.test .one.test;"))
        for (url, renamed) in [
            ("https://a.old.test./x", "https://a.new.test"), ("kl://a.old.test./", "kl://a.new.test"),
            ("https://both.test./", "https://one.test"), ("https://a.both.test/", "https://a.one.test"),
        ] {
            guard case .forward(let forward) = engine.decide(RuleRequest(url: url)).action else {
                Issue.record("\(url)")
                continue
            }
            let text = forward.url
            #expect(text.hasPrefix(renamed + "/") || text.hasPrefix(renamed + "./"), "\(text)")
        }
    }

    @Test("A URL that is given whole has the port and the fragment that it is written with")
    func wholeURLs() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        #expect(engine.decide(RuleRequest(url: "http://a.test:81/private/x")).kind == .forward)
        #expect(engine.decide(RuleRequest(url: "http://a.test/x#f")).kind == .forward)
    }

    @Test("Rules that change the URL do not make a request over HTTP one over TLS")
    func scheme() throws {
        let rules = try RuleSet(
            text: """
                rename_host old.test a.test;
                if ($scheme = https) { block host c.test 402; }
                server {
                    listen 80;
                    if ($scheme = http) { return 301 https://$host$request_uri; }
                    return 200 "$scheme $https";
                }
                """
        )
        for target in ["/x", "https://old.test/x", "HTTPS://old.test/x"] {
            let decision = Engine(rules).decide(RuleRequest(target: target, host: "old.test"))
            #expect(decision.kind == .redirect && decision.status == 301, "\(target)")
        }
        #expect(Engine(rules).decide(RuleRequest(target: "https://c.test/", host: "c.test")).status != 402)
    }
}
