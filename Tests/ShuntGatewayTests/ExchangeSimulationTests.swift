#if Gateway
import NIOCore
import NIOHTTP1
import SeededRandom
import TestSettings
import Testing

@testable import ShuntGateway

/// Exchanges without a socket, to which everything happens in any order.
///
/// `SHUNT_RANDOM_EXCHANGES` is their number.
@Suite struct ExchangeSimulationTests {
    @Test(
        "Each exchange ends once, nothing is sent twice, lost or mixed, and nothing is left",
        .timeLimit(.minutes(240))
    )
    func simulated() {
        let count = TestSettings.randomExchanges
        var outcomes: [String: Int] = [:]
        for seed in 0..<count {
            let simulation = SimulatedExchange(seed: UInt64(seed))
            simulation.run()
            if let problem = simulation.problem {
                Issue.record("seed \(seed): \(problem)\n\(SimulatedExchange.told(seed: UInt64(seed)))")
                return
            }
            outcomes[simulation.outcome, default: 0] += 1
        }
        // A simulation that never reaches something shows nothing about it.
        let rare = ["answered", "unanswered", "aborted", "tunneled"].filter { outcomes[$0, default: 0] * 200 < count }
        #expect(rare.isEmpty, "\(outcomes)")
    }
}
#endif
