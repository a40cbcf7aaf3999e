#if Gateway
import Shunt
import Testing

/// Counts of rules.
@Suite struct RuleCountersTests {
    static func engine(_ text: String) throws -> Engine { Engine(try RuleSet(text: text)) }

    @Test func countsDecisionsByRule() throws {
        let engine = try Self.engine(
            """
            block ~ /blocked 410;
            server {
                rewrite ^/old$ /new last;
                location /go { return 301 /x; }
                location /new { return 200 n; }
                location /a { rewrite ^ /elsewhere break; }
            }
            """
        )
        let ruleSet = engine.ruleSet
        let counters = RuleCounters(ruleSet, shards: 2)
        counters.count(engine.decide(RuleRequest(url: "http://a.test/old")), shard: 0, at: .init(seconds: 100))
        counters.count(engine.decide(RuleRequest(url: "http://a.test/go")), shard: 1, at: .init(seconds: 300))
        counters.count(engine.decide(RuleRequest(url: "http://a.test/go")), shard: 0, at: .init(seconds: 200))
        counters.count(engine.decide(RuleRequest(url: "http://a.test/blocked")), shard: 7, at: .init(seconds: 400))
        counters.count(engine.decide(RuleRequest(url: "http://a.test/a")), shard: -1, at: .init(seconds: 500))
        counters.count(engine.decide(RuleRequest(url: "http://a.test/untouched")), shard: 0, at: .init(seconds: 600))
        let counts = counters.counts()
        #expect(counts.map(\.rule.line) == [1, 3, 4, 5, 6])
        #expect(counts.map(\.hits) == [1, 0, 2, 1, 1])
        #expect(counts.map(\.lastHit?.seconds) == [400, nil, 300, 100, 500])
        #expect(counts.map(\.text)[2] == "return 301 /x")
        #expect(counters.highest(2).map(\.rule.line) == [4, 1])
        #expect(counters.highest(-1).isEmpty)
    }

    @Test func costsTwoWordsARule() { #expect(RuleCounters.bytesPerRule == 16) }

    @Test func goesOnAfterAReload() throws {
        let old = try Self.engine("server { location /a { return 200 a; } location /b { return 200 b; } }")
        let first = RuleCounters(old.ruleSet)
        for _ in 0..<3 { first.count(old.decide(RuleRequest(url: "http://a.test/a")), at: .init(seconds: 10)) }
        first.count(old.decide(RuleRequest(url: "http://a.test/b")), at: .init(seconds: 20))
        let new = try Self.engine("server {\n location /c { return 200 c; }\n location /a { return 200 a; } }")
        let second = RuleCounters(new.ruleSet, continuing: first)
        second.takeOver()
        second.count(new.decide(RuleRequest(url: "http://a.test/a")), at: .init(seconds: 30))
        #expect(second.counts().map(\.text) == ["return 200 c", "return 200 a"])
        #expect(second.counts().map(\.hits) == [0, 4])
        #expect(second.counts().map(\.lastHit?.seconds) == [nil, 30])
        // Without a reading in between.
        let third = RuleCounters(old.ruleSet, continuing: RuleCounters(new.ruleSet, continuing: second))
        #expect(third.counts().map(\.hits) == [4, 0])
    }

    @Test("A rule that went and came back is counted since it came back")
    func since() async throws {
        let old = try Self.engine("server { location /a { return 200 a; } location /b { return 200 b; } }")
        let new = try Self.engine("server { location /a { return 200 a; } }")
        let first = RuleCounters(old.ruleSet)
        let start = first.counts().map(\.since)
        try await Task.sleep(for: .milliseconds(1_100))
        let third = RuleCounters(old.ruleSet, continuing: RuleCounters(new.ruleSet, continuing: first))
        let counts = third.counts().map(\.since)
        #expect(counts[0] == start[0])
        #expect(counts[1] > start[1])
    }

    @Test func countsFromManyThreads() async throws {
        let engine = try Self.engine("server { return 200 x; }")
        let counters = RuleCounters(engine.ruleSet, shards: 2)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let decision = engine.decide(RuleRequest(url: "http://a.test/"))
                    for _ in 0..<1000 { counters.count(decision, shard: task, at: .init(seconds: 1)) }
                }
            }
        }
        #expect(counters.counts().map(\.hits) == [8000])
    }
}
#endif
