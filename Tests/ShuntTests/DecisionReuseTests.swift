import CAllocationCounter
import Foundation
import SeededRandom
import Shunt
import Synchronization
import Testing

/// A decision without references passes its place to the next one.
@Suite struct DecisionReuseTests {
    static let rules = """
        server {
            server_name a.test;
            add_header X-Rules one;
            rewrite ^/old/(.*)$ /new/$1 last;
            location /moved/ { return 301 https://b.test$request_uri; }
            location = /gone { return 410; }
            location = /text { return 200 "some text that $arg_name gets"; }
            location /up/ { proxy_set_header X-Name $arg_name; proxy_pass http://127.0.0.1:8080; }
        }
        server { server_name c.test; rewrite ^/loop /loop; }
        route GET /news/:id/:page item;
        route GET /new/*rest new;
        block host *.ads.test;
        degrade ~ ^kl://page/(.*)$ https://m.test/$1;
        """

    /// Requests of every kind of decision, short and long.
    static var requests: [RuleRequest] {
        let targets = [
            "/", "/untouched?x=1", "/old/a/b", "/moved/x?y=%41", "/gone", "/text?name=you", "/up/x?name=z",
            "/news/17/3?utm=1",
            "/new/a/b/c", "bad", "/loop",
        ]
        let long = targets.filter { $0.count > 4 }.map { $0 + String(repeating: "q", count: 300) }
        let paths = (targets + long)
            .flatMap { target in
                ["a.test", "c.test", "other.test"].map { RuleRequest(target: target, host: $0) }
            }
        let urls = [
            "kl://page/1", "kl://page/" + String(repeating: "x", count: 5000), "https://x.ads.test/", "kl://other?x",
        ]
        return paths + urls.map { RuleRequest(url: $0) }
    }

    /// The requests, what is decided about each where there was none before it, and an engine for all of them.
    private static func make() throws -> (requests: [RuleRequest], wanted: [Decision], engine: Engine) {
        let rules = try RuleSet(text: rules)
        let requests = requests
        return (requests, requests.map { Engine(rules).decide($0) }, Engine(rules))
    }

    @Test("No decision has anything of the one whose place it took")
    func isWhole() throws {
        let (requests, wanted, engine) = try Self.make()
        #expect(Set(wanted.map(\.kind)) == [.forward, .redirect, .degrade, .respond, .block, .fail])
        #expect(wanted.contains { $0.route != nil } && wanted.contains { !$0.parameters.isEmpty })
        var random = SeededGenerator(seed: 26)
        for _ in 0..<5_000 {
            let index = random.below(requests.count)
            let decision = engine.decide(requests[index])
            #expect(decision == wanted[index])
            #expect("\(decision)" == "\(wanted[index])")
        }
    }

    @Test("A decision that is kept stays as it is, whatever is decided afterwards")
    func isKept() throws {
        let (requests, wanted, engine) = try Self.make()
        var random = SeededGenerator(seed: 11)
        var kept: [(index: Int, decision: Decision)] = []
        for _ in 0..<5_000 {
            let index = random.below(requests.count)
            let decision = engine.decide(requests[index])
            switch random.below(3) {
            case 0: kept.append((index, decision))
            case 1: if !kept.isEmpty { kept.remove(at: random.below(kept.count)) }
            default: break
            }
            if let one = kept.randomElement(using: &random) { #expect(one.decision == wanted[one.index]) }
        }
        for one in kept { #expect(one.decision == wanted[one.index]) }
    }

    @Test("Decisions that other threads have and release are read by no thread while they change")
    func acrossThreads() throws {
        let (requests, wanted, engine) = try Self.make()
        let handed = Mutex<[(index: Int, decision: Decision)]>([])
        let wrong = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            var random = SeededGenerator(seed: UInt64(number))
            for _ in 0..<2_000 {
                let index = random.below(requests.count)
                let decision = engine.decide(requests[index])
                let other = handed.withLock { waiting in
                    waiting.append((index, decision))
                    return waiting.remove(at: random.below(waiting.count))
                }
                if other.decision != wanted[other.index] { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test("A decision allocates nothing when the one before is not kept, and something when it is")
    func allocations() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        for target in ["/untouched?x=1", "/old/a/b", "/moved/x", "/news/17/3"] {
            let request = RuleRequest(target: target, host: "a.test")
            let lent = least { engine.withDecision(for: request) { _ = $0.kind } }
            let dropped = least { _ = engine.decide(request).kind }
            var kept: [Decision] = []
            kept.reserveCapacity(10)
            kept.append(engine.decide(request))
            let keeping = least { kept.append(engine.decide(request)) }
            #expect(keeping > dropped)
            #if !DEBUG
            #expect(dropped == lent)
            #endif
        }
    }

    @Test("A decision that is large is not kept for the next one")
    func largeOnes() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        let long = RuleRequest(target: "/" + String(repeating: "x", count: 6_000), host: "a.test")
        let short = RuleRequest(target: "/x", host: "a.test")
        let dropped = least { _ = engine.decide(short).kind }
        let large = least { _ = engine.decide(long).kind }
        #expect(large > dropped)
    }

    /// The number of times that something allocates when all is warm.
    private func least(_ body: () -> Void) -> UInt64 {
        var least = UInt64.max
        for _ in 0..<6 {
            let before = allocation_count()
            body()
            least = min(least, allocation_count() - before)
        }
        return least
    }
}
