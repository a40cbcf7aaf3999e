#if Gateway
@testable import ShuntGateway
import Testing

@Suite("Totals of the requests of a gateway") struct GatewayTotalsTests {
    @Test(
        "The 99th percentile of the time since an earlier moment lies within its bucket",
        arguments: [
            ([100], [], 247), ([99, 1], [], 250), ([980, 20], [], 375), ([0, 0, 0, 1000], [], 2485), ([99], [], 0),
            ([1000, 200], [1000, 100], 497), ([1000, 100], [1000, 100], 0),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100], [], 5_000_000),
        ] as [([Int], [Int], Int)]
    )
    func slowest(now: [Int], before: [Int], expected: Int) {
        var (totals, earlier) = (GatewayTotals(), GatewayTotals())
        totals.durations = now
        earlier.durations = before
        #expect(totals.slowMicroseconds(since: earlier) == expected)
    }
}
#endif
