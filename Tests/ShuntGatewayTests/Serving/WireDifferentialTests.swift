#if Gateway
import NginxOracle
import TestSettings
import Testing

/// The bytes for clients and upstreams, compared with a real nginx that has the same configuration.
///
/// `SHUNT_WIRE_SETS` says how many configurations there are, `SHUNT_WIRE_SEED` where their seeds begin.
@Suite(.serialized, .enabled(if: NginxProcess.executable != nil, "nginx is not installed: apt-get install nginx"))
struct WireDifferentialTests {
    @Test("Random bytes get the answers of nginx, and upstreams its requests", .timeLimit(.minutes(600)))
    func random() async throws {
        let run = try WireRun()
        let first = TestSettings.wireSeed
        let start = ContinuousClock.now
        var (count, refused, kinds) = (0, [String: Int](), [String: Int]())
        var found: [WireRun.Difference] = []
        for seed in first..<(first + TestSettings.wireSets) where found.count < Self.most {
            var random = RandomWire(seed: seed, upstreams: run.upstreams)
            let set = random.set()
            var isRefused = false
            var differences = try await run.differences(set) { reason in
                isRefused = true
                refused[reason.replacing(#/\/[^ ]*\d+(\.conf)?|\d+/#, with: "N"), default: 0] += 1
            }
            if !isRefused { count += set.requestCount }
            // What differs under load alone is a matter of time.
            if !differences.isEmpty { differences = try await run.differences(set, patience: 5_000) }
            for difference in differences {
                if kinds[difference.kind] == nil { found.append(difference) }
                kinds[difference.kind, default: 0] += 1
            }
        }
        print("wire: \(count) exchanges, seeds from \(first), \(ContinuousClock.now - start)")
        for (reason, number) in refused.sorted(by: { $0.value > $1.value }).prefix(12) {
            print("wire: \(number) \(reason)")
        }
        for (kind, number) in kinds.sorted(by: { $0.value > $1.value }) {
            print("wire: \(number) connections: \(kind)")
        }
        for difference in found {
            print("wire: seed \(difference.set.seed): \(difference.kind): \(difference.firstPair)")
        }
        for difference in found.prefix(TestSettings.differentialMismatches) {
            var shrinker = WireShrinker(run)
            Issue.record("\(try await shrinker.shrink(difference).text)")
        }
        let isSame = found.isEmpty
        #expect(isSame)
        #expect(count > TestSettings.wireSets)
    }

    /// After so many kinds of differences a run ends: there is enough to look at.
    private static let most = 25
}
#endif
