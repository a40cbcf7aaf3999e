#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import Testing

/// `proxy_redirect`, compared with a real nginx with the same rules and the same answers of the upstream.
@Suite("Redirects of an upstream")
struct ProxyRedirectTests {
    /// Rules whose `{up}` is an upstream, and requests, each with the header that the upstream answers with.
    struct Case: Sendable, CustomTestStringConvertible {
        var rules: String
        var asked: [(target: String, answer: String)]

        var testDescription: String { rules }

        init(_ rules: String, _ asked: [(target: String, answer: String)]) {
            self.rules = rules
            self.asked = asked
        }

        /// Each target with each answer.
        init(_ rules: String, _ targets: [String], _ answers: [String]) {
            self.rules = rules
            asked = []
            for target in targets { for answer in answers { asked.append((target, answer)) } }
        }
    }

    private static let usual: [Case] = [
        Case(
            "location / { proxy_pass http://{up}; }",
            ["/a"],
            [
                "Location: http://{up}/a?b=c#d", "Location: http://{up}/", "Location: http://{up}",
                "Location: http://{up}x/", "Location: HTTP://{up}/a", "Location: https://{up}/a", "Location: /a",
                "Location: //b/a", "Location: http://other.test/a", "Location: a", "location: http://{up}/http://{up}/",
                "Refresh: 5; url=http://{up}/a", "Refresh: 5;URL=http://{up}/a; url=http://{up}/b", "Refresh: 5",
                "Refresh: http://{up}/a", "Refresh: 1; url=/a", "Refresh: 1; url=", "refresh: uRl=http://{up}/",
                "X-Location: http://{up}/a", "Content-Location: http://{up}/a", "Link: <http://{up}/a>",
            ]
        ),
        Case(
            """
            location /one/ { proxy_pass http://{up}/two/; }
            location /path { proxy_pass http://{up}/to; }
            location = /exact { proxy_pass http://{up}/f; }
            location ^~ /first/ { proxy_pass http://{up}/; }
            location ~ ^/r { proxy_pass http://{up}; }
            location /n { error_page 418 = @n; return 418; }
            location @n { proxy_pass http://{up}; }
            location /spelled { proxy_pass HTTP://{up}/X; }
            """,
            [
                ("/one/x", "Location: http://{up}/two/y?z"), ("/one/x", "Location: http://{up}/two"),
                ("/one/x", "Location: http://{up}/"), ("/one/x", "Location: /two/y"),
                ("/one/x", "Refresh: 0;url=http://{up}/two/y"), ("/path", "Location: http://{up}/tooth"),
                ("/exact", "Location: http://{up}/f"), ("/exact", "Location: http://{up}/fgh"),
                ("/first/x", "Location: http://{up}/two/"), ("/r", "Location: http://{up}/r"),
                ("/n", "Location: http://{up}/n"), ("/spelled", "Location: http://{up}/X"),
                ("/spelled", "Location: HTTP://{up}/Xy"),
            ]
        ),
        Case(
            """
            location / { proxy_pass http://shop; }
            location /base/ { proxy_pass http://shop/b/; }
            location /said/ { proxy_pass http://shop/; proxy_redirect default; }
            """,
            [
                ("/a", "Location: http://shop/a"), ("/a", "Location: http://shop:80/a"),
                ("/a", "Location: http://{up}/a"), ("/base/", "Location: http://shop/b/c"),
                ("/base/", "Location: http://shop/c"), ("/said/", "Location: http://shop/c"),
            ]
        ),
        // With variables there is nothing to derive.
        Case(
            """
            set $to {up};
            location / { proxy_pass http://$to; }
            location /uri/ { proxy_pass http://{up}$request_uri; proxy_redirect http://{up}/ /x/; }
            """,
            [("/a", "Location: http://{up}/a"), ("/uri/", "Location: http://{up}/a")]
        ),
    ]

    private static let inherited: [Case] = [
        Case(
            """
            proxy_redirect http://{up}/ /server/;
            location / { proxy_pass http://{up}; }
            location /own { proxy_pass http://{up}; proxy_redirect http://{up}/own /mine; }
            location /off { proxy_pass http://{up}; proxy_redirect off; location /off/in { proxy_pass http://{up}; } }
            location /default { proxy_pass http://{up}; proxy_redirect default; proxy_redirect http://b.test/ /b/; }
            location /variable { set $to {up}; proxy_pass http://$to; }
            """,
            ["/", "/own", "/off", "/off/in", "/default", "/variable"],
            ["Location: http://{up}/own", "Location: http://b.test/x"]
        ),
        Case(
            """
            proxy_redirect off;
            location / { proxy_pass http://{up}; }
            location /own {
                proxy_pass http://{up};
                proxy_redirect http://{up}/ /own/;
                location /own/in { proxy_pass http://{up}; }
            }
            """,
            ["/", "/own", "/own/in"],
            ["Location: http://{up}/a"]
        ),
        // What a location derives goes to those inside of it.
        Case(
            """
            location /out/ {
                proxy_pass http://{up}/a/;
                location /out/in/ { proxy_pass http://{up}/b/; }
            }
            location /if { proxy_pass http://{up}; if ($arg_x) { proxy_pass http://shop; } }
            location /own { if ($arg_x) { proxy_pass http://{up}; } }
            location /limit { limit_except POST { proxy_pass http://{up}; } proxy_pass http://shop; }
            """,
            ["/out/", "/out/in/", "/if", "/if?x=1", "/own?x=1", "/limit"],
            ["Location: http://{up}/a/x", "Location: http://{up}/b/x", "Location: http://shop/x"]
        ),
    ]

    private static let pairs: [Case] = [
        Case(
            """
            location / {
                proxy_pass http://{up};
                proxy_redirect http://{up}/a/ /b/;
                proxy_redirect http://{up}/ https://x.test/y/;
                proxy_redirect /rel/ /was/;
                proxy_redirect / /under/;
            }
            location /all { proxy_pass http://{up}; proxy_redirect "" /all-; }
            location /away { proxy_pass http://{up}; proxy_redirect http://{up} ""; }
            location /twice { proxy_pass http://{up}; proxy_redirect http://{up} $host/; proxy_redirect off x; }
            """,
            ["/", "/all", "/away", "/twice"],
            ["http://{up}/a/c", "http://{up}/d", "/rel/e", "/e", "e", "http://z.test/", "off"]
                .flatMap { ["Location: \($0)", "Refresh: 3; url=\($0)"] }
        ),
        Case(
            """
            location / {
                proxy_pass http://{up};
                proxy_redirect http://$arg_from/ http://$host:$server_port/$arg_to/;
                proxy_redirect https://{up}/ $scheme://$http_host/;
            }
            location ~ ^/captures/(\\w+)(?<rest>/.*)$ {
                set $set by-rule;
                proxy_pass http://{up};
                proxy_redirect http://{up}/$1/ /$set$rest/;
                proxy_redirect http://c.test$rest /$1;
            }
            """,
            [
                ("/?from=b.test&to=c", "Location: http://b.test/x"), ("/?from=b.test", "Location: http://b.test/x"),
                ("/?to=c", "Location: http:///x"), ("/?from=b.test", "Location: https://{up}/x"),
                ("/captures/one/two", "Location: http://{up}/one/x"), ("/captures/one/two", "Location: http://{up}/x"),
                ("/captures/one/two", "Refresh: 0; url=http://c.test/two?x"),
            ]
        ),
        Case(
            """
            location / {
                proxy_pass http://{up};
                proxy_redirect ~^(http://[^:/]+):\\d+(/.+)$ $1$2;
                proxy_redirect ~*^HTTP://(?<name>\\w+)\\.test/(x)?(.*) https://$host/$name/$2/$3/$arg_a-$1;
                proxy_redirect ~/end$ /done;
                proxy_redirect end:// start://;
            }
            location /first {
                proxy_pass http://{up};
                proxy_redirect ~no$ /no;
                proxy_redirect ~. /any;
                proxy_redirect / /never;
            }
            location /part { proxy_pass http://{up}; proxy_redirect ~(.)test $1; }
            """,
            [
                ("/", "Location: http://{up}/a"), ("/", "Location: http://{up}/"), ("/", "Location: HTTP://b.test:1/"),
                ("/?a=1", "Location: http://b.test/xyz"), ("/?a=1", "Location: Http://B.TEST/yz"),
                ("/", "Location: other/end"), ("/", "Location: end://x"), ("/", "Location: ftp://x"),
                ("/", "Refresh: 1; url=http://{up}/a"), ("/", "Refresh: 1; url=other/end"), ("/first", "Location: /a"),
                ("/first", "Location: no"), ("/part", "Location: http://a.test/b"),
                ("/part", "Refresh: test; url=http://a.test/b"),
            ]
        ),
    ]

    private static let absolute: [Case] = [
        ("", "/a"), ("absolute_redirect off;", "/a"), ("port_in_redirect off;", "/a"),
        ("server_name_in_redirect on; server_name S.test;", "/a"), ("", "//a"),
    ]
    .map { settings, to in
        Case(
            "\(settings) location / { proxy_pass http://{up}; proxy_redirect http://{up}/ \(to)/; }",
            ["/"],
            ["Location: http://{up}/b", "Refresh: 0; url=http://{up}/b", "Location: /b"]
        )
    }

    /// Sends the requests over one connection, and returns the headers that came.
    private static func answers(_ example: Case, port: UInt16, up: String) throws -> [String] {
        var connection = try TestConnection(port: port)
        return try example.asked.map { target, answer in
            let sent = answer.replacing("{up}", with: up)
            try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test:99\r\nX-Answer: \(sent)\r\n\r\n")
            guard let response = try connection.response() else { throw TestProblem("no response to \(target)") }
            let fields = response.headers
                .filter { header in ["location", "refresh", "link"].contains { header.name.lowercased().hasSuffix($0) }
                }
                .map { "\($0.name.lowercased()): \($0.value.replacing(":\(port)", with: ":PORT"))" }
            return "\(target) \(sent) -> \(response.status) \(fields)"
        }
    }

    private static func upstream() throws -> TestUpstream {
        try TestUpstream { .text("ok", status: "302 Found", headers: [$0["x-answer"] ?? "X-None: 1"]) }
    }

    @Test("As nginx passes them on", arguments: usual + inherited + pairs + absolute)
    func agreesWithNginx(_ example: Case) async throws {
        let upstream = try Self.upstream()
        let up = "127.0.0.1:\(upstream.port)"
        let rules = """
            upstream shop { server {up}; }
            server { listen 80; \(example.rules) }
            """
            .replacing("{up}", with: up)
        var mine: [String] = []
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            mine = try await Blocking.run { try Self.answers(example, port: gateway.port, up: up) }
        }
        #expect(mine.count == example.asked.count)
        guard NginxProcess.executable != nil else { return }
        let expected = try await Blocking.run {
            try RealNginx.with(rules) { try Self.answers(example, port: $0, up: up) }
        }
        #expect(mine == expected)
    }

    /// Directives that are right and wrong in nginx are so here; another test is for messages with their place.
    static let directives: [(rules: String, isRight: Bool)] = [
        ("location / { proxy_pass http://127.0.0.1:1; proxy_redirect default; proxy_redirect default; }", true),
        ("location / { proxy_redirect default; proxy_pass http://127.0.0.1:1; }", false),
        ("proxy_redirect default; location / { proxy_pass http://127.0.0.1:1; }", false),
        ("location / { proxy_pass http://127.0.0.1:1$uri; proxy_redirect default; }", false),
        ("location / { proxy_pass http://127.0.0.1:1; location /a { proxy_redirect default; } }", false),
        ("proxy_redirect off; proxy_redirect off;", false), ("proxy_redirect a b; proxy_redirect off;", false),
        ("proxy_redirect off; proxy_redirect a b;", false), ("proxy_redirect a b; proxy_redirect a b;", true),
        ("proxy_redirect Off;", false), ("proxy_redirect a;", false), ("proxy_redirect a b c;", false),
        ("proxy_redirect;", false), ("proxy_redirect ~ b;", true), ("proxy_redirect ~( b;", false),
        ("proxy_redirect ~*[ b;", false), ("proxy_redirect a $;", false), ("proxy_redirect $nothing b;", false),
        ("proxy_redirect ~a(?<named>b) $named;", true), ("proxy_redirect \"\" \"\";", true),
        ("location / { if ($uri) { proxy_redirect a b; } }", false),
    ]

    @Test("Right and wrong as in nginx", arguments: directives)
    func isRight(_ directives: String, _ isRight: Bool) throws {
        let rules = "server { listen 127.0.0.1:8080; \(directives) }"
        let ruleSet = try? RuleSet(text: rules)
        #expect((ruleSet != nil) == isRight)
        guard NginxProcess.executable != nil else { return }
        let process = try NginxProcess()
        try process.configure("access_log off; " + rules, connections: 16)
        let refusal = try process.refusalByTest()
        #expect((refusal == nil) == isRight, "\(refusal ?? "")")
    }

    @Test("No value splits the head of an answer, and none leads a browser astray")
    func isSafe() async throws {
        let upstream = try Self.upstream()
        let rules = """
            server {
                listen 80;
                location /uri { proxy_pass \(upstream.url)/; proxy_redirect \(upstream.url)/ https://x.test$uri/; }
                location /bare/ { absolute_redirect off; proxy_pass \(upstream.url)/; proxy_redirect \(upstream.url)/ /; }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let split = try await gateway.get(
                "/uri%0d%0aX-Split:%01",
                headers: ["X-Answer: Location: \(upstream.url)/"]
            )
            #expect(split["location"] == "https://x.test/uri%0D%0AX-Split:%01/")
            #expect(split["x-split"] == nil)
            for path in ["/b.test/", "\\b.test/"] {
                let answer = "X-Answer: Location: \(upstream.url)/\(path)"
                let astray = try await gateway.get("/bare/", headers: [answer])
                #expect(astray["location"] == "http://a.test:\(gateway.port)/\(path)")
            }
            let relative = try await gateway.get("/bare/", headers: ["X-Answer: Location: \(upstream.url)/b"])
            #expect(relative["location"] == "/b")
        }
    }

    @Test("Variables have the values of the request; a map sees no group of the expression")
    func variablesOfTheRequest() async throws {
        let upstream = try Self.upstream()
        let rules = """
            map $page $section { shop yes; default no; }
            server {
                listen 80;
                location / {
                    proxy_pass \(upstream.url);
                    proxy_redirect ~/(?<page>\\w+)$ https://x.test/$page/$section/$upstream_http_location;
                }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let answer = try await gateway.get("/", headers: ["X-Answer: Location: /shop"])
            #expect(answer["location"] == "https://x.test/shop/no/")
        }
    }

    @Test("A client sees the scheme and the port of the proxy that it asked")
    func behindAProxy() async throws {
        let upstream = try Self.upstream()
        let rules = "server { listen 80; location / { proxy_pass \(upstream.url); } }"
        let headers = ["X-Answer: Location: \(upstream.url)/b", "X-Forwarded-Proto: https"]
        for trusted in [true, false] {
            try await RunningGateway.with(
                ["rules.conf": rules],
                options: RunningGateway.Change {
                    if trusted { _ = $0.trustedProxies.trust("127.0.0.1") }
                }
            ) { gateway in
                let answer = try await gateway.get("/", headers: headers)
                let origin = trusted ? "https://a.test" : "http://a.test:\(gateway.port)"
                #expect(answer["location"] == origin + "/b")
            }
        }
    }
}
#endif
