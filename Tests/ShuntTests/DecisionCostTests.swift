import CAllocationCounter
import Shunt
import ShuntCore
import Testing

/// Allocations of a decision.
///
/// An optimized build allocates nothing; without optimization the language itself allocates a few times for each request,
/// and what is tested is that neither rules nor bytes add to it.
@Suite struct DecisionCostTests {
    static func rules(_ count: Int) -> String {
        var lines = ["server {", "server_name a.test;"]
        for number in 0..<count {
            lines.append("rewrite ^/old/section-\(number)/(.*)$ /new/section-\(number)/$1 last;")
            lines.append("rewrite \"^/(en|de)/(\\d{4})/post-\(number)/?$\" /posts/\(number)/$2 last;")
        }
        lines += [
            "location /moved/ { return 301 https://b.test$request_uri; }", "location = /gone { return 410; }", "}",
        ]
        lines += ["route GET /news/:id item;", "route GET /new/*rest new;"]
        return lines.joined(separator: "\n")
    }

    @Test(
        "A request that no rule touches is decided without an allocation",
        arguments: [
            "/untouched/page.html", "/news/17?utm=1", "/old/section-x/page", "/a//b/../c%20d?x=%41", "/",
            "/en/2024/post-/",
        ]
    )
    func untouched(_ target: String) throws {
        let request = RuleRequest(target: target, host: "a.test")
        let many = Engine(try RuleSet(text: Self.rules(500)))
        #expect(many.decide(request).kind == .forward)
        let count = allocations(many, request)
        #if DEBUG
        let few = Engine(try RuleSet(text: Self.rules(2)))
        #expect(count == allocations(few, request))
        #else
        #expect(count == 0)
        #endif
    }

    @Test(
        "A request that a rule changes is decided without an allocation too, until it is copied",
        arguments: ["/old/section-1/a/b.html", "/de/2024/post-1"]
    )
    func changed(_ target: String) throws {
        let request = RuleRequest(target: target, host: "a.test")
        let many = Engine(try RuleSet(text: Self.rules(500)))
        #expect(many.decide(request).rule != nil)
        let count = allocations(many, request)
        #if DEBUG
        let few = Engine(try RuleSet(text: Self.rules(2)))
        #expect(count == allocations(few, request))
        #else
        #expect(count == 0)
        #endif
    }

    @Test("URLs of other schemes, with rules on whole URLs, are decided without an allocation")
    func urls() throws {
        func rules(_ count: Int) -> String {
            (0..<count).map { "rewrite_url ^kl://old\($0)/(.*)$ kl://new\($0)/$1;" }.joined(separator: "\n")
                + "\nblock host *.ads.test;\nroute kl://page/:id page;\n"
        }
        let many = Engine(try RuleSet(text: rules(500)))
        for url in ["kl://page/12?from=push", "kl://old7/12?from=push"] {
            let count = allocations(many, RuleRequest(url: url))
            #if DEBUG
            let few = Engine(try RuleSet(text: rules(10)))
            #expect(count == allocations(few, RuleRequest(url: url)))
            #else
            #expect(count == 0)
            #endif
        }
    }

    @Test("Rows for other clients are skipped without an allocation")
    func rowsForOthers() throws {
        let many = try Self.list(500)
        var request = RuleRequest(url: "https://h.test/abc")
        request.headers = [.init("X-Country", "at, de")]
        #expect(many.decide(request).kind == .forward)
        let count = allocations(many, request)
        #if DEBUG
        #expect(count == allocations(try Self.list(2), request))
        #else
        #expect(count == 0)
        #endif
    }

    /// A list of rows that match every path, each for clients of another country.
    private static func list(_ count: Int) throws -> Engine {
        let rows = (0..<count).map { "/* /x\($0) 302 Country=c\($0),d\($0)\n" }.joined()
        let directive = "redirects _redirects country=$http_x_country;"
        let files = InMemoryFileSystem(["/r/a.conf": directive, "/r/_redirects": rows])
        return Engine(try RuleSet(path: "/r", from: files))
    }

    @Test("A borrowed decision has the values of a copied one")
    func lentEqualsCopied() throws {
        let engine = Engine(try RuleSet(text: Self.rules(5)))
        for target in ["/untouched", "/old/section-3/x?y=1", "/moved/x", "/gone", "/news/1", "bad"] {
            let request = RuleRequest(target: target, host: "a.test:8080")
            let copied = engine.decide(request)
            engine.withDecision(for: request) { decision in
                #expect(decision.kind == copied.kind)
                #expect(decision.status == copied.status)
                #expect(decision.rule == copied.rule)
                #expect(decision.route == copied.route)
                #expect(decision.isUpstream == copied.isUpstream)
                #expect(decision.withURL(Self.array) == copied.urlBytes)
                #expect(decision.withURI(Self.array) == copied.uri)
                #expect(decision.withBody(Self.array) == copied.body)
                #expect(decision.copy() == copied)
            }
        }
    }

    @Test("A value stays where it is while others are asked for", arguments: [10, 1_900, 3_800, 8_000, 30_000, 60_000])
    func nestedValues(_ length: Int) throws {
        let engine = Engine(try RuleSet(text: Self.rules(5)))
        let target = "/" + String(repeating: "p", count: length)
        engine.withDecision(for: RuleRequest(target: target, host: "a.test")) { decision in
            let isSame = decision.withURI { uri in
                // The URL of a request that no rule touches is put together only now.
                let url = decision.withURL(Self.array)
                let copy = decision.copy()
                // What the memory that was there before would be used for next.
                let other = [UInt8](repeating: 0x21, count: 2 * length)
                return url == Array("http://a.test\(target)".utf8) && copy.urlBytes == url
                    && Self.array(uri) == Array(target.utf8) && other.count == 2 * length
            }
            #expect(isSame == true)
        }
    }

    private static func array(_ bytes: Span<UInt8>) -> [UInt8] {
        var array: [UInt8] = []
        for index in bytes.indices { array.append(bytes[index]) }
        return array
    }

    @Test("A closure may decide about another request meanwhile")
    func nested() throws {
        let engine = Engine(try RuleSet(text: Self.rules(5)))
        let inner = engine.withDecision(for: RuleRequest(target: "/gone", host: "a.test")) { _ in
            engine.decide(RuleRequest(target: "/moved/x", host: "a.test")).status
        }
        #expect(inner == 301)
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try engine.withDecision(for: RuleRequest(target: "/gone", host: "a.test")) { (_) throws(Refused) in
                throw Refused()
            }
        }
    }

    /// The number of times that a decision allocates when the evaluator and the expressions are warm.
    private func allocations(_ engine: Engine, _ request: RuleRequest) -> UInt64 {
        var least = UInt64.max
        for _ in 0..<5 {
            let before = allocation_count()
            engine.withDecision(for: request) { decision in _ = decision.kind }
            least = min(least, allocation_count() - before)
        }
        return least
    }
}
