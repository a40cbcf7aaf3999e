import Glibc
import Synchronization

/// Runs simulated fleets through many seeds: SimulateFleet KIND SEEDS [FIRST [NODES]].
///
/// A kind is `faults`, `attacker` or `relays`. Ends with status 1 where something was violated.
@main
struct SimulateFleet {
    private static let processors = 2

    /// The counts of all processors.
    private final class Counts: Sendable {
        let next: Atomic<UInt64>
        let failures = Atomic<Int>(0)

        init(_ first: UInt64) { next = Atomic(first) }
    }

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.dropFirst().map { UInt64($0) ?? 0 }
        guard let kind = words.first, let run = kinds[kind], let seeds = numbers.first, seeds > 0 else {
            print("SimulateFleet faults|attacker|relays SEEDS [FIRST [NODES]]")
            exit(2)
        }
        let first = numbers.count > 1 ? numbers[1] : 1
        let nodes = numbers.count > 2 ? Int(numbers[2]) : nil
        let counts = Counts(first)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<processors {
                group.addTask {
                    while true {
                        let seed = counts.next.wrappingAdd(1, ordering: .relaxed).oldValue
                        guard seed < first + seeds else { break }
                        for violation in run(seed, nodes) {
                            print("seed \(seed): \(violation)")
                            counts.failures.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
        }
        print("\(kind): \(seeds) seeds in \(ContinuousClock.now - start)")
        exit(counts.failures.load(ordering: .relaxed) == 0 ? 0 : 1)
    }

    /// The simulations by a seed, with what it has violated.
    private static let kinds: [String: @Sendable (UInt64, Int?) -> [String]] = [
        "faults": { seed, nodes in
            var options = FleetSimulation.Options()
            options.nodes = nodes ?? options.nodes
            var fleet = FleetSimulation(seed: seed, options)
            fleet.run()
            return fleet.violations
        },
        "attacker": { seed, nodes in
            var options = FleetSimulation.Options()
            options.nodes = nodes ?? 6
            options.hasAttacker = true
            options.hasRollbackKey = seed % 2 == 0
            var fleet = FleetSimulation(seed: seed, options)
            fleet.run()
            return fleet.violations
        },
        "relays": { seed, nodes in
            let nodes = nodes ?? 100_000
            let relays = max(5, (nodes + 1999) / 2000)
            var fleet = RelaySimulation(seed: seed, nodes: nodes, relays: relays)
            fleet.run()
            print(
                "\(nodes) nodes, \(relays) relays: all in \(fleet.longest), \(fleet.busiest) words in the busiest second"
            )
            let isRight =
                fleet.applied == nodes && fleet.longest <= .seconds(30) && fleet.busiest <= relays * 6 / 5
                && fleet.leaks == 0
            return isRight ? [] : ["\(fleet.applied) have it, \(fleet.leaks) saw what they should not"]
        },
    ]
}
