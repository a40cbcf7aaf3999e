import Foundation
import NginxOracle
import TestSettings
import Testing

extension ShuntAdapter: ComparedEngine {
    init(_ rules: RuleText, files: [SupportFile], ports: [UInt16]) throws {
        try self.init(rules, files: files, ports: ports, isLinear: false)
    }
}

/// Random rule sets and requests, asked of nginx and of Shunt.
///
/// The fixed seeds decide whether a change is right. The seeds of the day look for what was never seen yet: what they
/// find is reported and kept, but does not fail a change that did not cause it. `scripts/record-kept` makes a recorded
/// case of it.
///
/// The environment makes a run longer or repeats one, and then whatever differs fails: `SHUNT_DIFFERENTIAL_PAIRS` is the
/// number of pairs of a rule set and a request, `SHUNT_DIFFERENTIAL_SECONDS` the time, `SHUNT_DIFFERENTIAL_SEED` the
/// first seed.
@Suite(.serialized, .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"))
struct DifferentialTests {
    /// The seed of the batches that every run has.
    static let fixedSeed: UInt64 = 20_260_101
    /// After so many mismatches a run ends: there is enough to read.
    static let mostMismatches = TestSettings.differentialMismatches

    @Test func agreesOnFixedSeeds() throws {
        try Self.expectNone(Self.differences(from: Self.fixedSeed, pairs: 50_000, seconds: nil))
    }

    @Test func looksAtTheSeedsOfTheDay() throws {
        let pairs = TestSettings.differentialPairs
        let seconds = TestSettings.differentialSeconds ?? (pairs == nil ? 20 : nil)
        let asked = TestSettings.differentialSeed.map { UInt64(clamping: $0) }
        let found = try Self.differences(from: asked ?? Self.seedOfTheDay, pairs: pairs ?? Int.max, seconds: seconds)
        guard asked == nil, pairs == nil else { return Self.expectNone(found) }
        for difference in found {
            let path = try KeptCases.keep(difference.report, seed: difference.seed)
            withKnownIssue("kept for another change; scripts/record-kept makes a recorded case of it") {
                Issue.record("\(path):\n\(difference.report)")
            }
        }
    }

    /// A number for each day, from which the seeds of one day do not reach those of the next.
    static var seedOfTheDay: UInt64 {
        UInt64(max(0, Date().timeIntervalSince1970) / 86_400) &* 1_000_000
    }

    private static func expectNone(_ differences: [Mismatch]) {
        for difference in differences { Issue.record("\(difference.report)") }
        #expect(differences.count == 0, "\(differences.count) rule sets differ")
    }

    /// The differences, as small as they can be made.
    static func differences(from firstSeed: UInt64, pairs: Int, seconds: Int?) throws -> [Mismatch] {
        let oracle = try #require(NginxOracle())
        let run = DifferentialRun<ShuntAdapter>(oracle: oracle)
        let clock = ContinuousClock()
        let start = clock.now
        var seed = firstSeed
        var done = 0
        var refusals: [String] = []
        var failures: [String] = []
        // One request of a rule set shows as much as all of them.
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
        return try distinct.prefix(mostMismatches)
            .map { mismatch in
                var shrinker = Shrinker<ShuntAdapter>(oracle: oracle)
                return try shrinker.shrink(mismatch)
            }
    }
}
