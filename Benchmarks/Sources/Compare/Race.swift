import Foundation
import Measurement
import Shunt
import Workloads

/// Lets contestants look up the same URLs, one round each in turn.
///
/// Each warms up first. Then a round of one is followed at once by a round of the next, so that a change in the machine's
/// speed meets all of them.
struct Race {
    var rounds: Int
    /// The length of a round, in nanoseconds.
    var roundTime: Double

    /// Runs a race.
    ///
    /// - Parameters:
    ///   - workload: The name of the workload, for the results.
    ///   - rules: The number of rules, for the results.
    ///   - kinds: The kinds of URLs; those of `hit` kinds have to match.
    ///   - contestants: Who takes part.
    ///   - results: Gets an entry for each kind and contestant.
    func run(
        _ workload: String,
        rules: Int,
        kinds: [(name: String, isHit: Bool)],
        contestants: [any Contestant],
        into results: inout Results
    ) {
        for kind in kinds {
            var costs = [[Double]](repeating: [], count: contestants.count)
            var counts = [(lookups: Int, matches: Int)](repeating: (0, 0), count: contestants.count)
            for round in -1..<rounds {
                for (index, contestant) in contestants.enumerated() where max(0, round) % contestant.stride == 0 {
                    do {
                        guard round >= 0 else {
                            try contestant.warmUp(kind.name)
                            continue
                        }
                        let result = try contestant.round(kind.name, nanoseconds: roundTime)
                        counts[index].lookups += result.lookups
                        counts[index].matches += result.matches
                        costs[index].append(result.nanoseconds)
                    } catch {
                        results.skipped.append("\(contestant.name), \(workload) \(rules) \(kind.name): \(error)")
                    }
                }
            }
            for (index, contestant) in contestants.enumerated() where !costs[index].isEmpty {
                let share = Double(counts[index].matches) / Double(max(1, counts[index].lookups))
                results.entries.append(
                    Results.Entry(
                        workload: workload,
                        rules: contestant.rules ?? rules,
                        urls: kind.name,
                        contestant: contestant.name,
                        nanoseconds: Statistics(costs[index]),
                        timesFirst: times(costs[index], costs[0]),
                        matches: share
                    )
                )
                if share != (kind.isHit && contestant.canMatch ? 1 : 0) {
                    results.skipped.append(
                        "\(contestant.name), \(workload) \(rules) \(kind.name): "
                            + "\(counts[index].matches) of \(counts[index].lookups) matched"
                    )
                }
            }
        }
    }

    /// The ratio of one contestant to the other, the median of the rounds; nil unless both made all rounds.
    ///
    /// The quotient of two medians may compare a faster mood of the machine with a slower one.
    private func times(_ costs: [Double], _ first: [Double]) -> Double? {
        guard !costs.isEmpty, costs.count == first.count else { return nil }
        return Statistics(zip(costs, first).map { $0 / $1 }).median
    }
}
