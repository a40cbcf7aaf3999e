import Shunt
import Testing

/// A request whose values outgrow their limit fails, whatever is after the rule that blocks it.
@Suite struct ValueGrowthTests {
    /// A way to make a value that is some eighty times as long as what the client sent.
    struct Growth: Sendable, CustomTestStringConvertible {
        var name: String
        /// Directives outside of servers.
        var definitions = ""
        /// Directives of the server, before the blocking one.
        var rules = ""
        /// The variable that has the value.
        var variable = "$big"
        /// True if the URL phase knows the value.
        var isKnownToURLs = true
        /// True if the value is made of what is in a header.
        var isInHeaders = false

        var testDescription: String { name }
    }

    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count)
    }

    static let growths = [
        Growth(name: "map", definitions: "map $arg_x $big { default \"\(times(80, "$uri"))\"; }"),
        Growth(name: "map of the target", definitions: "map $arg_x $big { default \"\(times(80, "$request_uri"))\"; }"),
        Growth(
            name: "map that is computed each time",
            definitions: "map $arg_x $big { volatile; default \"\(times(80, "$uri"))\"; }"
        ),
        Growth(
            name: "maps of maps",
            definitions: """
                map $arg_x $some { default "\(times(9, "$uri"))"; }
                map $arg_x $big { default "\(times(9, "$some"))"; }
                """
        ),
        Growth(
            name: "map of a capture",
            definitions: "map $uri $big { ~^(.*)$ \"\(times(80, "$1"))\"; }"
        ),
        Growth(
            name: "map of a named capture",
            definitions: "map $uri $big { ~^(?<all>.*)$ \"\(times(80, "$all"))\"; }"
        ),
        Growth(
            name: "map of a header",
            definitions: "map $arg_x $big { default \"\(times(80, "$http_x_long"))\"; }",
            isInHeaders: true
        ),
        Growth(
            name: "map of a cookie",
            definitions: "map $arg_x $big { default \"\(times(80, "$cookie_long"))\"; }",
            isInHeaders: true
        ),
        Growth(
            name: "source of a geo",
            definitions:
                "geo $long $big { default /aaa; 127.0.0.1 /aaa; }\nmap $arg_x $long { default \"\(times(80, "$uri"))\"; }"
        ),
        Growth(
            name: "source of split_clients",
            definitions: "split_clients \"\(times(80, "$uri"))\" $big { * /aaa; }"
        ),
        Growth(name: "set", rules: "set $big \"\(times(80, "$uri"))\";", isKnownToURLs: false),
        Growth(
            name: "set of a capture",
            rules: "if ($uri ~ ^(.*)$) { set $big \"\(times(80, "$1"))\"; }",
            isKnownToURLs: false
        ),
        Growth(
            name: "rewrites",
            rules: times(4, "rewrite ^(.*)$ \"\(times(8, "$1"))\";\n"),
            variable: "$uri",
            isKnownToURLs: false
        ),
        Growth(
            name: "arguments of rewrites",
            rules: times(3, "rewrite ^(.*)$ /aaa?\(times(40, "$1$args"));\n"),
            variable: "$args",
            isKnownToURLs: false
        ),
        Growth(
            name: "arguments that are set",
            rules: "set $args \"\(times(80, "$uri"))\";",
            variable: "$args",
            isKnownToURLs: false
        ),
    ]

    /// Ways to block a request by the value, whose variable is written as `BIG`.
    static let blocks = [
        "if (BIG ~ aaa) { return 403; }",
        "if (BIG !~ zzz) { return 403; }",
        "if (BIG) { return 403; }",
        "if (BIG != zzz) { return 403; }",
        "if ($blocked) { return 403; }",
        "if (BIG ~ aaa) { return 403 \"no: BIG\"; }",
        "if (BIG ~ aaa) { rewrite ^ /blocked last; }",
        "set $seen \"BIG\"; if ($seen ~ aaa) { return 403; }",
        "add_header X-Seen \"BIG\" always; if (BIG ~ aaa) { return 403; }",
    ]

    /// The rules of the server for everything else.
    static let others = [
        "",
        "return 200 ok;",
        "return 301 https://b.test/;",
        "rewrite ^ /b break;",
        "rewrite ^ https://b.test/ permanent;",
        "location / { return 200 \"BIG\"; }",
        "location / { proxy_pass http://127.0.0.1:1; }",
        "location / { proxy_pass http://127.0.0.1:1$uri; }",
        "location / { try_files /no /b; }\nlocation = /b { return 200 b; }",
        "error_page 500 =200 /ok;\nlocation = /ok { return 200 ok; }",
    ]

    /// Returns true for requests that are let through, or answered with a success.
    static func letsThrough(_ decision: Decision) -> Bool {
        switch decision.kind {
        case .forward, .redirect, .degrade: true
        case .respond: (decision.status ?? 200) < 400
        case .block, .fail: false
        }
    }

    /// A request with so many bytes where the value looks for them, as a target and as a URL.
    static func requests(_ length: Int, _ growth: Growth) -> [RuleRequest] {
        let long = String(repeating: "a", count: length)
        let path = growth.isInHeaders ? "/aaa" : "/aaa\(long)"
        let value = growth.isInHeaders ? "aaa\(long)" : "aaa"
        return [RuleRequest(target: path, host: "a.test"), RuleRequest(url: "http://a.test\(path)")]
            .map { request in
                var request = request
                request.headers = [
                    growth.name == "map of a cookie"
                        ? RuleRequest.Header("Cookie", "long=\(value)") : RuleRequest.Header("X-Long", value)
                ]
                return request
            }
    }

    /// Decides about a short and a long request by rules, in which `BIG` stands for the variable that grows: none is let through.
    private static func expectBlocked(_ rules: String, _ growth: Growth, length: Int, explained: Bool) throws {
        let text = """
            \(growth.definitions)
            map \(growth.variable) $blocked { default 0; ~aaa 1; }
            \(rules)
            """
            .replacing("BIG", with: growth.variable)
        let engine = Engine(try RuleSet(text: text))
        for length in [0, length] {
            for request in requests(length, growth) {
                let decision = engine.decide(request)
                #expect(!letsThrough(decision), "\(rules), \(length) bytes: \(decision)")
                if explained { #expect(engine.explain(request).decision == decision) }
            }
        }
    }

    @Test("Rules that block a short request let no long one through", arguments: growths)
    func servers(_ growth: Growth) throws {
        for (number, block) in Self.blocks.enumerated() {
            // Every block meets every other rule, but not with each way to grow: there are too many.
            let shift = growth.name.utf8.count + number
            let others = Self.others.indices.filter { ($0 + shift).isMultiple(of: 5) }.map { Self.others[$0] }
            // Most values outgrow their limit by the longer one only.
            for (other, length) in zip(others, number.isMultiple(of: 2) ? [6_000, 60_000] : [60_000, 6_000]) {
                let rules = """
                    server {
                    server_name a.test;
                    \(growth.rules)
                    \(block)
                    \(other)
                    location /blocked { return 403; }
                    }
                    """
                try Self.expectBlocked(rules, growth, length: length, explained: number == 0)
            }
        }
    }

    @Test("A rule on whole URLs lets no long one through either", arguments: growths.filter(\.isKnownToURLs))
    func urls(_ growth: Growth) throws {
        for block in [
            "if (BIG ~ aaa) { block ^~ http:; }", "if ($blocked) { block ^~ http:; }",
            "set $seen \"BIG\"; if ($seen ~ aaa) { block ^~ http:; }",
        ] {
            for (number, other) in [
                "", "rewrite_url ^http://a.test/(.*)$ http://b/x break;", "degrade ^~ http: https://b.test/;",
                "rewrite_url ^http: https://b.test/ permanent;", "route http://a.test/*rest rest;",
            ]
            .enumerated() {
                let length = number.isMultiple(of: 2) ? 60_000 : 6_000
                try Self.expectBlocked("\(block)\n\(other)", growth, length: length, explained: false)
            }
        }
    }
}
