import CAllocationCounter
import ShuntCore
import Testing

@testable import ShuntRouting

@Suite("Route limits")
struct RouteLimitTests {
    private func table(_ patterns: [String]) throws -> RouteTable {
        var builder = RouteTableBuilder()
        for pattern in patterns { builder.add(pattern) }
        return try builder.build()
    }

    private func returns(_ table: RouteTable, _ path: String) -> Int {
        let scratch = RouteScratch()
        let bytes = Array(path.utf8)
        let lookup = table.lookup(bytes.span, scratch: scratch)
        #expect(lookup.outcome == .noMatch)
        return scratch.returns
    }

    @Test("optional groups in a row make as many states, not two to that power", arguments: [4, 8, 16, 32])
    func groups(count: Int) throws {
        let pattern = (0..<count).map { "(/w\($0)/:p\($0 % 28)x\($0))" }.prefix(28).joined() + "/end"
        let table = try table([pattern])
        let groups = min(count, 28)
        // A state for each literal, each parameter, the end, and one more; each has at most an edge for each group.
        let cells = table.automaton.cells.count / CellArena.cell
        #expect(cells < 8 * groups * groups + 64)
        let path = (0..<groups).filter { $0 % 2 == 0 }.map { "/w\($0)/\($0)" }.joined() + "/end"
        let match = try #require(table.match(path))
        #expect(match.parameters.map(\.value) == (0..<groups).filter { $0 % 2 == 0 }.map(String.init))
    }

    @Test(
        "several wildcards take steps in proportion to the path, and end at their bound",
        arguments: [10, 100, 1_000]
    )
    func wildcards(count: Int) throws {
        let table = try table(["/*a/x/*b/x/*c/x/*d/x/:e"])
        let path = String(repeating: "/x", count: count)
        let scratch = RouteScratch()
        for (url, isMatch) in [(path + "/y", true), (path + "/y/z/y", false), (path + "/y/z/x", false)] {
            let bytes = Array(url.utf8)
            let lookup = table.lookup(bytes.span, scratch: scratch)
            #expect(lookup.outcome == (isMatch ? .matched : .noMatch), "\(count) \(url.suffix(10))")
        }
        let long = "/" + String(repeating: "a/", count: RoutingLimits.tailComponents)
        let rest = "x/b/x/c/x/d/x/e"
        #expect(table.match(long + rest)?["a"]?.utf8.count == long.utf8.count - 2)
        #expect(table.match(long + "a/" + rest) == nil)
    }

    @Test("hosts of any length find their ends", arguments: [0, 1, 2, 62, 63, 64, 32_000])
    func longHosts(labels: Int) throws {
        let table = try table(["kl://*.b/x", "kl://*.ab.b/x", "kl://b/x", "//*.b/x", "kl://*.c/x", "kl:///x"])
        let long = String(repeating: "a.", count: labels)
        #expect(table.match("kl://\(long)b/x")?.route.fullPattern.text == (labels == 0 ? "kl://b/x" : "kl://*.b/x"))
        #expect(
            table.match("KL://\(long)aB.b/x")?.route.fullPattern.text == (labels == 0 ? "kl://*.b/x" : "kl://*.ab.b/x")
        )
        #expect(table.match("other://\(long)z.b/x")?.route.fullPattern.text == "//*.b/x")
        #expect(table.match("kl://\(long)d/x")?.route.fullPattern.text == "kl:///x")
        #expect(table.match("other://\(long)d/x") == nil)
    }

    @Test("going back is bounded by the length of the path times the states alive", arguments: [5, 10, 20, 30])
    func backtracking(count: Int) throws {
        let optional = try table([(0..<count).map { "(/:p\($0))" }.joined() + "/end"])
        #expect(returns(optional, String(repeating: "/a", count: count) + "/x") <= count * count)
        let mixed = try table([(0..<count).map { $0 % 2 == 0 ? "(/a)" : "(/:p\($0))" }.joined() + "/end"])
        #expect(returns(mixed, String(repeating: "/a", count: count) + "/x") <= 2 * count * count)
    }

    @Test("all ways through a table with every mixture of literal and parameter are states of it")
    func everyMixture() throws {
        let patterns = (0..<1024)
            .map { number in
                (0..<10).map { number >> $0 & 1 == 0 ? "/a" : "/:p\($0)" }.joined() + "/end"
            }
        let table = try table(patterns)
        #expect(returns(table, String(repeating: "/a", count: 10) + "/x") <= 2048)
        #expect(table.match(String(repeating: "/a", count: 10) + "/end")?.route.pattern == patterns[0])
    }

    @Test("a lookup that goes back too often ends with a reason")
    func tooComplex() throws {
        let pieces = try table(["/" + (0..<12).map { ":p\($0)-" }.joined() + "z"])
        let miss = pieces.resolve("/" + String(repeating: "a-", count: 1000))
        #expect(miss.miss?.reason == .tooComplex)
    }

    @Test(
        "an expression or a component that reaches its limit ends the lookup: no other route is taken",
        arguments: [
            // The trie of plain paths, the automaton with groups, levels, a tail of pieces, and a host.
            ["/:code((?:a|aa)+)", "/:any"], ["/:code((?:a|aa)+)", "/:any(/x)"],
            ["/:a-:b-:c-:d-:e-:f-:g-:h-:i-:j-:k-:l-z", "/*rest"],
            ["https://:code((?:a|aa)+).test/:any", "https://*.test/:any", "/:any"],
        ]
    )
    func limitsAreFailures(patterns: [String]) throws {
        let subjects = [
            "/" + String(repeating: "a", count: 60) + "b", "/" + String(repeating: "a-", count: 1000),
            "https://" + String(repeating: "a", count: 60) + "b.test/x",
        ]
        let table = try table(patterns)
        let outcomes = subjects.map { subject in
            let bytes = Array(subject.utf8)
            let lookup = table.lookup(bytes.span, scratch: RouteScratch())
            if lookup.outcome == .tooComplex {
                #expect(table.resolve(subject).miss?.reason == .tooComplex)
                #expect(table.match(subject) == nil)
            }
            return lookup.outcome
        }
        #expect(outcomes.contains(.tooComplex), "\(outcomes)")
    }

    @Test("a tail takes a bounded number of components")
    func tails() throws {
        let table = try table(["/f/*rest"])
        let fits = String(repeating: "/a", count: RoutingLimits.tailComponents)
        #expect(table.canRoute("/f" + fits))
        #expect(!table.canRoute("/f" + fits + "/a"))
        #expect(table.canRoute("/f/" + String(repeating: "a", count: 60_000)))
    }

    @Test("long paths and deep paths are just paths")
    func longPaths() throws {
        let table = try table(["/:a", "/x/:b/y"])
        #expect(table.match("/" + String(repeating: "%61", count: 5000))?["a"]?.utf8.count == 5000)
        #expect(!table.canRoute(String(repeating: "/x", count: 20_000)))
    }

    @Test("names of every length up to several words are found, and only they")
    func lengths() throws {
        let names = (1...70).map { String(repeating: "n", count: $0) }
        let scratch = RouteScratch()
        let table = try table(names.map { "/" + $0 + "/end" } + names.map { "/v/" + $0 })
        for name in names {
            #expect(table.match("/\(name)/end")?.route.pattern == "/\(name)/end")
            #expect(table.match("/v/\(name)")?.route.pattern == "/v/\(name)")
            for mark in ["?", "#", "?a#b", "#a?b", ""] {
                let bytes = Array("/v/\(name)\(mark)".utf8)
                let lookup = table.lookup(bytes.span, scratch: scratch)
                #expect(table.route(lookup.route)?.pattern == "/v/\(name)", "\(mark)")
            }
            #expect(table.match("/v/\(name.dropLast())m") == nil)
        }
    }

    @Test("10,000 routes are all found")
    func manyRoutes() throws {
        var builder = RouteTableBuilder()
        for number in 0..<10_000 {
            builder.add(number % 2 == 0 ? "/s\(number % 311)/item-\(number)" : "/r\(number)/:id/edit")
        }
        let table = try builder.build()
        let scratch = RouteScratch()
        for number in stride(from: 0, to: 10_000, by: 7) {
            let path = Array((number % 2 == 0 ? "/s\(number % 311)/item-\(number)" : "/r\(number)/5/edit").utf8)
            let lookup = table.lookup(path.span, scratch: scratch)
            guard lookup.route.rawValue == number else {
                Issue.record("route \(number)")
                return
            }
        }
    }

    @Test("a lookup allocates nothing")
    func allocations() throws {
        var builder = RouteTableBuilder()
        for pattern in [
            "/users/:id(uint)/posts/:post", "/users/:id/posts(/:post)(/edit)", "/files/*rest", "/a/:x.html",
            "/:any/:thing",
            "/c/:code(\\d{2,4})", "https://:tenant.example.com/x/:y", "https://www.example.com/x",
        ] { builder.add(pattern) }
        builder.add("/:high/prio", methods: ["GET"], priority: 3)
        let general = try builder.build()
        var plain = RouteTableBuilder()
        for pattern in ["/users/:id(uint)/posts/:post", "/files/*rest", "/a/:x.html", "/c/:code(\\d{2,4})", "/x/y"] {
            plain.add(pattern, methods: ["GET"])
        }
        let simple = try plain.build()
        var texts = [
            "/users/7/posts/9", "/users/x/posts/9/edit", "/users/x/posts", "/files/a/b/c.txt", "/a/p.html", "/x/prio",
            "/c/123", "/c/x", "/n/o/n/e", "/us%65rs/7/posts/9", "/x/y/", "/",
        ]
        #if !DEBUG
        // Without optimization the compiler makes boxes for what the search of namespaces hands round.
        texts += ["https://acme.example.com/x/1", "https://www.example.com/x"]
        #endif
        texts.append("/users/9/posts/1?q=1")
        let urls = texts.map { Array($0.utf8) }
        let scratch = RouteScratch()
        // The first round makes machine code and memory that later ones reuse.
        let expected = Self.lookUp(urls, in: general, simple, scratch)
        let before = allocation_count()
        var total = 0
        for _ in 0..<20 { total += Self.lookUp(urls, in: general, simple, scratch) }
        let allocated = allocation_count() - before
        #expect(total == 20 * expected)
        #expect(allocated == 0)
    }

    /// Looks every URL up in both tables, continues after each match once, and counts the matches.
    private static func lookUp(
        _ urls: [[UInt8]],
        in first: RouteTable,
        _ second: RouteTable,
        _ scratch: RouteScratch
    ) -> Int {
        var matches = 0
        // Without optimization an iterator over arrays would allocate.
        for index in urls.indices {
            matches += lookUp(urls[index], in: first, scratch)
            matches += lookUp(urls[index], in: second, scratch)
        }
        return matches
    }

    private static func lookUp(_ url: [UInt8], in table: RouteTable, _ scratch: RouteScratch) -> Int {
        let parts = RouteSubject(splitting: url.span)
        let lookup = table.lookup(url.span, parts: parts, method: .get, scratch: scratch)
        guard lookup.isMatch else { return 0 }
        let next = table.lookup(url.span, parts: parts, method: .get, after: lookup, scratch: scratch)
        return next.isMatch ? 2 : 1
    }
}
