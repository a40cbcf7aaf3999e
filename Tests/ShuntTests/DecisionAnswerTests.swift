import ShuntCore
import Testing

@testable import Shunt

/// The answer of a decision: what every server sends for it.
@Suite struct DecisionAnswerTests {
    static let rules = """
        block ~ ^http://[^/]*/blocked 410;
        degrade ^~ kl://pay/ https://m.test/pay;
        server {
            absolute_redirect off;
            add_header X-Usual 1;
            add_header X-Always 2 always;
            add_header content-LENGTH 99 always;
            add_header Transfer-Encoding chunked always;
            add_header Connection upgrade always;
            location = /go { add_header location /other always; return 308 /new; }
            location = /text { return 200 text; }
            location = /none { return 204; }
            location = /status { return 418; }
            location = /kept { expires 1h; return 200 kept; }
            location = /never { expires epoch; return 301 /new; }
            location = /close { return 444; }
            location = /loop { rewrite ^ /loop; }
        }
        """

    @Test(
        "Status, headers and body",
        arguments: [
            ("http://a.test/go", 308, ["Location: /new"], nil),
            ("http://a.test/text", 200, ["Content-Type: text/plain", "X-Usual: 1", "X-Always: 2"], "text"),
            ("http://a.test/none", 204, ["X-Usual: 1", "X-Always: 2"], nil),
            ("http://a.test/status", 418, ["X-Always: 2"], nil),
            ("http://a.test/blocked", 410, [], nil),
            ("kl://pay/x", 302, ["Location: https://m.test/pay"], nil),
            (
                "http://a.test/kept", 200,
                [
                    "Expires: Thu, 01 Jan 1970 01:00:10 GMT", "Cache-Control: max-age=3600",
                    "Content-Type: text/plain", "X-Usual: 1", "X-Always: 2",
                ], "kept"
            ),
            (
                "http://a.test/never", 301,
                [
                    "Expires: Thu, 01 Jan 1970 00:00:01 GMT", "Cache-Control: no-cache", "X-Usual: 1", "X-Always: 2",
                    "Location: /new",
                ], nil
            ),
        ] as [(String, Int, [String], String?)]
    )
    func answers(url: String, status: Int, headers: [String], body: String?) throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        let (lent, copied) = engine.withDecision(for: RuleRequest(url: url)) {
            ($0.answer(at: Timestamp(seconds: 10)), $0.copy().answer)
        }
        let lines = try #require(lent).headers.map { "\($0.name): \($0.value)" }
        #expect(lent?.status == status && lines == headers && lent?.bodyBytes == body.map { Array($0.utf8) })
        #expect(copied?.status == status && copied?.bodyBytes == lent?.bodyBytes)
        let stays = lent?.headers.filter { !["Expires", "Cache-Control"].contains($0.name) }
        #expect(copied?.headers == stays)
    }

    @Test("A request that continues has none, but additions without framing")
    func forwarded() throws {
        let decision = Engine(try RuleSet(text: Self.rules)).decide(RuleRequest(url: "http://a.test/x"))
        #expect(decision.answer == nil)
        #expect(decision.additions(for: 200).map(\.name) == ["X-Always", "X-Usual"])
        #expect(decision.additions(for: 404).map(\.name) == ["X-Always"])
    }

    @Test("A connection that is to be closed has no status, and a failure has a reason")
    func withoutStatus() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        let closed = try #require(engine.decide(RuleRequest(url: "http://a.test/close")).answer)
        #expect(closed.status == nil)
        let failed = try #require(engine.decide(RuleRequest(url: "http://a.test/loop")).answer)
        #expect(failed.status == 500 && failed.reason?.isEmpty == false && failed.body == nil)
        // No rules can express this, but a decision of a service's own can.
        let odd = Decision(.respond(.init(status: 42, location: nil, body: nil, headers: [])))
        #expect(odd.answer?.status == 500)
    }
}
