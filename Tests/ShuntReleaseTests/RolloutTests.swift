import ShuntCore
import ShuntFleet
import Testing

@Suite("Rollouts")
struct RolloutTests {
    let nodes = (1...240).map { "edge-\($0)" }

    @Test(
        "The stages are counted exactly",
        arguments: [(240, [1, 12, 60, 240]), (7, [1, 2, 3, 7]), (1, [1, 1, 1, 1])]
    )
    func sizes(live: Int, sizes: [Int]) {
        #expect(RolloutPlan().sizes(live: live) == sizes)
        let names = Array(nodes.prefix(live))
        let ranks = names.map { NodeRank.of($0, namespace: "web", sequence: 41) }
        for size in sizes {
            let threshold = NodeRank.threshold(first: size, of: names, namespace: "web", sequence: 41)
            #expect(ranks.count { $0 <= threshold } == size)
        }
    }

    @Test("Other nodes go first each time")
    func turns() {
        var first: [String: Int] = [:]
        for sequence in 1...100 {
            let node = nodes.min {
                NodeRank.of($0, namespace: "web", sequence: sequence)
                    < NodeRank.of($1, namespace: "web", sequence: sequence)
            }
            first[node ?? "", default: 0] += 1
        }
        #expect(first.values.max() ?? 0 <= 5)
        #expect(first.count > 60)
    }

    @Test("The rank is what it is on every machine")
    func rank() {
        let name = ContentName(of: Array("web\u{0}41\u{0}edge-17".utf8))
        #expect(
            NodeRank.of("edge-17", namespace: "web", sequence: 41) == UInt64(name.hexadecimal.prefix(16), radix: 16)
        )
    }

    @Test("A plan that leaves nodes out, or that they would go back from, is invalid")
    func problems() {
        #expect(RolloutPlan().problem == nil)
        #expect(RolloutPlan.rollback.problem == nil)
        #expect(RolloutPlan.atOnce.problem == nil)
        #expect(RolloutPlan(stages: [.nodes(1)], bakeSeconds: []).problem == "the last stage is not 100 %")
        #expect(RolloutPlan(bakeSeconds: [1]).problem == "each stage but the last needs its seconds to be quiet")
        #expect(RolloutPlan(confirmSeconds: 660).problem != nil)
    }

    @Test("A canary with more errors over enough requests is seen")
    func gate() {
        func counters(_ requests: Int, errors: Int, slow: Int = 10) -> NodeStatus.Counters {
            var counters = NodeStatus.Counters()
            counters.requests = requests
            counters.serverErrors = errors
            counters.slowMicroseconds = slow
            return counters
        }
        let gate = RolloutGate()
        let others = [counters(10_000, errors: 1000, slow: 40)]
        #expect(
            gate.problem([counters(500, errors: 75)], against: others)
                == "15.0 % of the requests were answered with 5xx, elsewhere 10.0 %"
        )
        #expect(gate.problem([counters(500, errors: 55)], against: others) == nil)
        #expect(gate.problem([counters(5, errors: 3)], against: others) == nil)
        #expect(
            gate.problem([counters(500, errors: 50, slow: 80)], against: others)
                == "a decision takes 80 µs at the 99th percentile, elsewhere 40 µs"
        )
        #expect(gate.problem([counters(.max, errors: .max), counters(.max, errors: .max)], against: others) != nil)
    }

    @Test("A budget always leaves room for a few rules")
    func budget() {
        let budget = ChangeBudget()
        #expect(budget.excess(removed: 5, added: 5, edited: 5, of: 5) == nil)
        #expect(budget.excess(removed: 10, added: 50, edited: 20, of: 100) == nil)
        #expect(
            budget.excess(removed: 11, added: 0, edited: 0, of: 100)
                == "11 of 100 rules are removed, and the budget is 10 %"
        )
        #expect(
            budget.excess(removed: 0, added: 0, edited: 21, of: 100)
                == "21 of 100 rules are edited, and the budget is 20 %"
        )
    }
}
