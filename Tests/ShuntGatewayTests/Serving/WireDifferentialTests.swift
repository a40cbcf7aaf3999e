#if Gateway
import NginxOracle
import TestSettings
import Testing

/// The bytes for clients and upstreams, compared with a real nginx that has the same configuration.
///
/// `SHUNT_WIRE_SETS` is the number of configurations, `SHUNT_WIRE_SEED` the first of their seeds.
@Suite(.serialized, .enabled(if: NginxProcess.executable != nil, "nginx is not installed: apt-get install nginx"))
struct WireDifferentialTests {
    @Test("Random bytes get the answers of nginx, and upstreams its requests", .timeLimit(.minutes(600)))
    func random() async throws {
        let first = TestSettings.wireSeed
        let seeds = first..<(first + TestSettings.wireSets)
        let start = ContinuousClock.now
        // A client that waits for silence leaves the processor to the others.
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for worker in 0..<Self.workers {
                group.addTask { try await Self.tally(seeds.dropFirst(worker), every: Self.workers) }
            }
            return try await group.reduce(into: Tally()) { $0.add($1) }
        }
        print("wire: \(tally.count) exchanges, seeds from \(first), \(ContinuousClock.now - start)")
        for (reason, number) in tally.refused.sorted(by: { $0.value > $1.value }).prefix(12) {
            print("wire: \(number) \(reason)")
        }
        for (kind, number) in tally.kinds.sorted(by: { $0.value > $1.value }) {
            print("wire: \(number) connections: \(kind)")
        }
        for difference in tally.found {
            print("wire: seed \(difference.set.seed): \(difference.kind): \(difference.firstPair)")
        }
        for difference in tally.found.prefix(TestSettings.differentialMismatches) {
            var shrinker = WireShrinker(try WireRun())
            Issue.record("\(try await shrinker.shrink(difference).text)")
        }
        let isSame = tally.found.isEmpty
        #expect(isSame)
        #expect(tally.count > TestSettings.wireSets)
    }

    /// The results of a number of sets.
    private struct Tally: Sendable {
        var count = 0
        var refused: [String: Int] = [:]
        var kinds: [String: Int] = [:]
        /// The first difference of each kind.
        var found: [WireRun.Difference] = []

        mutating func add(_ difference: WireRun.Difference) {
            if kinds[difference.kind] == nil { found.append(difference) }
            kinds[difference.kind, default: 0] += 1
        }

        mutating func add(_ other: Tally) {
            count += other.count
            refused.merge(other.refused, uniquingKeysWith: +)
            found += other.found.filter { kinds[$0.kind] == nil }
            kinds.merge(other.kinds, uniquingKeysWith: +)
        }
    }

    /// The results of the sets of every `step`th seed, with their own upstreams.
    private static func tally(_ seeds: Range<Int>, every step: Int) async throws -> Tally {
        let run = try WireRun()
        var tally = Tally()
        for seed in stride(from: seeds.lowerBound, to: seeds.upperBound, by: step) where tally.found.count < most {
            var random = RandomWire(seed: seed)
            let set = random.set()
            var refusal: String?
            let note: (String) -> Void = { refusal = $0.replacing(#/\/[^ ]*\d+(\.conf)?|\d+/#, with: "N") }
            var differences: [WireRun.Difference]
            do {
                differences = try await run.differences(set, refused: note)
            } catch {
                // Another program may have taken a port in the meantime.
                differences = try await run.differences(set, refused: note)
            }
            if let refusal { tally.refused[refusal, default: 0] += 1 } else { tally.count += set.requestCount }
            // What differs under load alone is a matter of time.
            if !differences.isEmpty { differences = try await run.differences(set, patience: 5_000) }
            // nginx answers 502 now and then where an upstream with TLS closes.
            for _ in 0..<3 where differences.contains(where: \.isBadGateway) {
                differences = try await run.differences(set, patience: 5_000)
            }
            for difference in differences where !difference.isSentAgain { tally.add(difference) }
        }
        return tally
    }

    /// The number of sets that are asked at one time.
    private static let workers = 5
    /// After so many kinds of differences a run ends: there is enough to read.
    private static let most = 25
}
#endif
