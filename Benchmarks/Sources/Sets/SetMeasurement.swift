import CAllocationCount
import CCallgrind
import Foundation
import Measurement
import Shunt
import Workloads

/// The measurements of a set in one process.
struct SetMeasurement: Codable {
    var rules: Int
    /// The number of requests.
    var requests: Int
    /// A decision: the median of rounds over all requests, in their quietest stretch.
    var nanoseconds = 0.0
    /// The same of what is measured in turns with the set.
    var others: Double?
    /// A decision of a round before which another process emptied the caches, of the same.
    var othersCold: Double?
    /// Single decisions.
    var median = 0.0
    var percentile99 = 0.0
    /// A decision of a round before which another process emptied the caches.
    var cold = 0.0
    var allocations = 0.0
    var loadSeconds: Double
    /// Allocated after loading, and not before.
    var liveBytes: Int
    /// The most memory while loading, above that before.
    var peakBytes: Int
}

extension SetFolder {
    private static let rounds = 120
    private static let coldRounds = 40
    private static let roundTime = 2e6
    /// The rounds one after another whose median counts, where the machine had the least other work.
    private static let stretch = 5

    /// Measures the set in this process.
    func measure() throws -> SetMeasurement {
        let requests = try requests()
        Memory.settle()
        let before = (live: Memory.live(), resident: Memory.resident()?.now ?? 0)
        let start = Clocks.threadTime()
        let ruleSet = try RuleSet(path: rules)
        var result = SetMeasurement(
            rules: ruleSet.ruleCount,
            requests: requests.count,
            loadSeconds: (Clocks.threadTime() - start) / 1e9,
            liveBytes: Memory.live() - before.live,
            peakBytes: (Memory.resident()?.peak ?? 0) - before.resident
        )
        guard !isForLoading else { return result }
        let lookups = Lookups(engine: Engine(ruleSet), requests: requests)
        let others = try others()
        var times: (own: [Double], others: [Double]) = ([], [])
        for _ in 0..<Self.rounds {
            times.own.append(Self.round(lookups))
            if let others { times.others.append(Self.round(others)) }
        }
        (result.nanoseconds, result.others) = Self.quietest(times.own, times.others)
        (result.median, result.percentile99) = Self.single(lookups)
        result.allocations = Double(Self.allocations(lookups)) / Double(lookups.count)
        let emptier = try CacheEmptier()
        var cold: (own: [Double], others: [Double]) = ([], [])
        for _ in 0..<Self.coldRounds {
            cold.own.append(Self.cold(lookups, emptier))
            if let others { cold.others.append(Self.cold(others, emptier)) }
        }
        (result.cold, result.othersCold) = Self.quietest(cold.own, cold.others)
        return result
    }

    /// The median of the stretch of rounds in which the machine had the least other work, and the median of its partner in those rounds.
    private static func quietest(_ own: [Double], _ others: [Double]) -> (own: Double, others: Double?) {
        let stretches = Swift.stride(from: 0, to: own.count, by: stretch).map { $0..<min($0 + stretch, own.count) }
        let medians = stretches.map { Statistics(Array(own[$0])).median }
        guard let least = medians.indices.min(by: { medians[$0] < medians[$1] }) else { return (.nan, nil) }
        return (medians[least], others.isEmpty ? nil : Statistics(Array(others[stretches[least]])).median)
    }

    /// One pass to fill the caches, then whole passes for about a time.
    private static func round(_ lookups: Lookups) -> Double {
        _ = lookups.run(from: 0, count: lookups.count)
        var passes = 0
        var used = 0.0
        let start = Clocks.threadTime()
        while used < roundTime {
            _ = lookups.run(from: 0, count: lookups.count)
            passes += 1
            used = Clocks.threadTime() - start
        }
        return used / Double(passes * lookups.count)
    }

    /// The median and the 99th percentile of single decisions in their quietest stretch, without the time that reading the
    /// clock takes.
    private static func single(_ lookups: Lookups) -> (median: Double, percentile99: Double) {
        let clock = Statistics(
            (0..<1000)
                .map { _ in
                    let start = Clocks.time()
                    return Clocks.time() - start
                }
        )
        let passes = max(1, 4096 / lookups.count)
        var least = (Double.infinity, Double.infinity)
        for _ in 0..<16 {
            var times: [Double] = []
            times.reserveCapacity(passes * lookups.count)
            for _ in 0..<passes {
                for index in 0..<lookups.count {
                    let start = Clocks.time()
                    _ = lookups.decide(at: index)
                    times.append(Clocks.time() - start - clock.median)
                }
            }
            times.sort()
            let percentile99 = times[times.count * 99 / 100]
            if percentile99 < least.1 { least = (times[times.count / 2], percentile99) }
        }
        return least
    }

    private static func allocations(_ lookups: Lookups) -> Int {
        let before = allocation_count()
        _ = lookups.run(from: 0, count: lookups.count)
        return Int(allocation_count() - before)
    }

    /// A decision of a pass before which another process has emptied the caches.
    private static func cold(_ lookups: Lookups, _ emptier: CacheEmptier) -> Double {
        emptier.empty()
        let start = Clocks.threadTime()
        _ = lookups.run(from: 0, count: lookups.count)
        return (Clocks.threadTime() - start) / Double(lookups.count)
    }

    /// Decides about all requests, and while callgrind counts, again.
    func count(without: Bool) throws -> (decisions: Int, allocations: Int) {
        let requests = try requests()
        let ruleSet = try without ? RuleSet(text: self.without ?? "") : RuleSet(path: rules)
        let lookups = Lookups(engine: Engine(ruleSet), requests: requests)
        for _ in 0..<3 { _ = lookups.run(from: 0, count: lookups.count) }
        let passes = max(1, 2048 / lookups.count)
        let before = allocation_count()
        callgrind_start()
        _ = lookups.run(from: 0, count: passes * lookups.count)
        callgrind_stop()
        return (passes * lookups.count, Int(allocation_count() - before))
    }
}
