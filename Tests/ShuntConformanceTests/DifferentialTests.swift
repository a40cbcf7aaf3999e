import Foundation
import NginxOracle
import Testing

extension ShuntAdapter: ComparedEngine {
    init(_ rules: RuleText, files: [SupportFile], ports: [UInt16]) throws {
        try self.init(rules, files: files, ports: ports, isLinear: false)
    }
}

/// Random rule sets and requests, asked of nginx and of Shunt.
///
/// The environment makes a run longer or repeats one: `SHUNT_DIFFERENTIAL_PAIRS` is the number of pairs of a rule set
/// and a request, `SHUNT_DIFFERENTIAL_SECONDS` the time for random seeds, `SHUNT_DIFFERENTIAL_SEED` the first of them.
@Suite(.serialized, .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"))
struct DifferentialTests {
    /// The seed of the batches that every run has.
    static let fixedSeed: UInt64 = 20_260_101
    /// After so many mismatches a run ends: there is enough to look at.
    static let mostMismatches = Int(clamping: setting("MISMATCHES") ?? 3)

    static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment["SHUNT_DIFFERENTIAL_" + name].flatMap { UInt64($0) }
    }

    @Test func agreesOnFixedSeeds() throws {
        try Self.compare(from: Self.fixedSeed, pairs: 50_000, seconds: nil)
    }

    @Test func agreesOnRandomSeeds() throws {
        let seed = Self.setting("SEED") ?? UInt64.random(in: 1...UInt64(UInt32.max))
        let pairs = Self.setting("PAIRS").map { Int(clamping: $0) }
        let seconds = Self.setting("SECONDS").map { Int(clamping: $0) } ?? (pairs == nil ? 20 : nil)
        try Self.compare(from: seed, pairs: pairs ?? Int.max, seconds: seconds)
    }

    static func compare(from firstSeed: UInt64, pairs: Int, seconds: Int?) throws {
        let oracle = try #require(NginxOracle())
        let run = DifferentialRun<ShuntAdapter>(oracle: oracle)
        let clock = ContinuousClock()
        let start = clock.now
        var seed = firstSeed
        var done = 0
        var refusals: [String] = []
        var failures: [String] = []
        // One request of a rule set says as much as all of them.
        var distinct: [Mismatch] = []
        while done < pairs, distinct.count < mostMismatches, seconds.map({ clock.now - start < .seconds($0) }) ?? true {
            let batch = try run.batch(seed: seed)
            var seen = Set<UInt64>()
            distinct += batch.mismatches.filter { seen.insert($0.seed).inserted }
            refusals += batch.refusals
            failures += batch.failures
            seed &+= UInt64(run.setsPerBatch)
            done += run.pairsPerBatch
        }
        print("differential: \(done) pairs, seeds \(firstSeed)..<\(seed), \(clock.now - start)")
        // What nginx refuses or dies of is not compared: it should be little.
        for line in refusals + failures { print("differential: nginx: \(line)") }
        for mismatch in distinct.prefix(mostMismatches) {
            var shrinker = Shrinker<ShuntAdapter>(oracle: oracle)
            let small = try shrinker.shrink(mismatch)
            Issue.record("\(small.report)")
        }
        #expect(distinct.count == 0, "\(distinct.count) rule sets differ")
    }
}
