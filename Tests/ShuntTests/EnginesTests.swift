import CAllocationCounter
import Foundation
import SeededRandom
import Shunt
import Synchronization
import Testing

/// Engines share the memory that deciding needs.
@Suite struct EnginesTests {
    /// Rules that need different things: variables, headers, routes, a choice of servers, rules on whole URLs.
    private static let texts = [
        "server { set $one 1; set $two $one$one; add_header X-A $two; rewrite ^/a/(.*)$ /b/$1 last; }",
        "server { location /a/ { return 301 https://b.test$request_uri; } }\nserver { server_name b.test; return 410; }",
        "rewrite_url ^https://a\\.test/a/(.*)$ https://c.test/$1;\nroute GET /a/:id item;\nroute GET /b/*rest rest;",
        "input $version 1;\nmap $version $old { default no; 1 yes; }\nserver { if ($old = yes) { return 200 old; } }",
        "server { location /a/ { proxy_set_header X-B $arg_x; proxy_pass http://127.0.0.1:8080; } }",
        "block host *.test;",
        "",
    ]

    private static let requests = ["a", "b", "c"]
        .flatMap { host in
            ["/", "/a/1", "/a/2?x=y", "/b/3/4"].map { RuleRequest(target: $0, host: "\(host).test") }
        }

    private static func make() throws -> [Engine] { try texts.map { Engine(try RuleSet(text: $0)) } }

    /// The decisions of each engine about each request, written out.
    private static func wanted(_ engines: [Engine]) -> [[String]] {
        engines.map { engine in requests.map { written(engine, $0) } }
    }

    private static func written(_ engine: Engine, _ request: RuleRequest) -> String {
        let decision = engine.decide(request)
        return "\(decision) \(decision.headers) \(String(describing: decision.route))"
    }

    @Test("Engines that take turns decide as each does alone")
    func turns() throws {
        let engines = try Self.make()
        let wanted = Self.wanted(engines)
        #expect(Set(wanted.flatMap { $0 }).count > 15)
        var random = SeededGenerator(seed: 40)
        for _ in 0..<5_000 {
            let (engine, request) = (random.below(engines.count), random.below(Self.requests.count))
            #expect(Self.written(engines[engine], Self.requests[request]) == wanted[engine][request])
        }
    }

    @Test("A decision inside another engine's has its own memory")
    func nested() throws {
        let engines = try Self.make()
        let request = RuleRequest(target: "/a/1", host: "a.test")
        engines[0]
            .withDecision(for: request) { outer in
                for engine in engines { _ = engine.decide(request) }
                #expect(outer.kind == engines[0].decide(request).kind)
                #expect(outer.withURI { $0.count } == "/b/1".utf8.count)
            }
    }

    @Test("Engines are created and freed on many threads, and each decides by its own rules")
    func threads() throws {
        let wanted = Self.wanted(try Self.make())
        let shared = try Self.make()
        let wrong = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            var random = SeededGenerator(seed: UInt64(number))
            var own: [Engine] = []
            for round in 0..<2_000 {
                if round.isMultiple(of: 100) { own = (try? Self.make()) ?? [] }
                let (engine, request) = (random.below(shared.count), random.below(Self.requests.count))
                let engines = random.below(2) == 0 ? own : shared
                if Self.written(engines[engine], Self.requests[request]) != wanted[engine][request] {
                    wrong.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test("Engines that take turns allocate no more than each alone, and nothing where the compiler optimizes")
    func allocations() throws {
        let engines = try Self.make()
        let request = RuleRequest(target: "/a/1", host: "a.test")
        /// The fewest allocations of a decision by each of some engines: other tests may add theirs to a round.
        func fewest(_ engines: [Engine]) -> UInt64 {
            (0..<8)
                .map { _ in
                    let before = allocation_count()
                    for engine in engines { engine.withDecision(for: request) { _ = $0.kind } }
                    return allocation_count() - before
                }
                .min() ?? .max
        }
        let alone = engines.reduce(0) { $0 + fewest([$1]) }
        let turns = fewest(engines)
        #if DEBUG
        // Each change of the rules copies the options.
        #expect(turns <= alone + UInt64(engines.count) * 20, "\(turns), alone \(alone)")
        #else
        #expect(turns == 0 && alone == 0)
        #endif
    }

    @Test("An engine that goes away leaves nothing of it, whatever others did meanwhile")
    func goesAway() throws {
        let request = RuleRequest(target: "/a/1", host: "a.test")
        let other = Engine(try RuleSet(text: "server { return 404; }"))
        weak var files: EditableFiles?
        for isAlone in [true, false] {
            try {
                let own = EditableFiles([:])
                files = own
                var options = Engine.Options()
                options.fileSystem = own
                let engine = Engine(try RuleSet(text: Self.texts[0]), options: options)
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    for _ in 0..<50 {
                        _ = engine.decide(request)
                        if !isAlone { _ = other.decide(request) }
                    }
                }
            }()
            // Another test may have the evaluation in its hands for a moment.
            for _ in 0..<60_000 where files != nil { usleep(1000) }
            #expect(files == nil)
        }
    }
}
