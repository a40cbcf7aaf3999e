#if Gateway
import Shunt
import Testing

@testable import ShuntGateway

@Suite("The circle of a consistent hash")
struct HashRingTests {
    /// The circle that is made when rules with servers of these weights are loaded.
    static func ring(_ weights: [Int]) throws -> HashRing {
        let servers = weights.enumerated().map { "server 127.0.0.1:\(8000 + $0.offset) weight=\($0.element);" }
        let rules = """
            upstream u { hash $uri consistent; \(servers.joined(separator: " ")) }
            server { listen 80; location / { proxy_pass http://u; } }
            """
        let ruleSet = try RuleArchive(["a.conf": rules]).compile()
        let table = PeerTable()
        try table.prepare(ruleSet, replacing: nil)
        return try #require(table.groups(of: ruleSet).first?.ring)
    }

    @Test(
        "The points do not grow with a number in a rule file",
        arguments: [[1_000_000, 1_000_000], [40_000, 40_000], [999_999_999], [999_999_999, 1, 1], [3_000, 500]]
    )
    func bounded(weights: [Int]) throws {
        let count = try Self.ring(weights).count
        #expect(count <= HashRing.mostPoints + weights.count)
        #expect(count >= HashRing.mostPoints * 9 / 10)
    }

    @Test(
        "Up to the limit each part of a weight has its 160 points",
        arguments: [[1, 1], [5, 3, 1], [1_000, 2_000]]
    )
    func usual(weights: [Int]) throws {
        // Points that fall together are one.
        let all = weights.reduce(0, +) * 160
        #expect((all * 99 / 100...all).contains(try Self.ring(weights).count))
    }

    @Test("Beyond the limit servers have the shares of their weights")
    func shares() throws {
        let ring = try Self.ring([3_000_000, 1_000_000])
        let first = (0..<20_000)
            .count { ring.server(at: ring.place(of: Array("/page/\($0)".utf8))) == "127.0.0.1:8000" }
        #expect((14_400...15_600).contains(first), "\(first)")
    }
}
#endif
