import ShuntCore
import ShuntRouting
import Testing

@testable import ShuntRules

/// The phases one by one, each from the state that it finds to the state that it leaves.
@Suite struct PhaseTests {
    private static func evaluation(_ rules: String) throws -> Evaluation {
        Evaluation(try RuleSet(text: rules).program)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "The URL phase leaves a URL, or decides",
        arguments: [
            ("rename_host a b; block host a;", "kl://a/x", "undecided", "kl://b/x"),
            ("rewrite_url ^kl://(.*)$ x://$1 last; block ~ ^x:;", "kl://a/x", "undecided", "x://a/x"),
            ("block host a;", "kl://a/x", "block", "kl://a/x"),
            ("degrade ~ ^kl: https://m.test/;", "kl://a/x", "degrade", "kl://a/x"),
            ("match ~ ^kl: { block ~ /y; }", "kl://a/x", "undecided", "kl://a/x"),
            ("server { }", "kl://a/x", "undecided", "kl://a/x"),
        ]
    )
    func urlPhase(rules: String, url: String, end: String, left: String) throws {
        var evaluation = try Self.evaluation(rules)
        evaluation.url.range = try evaluation.append(Array(url.utf8))
        try evaluation.parseURL()
        let isDecided = try evaluation.runURLPhase() == .decided
        let kind = evaluation.outcome.action.rawValue
        let bytes = evaluation.arena.array(evaluation.url.range)
        #expect((isDecided ? kind : "undecided") == end)
        #expect(Self.text(bytes) == left)
    }

    @Test(
        "A server is chosen by its name",
        arguments: [
            ("a.test", "a.test"), ("x.b.test", "b.test"), ("b.test", "b.test"), ("c7.test", "~^c\\d"),
            ("d.test", "_"),
            ("", "_"),
        ]
    )
    func server(host: String, chosen: String) throws {
        var evaluation = try Self.evaluation(
            """
            server { server_name _; }
            server { server_name a.test; }
            server { server_name .b.test; }
            server { server_name "~^c\\d"; }
            """
        )
        evaluation.server.listen = .first
        evaluation.server.host = try evaluation.append(Array(host.utf8))
        try evaluation.selectServer()
        let name = evaluation.program.tables.servers[evaluation.server.index].name
        #expect(Self.text(name) == chosen)
    }

    @Test(
        "A location is found for a path",
        arguments: [
            ("/", "/", "locationRewrite"), ("/exact", "= /exact", "locationRewrite"),
            ("/exactly", "/", "locationRewrite"),
            ("/a/b", "/a/", "locationRewrite"), ("/a/b.php", "~ \\.php$", "locationRewrite"),
            ("/static/b.php", "^~ /static/", "locationRewrite"), ("/inside", "/inside", "status(404)"),
            ("/proxy", "/proxy/", "status(301)"),
        ]
    )
    func location(path: String, found: String, next: String) throws {
        var evaluation = try Self.evaluation(
            """
            server {
                location / { }
                location = /exact { }
                location /a/ { }
                location ^~ /static/ { }
                location /inside { internal; }
                location /proxy/ { proxy_pass http://up.test; }
                location ~ \\.php$ { }
            }
            """
        )
        evaluation.server.index = .first
        evaluation.useServerSettings()
        evaluation.server.uri = try evaluation.append(Array(path.utf8))
        let step = try evaluation.findLocation()
        let location = evaluation.program.tables.locations[evaluation.server.location].text
        #expect(location == found)
        #expect("\(step)" == next)
    }

    @Test(
        "An error page takes a status",
        arguments: [
            ("error_page 404 /missing;", 404, 404, "/missing"), ("error_page 404 =410 /gone?x=1;", 404, 410, "/gone"),
            ("error_page 404 =200 /missing;", 405, 405, nil), ("", 494, 400, nil),
            ("error_page 404 https://b.test/;", 404, 302, "redirect"),
        ]
    )
    func errorPage(rules: String, status: Int, answered: Int, taken: String?) throws {
        var evaluation = try Self.evaluation("server { \(rules) }")
        evaluation.server.index = .first
        evaluation.useServerSettings()
        let step = try evaluation.errorPage(for: Int32(status))
        let answeredStatus = Int(evaluation.answer.errorStatus)
        let action = evaluation.outcome.action
        let uri = evaluation.arena.array(evaluation.server.uri)
        #expect(answeredStatus == answered)
        #expect((step == nil) == (taken == nil))
        if let taken { #expect((action == .redirect ? "redirect" : Self.text(uri)) == taken) }
    }

    @Test(
        "A route is found for the URL that the rules left",
        arguments: [
            ("http://a.test/item/7", "item"), ("http://a.test/item/x", nil), ("http://a.test/item/7/", "item"),
            ("kl://pay/9?x=1", "pay"), ("kl://other/9", nil),
        ]
    )
    func route(url: String, name: String?) throws {
        var evaluation = try Self.evaluation("route GET /item/:id(uint) item; route kl://pay/:id pay;")
        let range = try evaluation.append(Array(url.utf8))
        evaluation.server.methodKind = .get
        evaluation.answer.outcome.url = range
        evaluation.answer.outcome.hasURL = true
        evaluation.answer.outcome.parts = RouteSubject(splitting: Array(url.utf8).span)
        try evaluation.findRoute()
        let decision = evaluation.decision
        #expect(decision.route == name)
    }
}

extension PhaseTests {
    @Test("A request that intake refuses reaches no rule")
    func intake() throws {
        var evaluation = try Self.evaluation("block ~ .; server { return 200; }")
        for url in ["no url", "http://[::1/", ""] {
            evaluation.evaluate(RuleRequest(url: url))
            let outcome = evaluation.outcome
            #expect(outcome.action == .fail && outcome.status == 400, "\(url)")
        }
    }
}
