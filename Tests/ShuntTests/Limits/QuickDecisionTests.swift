import Shunt
import Testing

/// A decision that takes long is not made where others wait, and is the same where they do not.
@Suite struct QuickDecisionTests {
    private static let rules = """
        map "$arg_a$arg_a" $a0 { volatile; default ""; }
        map "$a0$a0$a0$a0$a0$a0$a0$a0" $a1 { volatile; default ""; }
        map "$a1$a1$a1$a1$a1$a1$a1$a1" $a2 { volatile; default ""; }
        map "$a2$a2$a2$a2$a2$a2$a2$a2" $a3 { volatile; default ""; }
        server {
            error_page 500 /instead;
            if ($uri ~ "^/(a+)+b$") { return 403; }
            location /variables { return 200 "$a3"; }
            location /endless { return 200 "$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3$a3"; }
            location /instead { return 204; }
            location / { return 200 ok; }
        }
        """

    @Test(arguments: [
        ("/", true, 200), ("/aab", true, 403), ("/aaac", true, 200),
        // Some hundred thousand steps, and more than there are.
        ("/" + String(repeating: "a", count: 14) + "bc", false, 200),
        ("/" + String(repeating: "a", count: 60) + "bc", false, 500),
        ("/variables", false, 200), ("/endless", false, 500),
    ])
    func isTheSame(target: String, isQuick: Bool, status: Int) throws {
        var options = Engine.Options()
        options.matchLimits = .gateway
        let engine = Engine(try RuleSet(text: Self.rules), options: options)
        let request = RuleRequest(target: target, host: "a.test")
        let whole = engine.decide(request)
        #expect(whole.status == status)
        // Twice, as an evaluation is used again.
        for _ in 0..<2 {
            let quick = engine.withQuickDecision(for: request) { $0.copy() }
            #expect((quick != nil) == isQuick)
            #expect(quick ?? whole == whole)
            let held = engine.hold(request)
            #expect(held.withView { $0.copy() } == whole)
            // Another decision meanwhile takes nothing away from it.
            #expect(engine.decide(RuleRequest(target: "/other", host: "a.test")).status == 200)
            #expect(held.withView { $0.copy() } == whole)
        }
    }

    @Test("Each row of a list that is for other clients is a step", arguments: [(400, true), (1500, false)])
    func rowsForOthers(count: Int, isQuick: Bool) throws {
        let rows = (0..<count).map { "/* /x\($0) 302 Country=c\($0)\n" }.joined() + "/* /y 302 Country=de\n"
        let directive = "redirects _redirects country=$http_x_country;"
        let files = InMemoryFileSystem(["/r/a.conf": directive, "/r/_redirects": rows])
        let engine = Engine(try RuleSet(path: "/r", from: files))
        var request = RuleRequest(url: "https://h.test/abc")
        request.headers = [.init("X-Country", "de")]
        #expect(engine.decide(request).status == 302)
        #expect((engine.withQuickDecision(for: request) { $0.kind } != nil) == isQuick)
    }

    @Test("Limits below those of a quick decision are its own")
    func lowLimits() throws {
        var options = Engine.Options()
        options.matchLimits = MatchLimits(steps: 1000)
        let engine = Engine(try RuleSet(text: Self.rules), options: options)
        let request = RuleRequest(target: "/" + String(repeating: "a", count: 12) + "bc", host: "a.test")
        #expect(engine.decide(request).kind == .fail)
        #expect(engine.hold(request).withView { $0.kind } == .fail)
    }
}
