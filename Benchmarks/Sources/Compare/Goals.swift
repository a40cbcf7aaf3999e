import Measurement

/// The goals of the project for its speed, as far as one run can measure them.
struct Goals {
    var results: Results

    /// The goals that this run has measured.
    var all: [Results.Goal] {
        growth + peers + dispatch + loads
    }

    private func goal(_ name: String, atMost bound: Double, _ value: Double?) -> [Results.Goal] {
        value.map { [Results.Goal(name: name, value: $0, bound: bound, isUpperBound: true)] } ?? []
    }

    private func goal(_ name: String, atLeast bound: Double, _ value: Double?) -> [Results.Goal] {
        value.map { [Results.Goal(name: name, value: $0, bound: bound, isUpperBound: false)] } ?? []
    }

    /// The quotient of two values that are there.
    private func ratio(_ upper: Double?, _ lower: Double?) -> Double? {
        guard let upper, let lower, lower > 0 else { return nil }
        return upper / lower
    }

    private var growth: [Results.Goal] {
        ["prefixes", "mixed"]
            .flatMap { name in
                ["miss-far", "miss-near", "hit-last", "hit-any"]
                    .flatMap { kind in
                        goal(
                            "100,000 rules against 10, \(name), \(kind)",
                            atMost: 1.5,
                            results.entry("growth of \(name)", 100_000, kind)?.timesFirst
                        )
                    }
            }
    }

    private var peers: [Results.Goal] {
        let comparisons = [
            ("miss-far", "RE2::Set", 1.0), ("miss-near", "RE2::Set", 1.0), ("hit-any", "Hyperscan", 0.6),
            ("hit-last", "Hyperscan", 0.6),
        ]
        return comparisons.flatMap { kind, peer, bound in
            let shunt = results.median("mixed", 10_000, kind)
            let index = results.median("mixed", 10_000, kind, TableContestant.index)
            let other = results.median("mixed", 10_000, kind, peer)
            return goal("10,000 mixed rules, \(kind): index to \(peer)'s scan", atMost: bound, ratio(index, other))
                + goal("the same, the whole decision to the scan", atMost: bound, ratio(shunt, other))
        }
    }

    private var dispatch: [Results.Goal] {
        ["nginx", "nginx, pcre_jit on"]
            .flatMap { server in
                goal(
                    "parse, 10,000 mixed rules and route: times as fast as what the rules add in \(server)",
                    atLeast: 2000,
                    ratio(
                        results.median("dispatch", 10_000, "routes", server),
                        results.median("dispatch", 10_000, "routes")
                    )
                )
            }
    }

    private var loads: [Results.Goal] {
        var goals: [Results.Goal] = []
        for load in results.loads where load.rules >= 100_000 {
            let seconds: Double? = load.workload == "mixed" ? 1 : load.workload == "blocklist" ? 3 : nil
            guard let seconds else { continue }
            let name = "\(Numbers.count(load.rules)) \(load.workload)"
            goals += goal("\(name): seconds to load", atMost: seconds, load.seconds)
            goals += goal("\(name): MiB live", atMost: 64, Double(load.liveBytes) / 1_048_576)
            goals += goal("\(name): MiB at most while loading", atMost: 128, Double(load.peakBytes) / 1_048_576)
        }
        for kind in ["miss-far", "miss-near", "hit-any"] {
            let check = results.median("blocklist", 1_000_000, kind, TableContestant.list)
            let whole = results.median("blocklist", 1_000_000, kind)
            goals += goal("1,000,000 hosts, \(kind): nanoseconds to check one", atMost: 100, check)
            goals += goal("the same, a whole decision", atMost: 100, whole)
        }
        if let median = results.median("real rules", results.realRules, "each") {
            goals += goal("real rules, the median URL, nanoseconds", atMost: 1000, median)
        }
        return goals
    }
}
