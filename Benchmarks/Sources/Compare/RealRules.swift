import Foundation
import Measurement
import Servers
import Shunt
import Workloads

/// Real rules and URLs: a folder with `rules/`, a rule set, and `urls.txt`, one URL a line.
struct RealRules {
    var folder: String

    /// Loads the rules, and measures each URL separately.
    func run(into results: inout Results) throws {
        let start = Clocks.threadTime()
        let rules = try RuleSet(path: "\(folder)/rules")
        let seconds = (Clocks.threadTime() - start) / 1e9
        let urls = try String(contentsOfFile: "\(folder)/urls.txt", encoding: .utf8).split(separator: "\n")
        let lookups = Lookups(engine: Engine(rules), requests: Lookups.requests(urls: urls.map { String($0) }))
        guard lookups.count > 0 else { throw Absence("\(folder)/urls.txt is empty") }
        // Of several passes the median for each URL; the first, in which expressions are compiled, is left out.
        var passes: [[Double]] = []
        var matches = 0
        for pass in -1..<25 {
            var costs: [Double] = []
            costs.reserveCapacity(lookups.count)
            matches = 0
            var last = Clocks.time()
            for index in 0..<lookups.count {
                if lookups.decide(at: index) { matches += 1 }
                let now = Clocks.time()
                costs.append(now - last)
                last = now
            }
            if pass >= 0 { passes.append(costs) }
        }
        let clock = Statistics(
            (0..<1000)
                .map { _ in
                    let start = Clocks.time()
                    return Clocks.time() - start
                }
        )
        let each = (0..<lookups.count)
            .map { index in
                Statistics(passes.map { $0[index] }).median - clock.median
            }
        let sorted = each.sorted()
        let share = Double(matches) / Double(lookups.count)
        for (name, values) in [("each", sorted), ("slowest hundredth", Array(sorted.suffix(sorted.count / 100 + 1)))] {
            results.entries.append(
                Results.Entry(
                    workload: "real rules",
                    rules: rules.ruleCount,
                    urls: name,
                    contestant: "Shunt",
                    nanoseconds: Statistics(values),
                    matches: share
                )
            )
        }
        results.compilations.append(
            Results.Compilation(
                workload: "real rules",
                rules: rules.ruleCount,
                contestant: "Shunt",
                seconds: seconds
            )
        )
        results.realRules = rules.ruleCount
    }
}
