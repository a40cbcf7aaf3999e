#if Gateway
import Foundation
import Testing

/// The dashboard for Grafana that the package has.
@Suite(.serialized) struct DashboardTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable { let expr: String }
            struct Place: Decodable { let x: Int, y: Int, w: Int, h: Int }
            let id: Int
            let title: String
            let gridPos: Place
            let targets: [Target]?
        }
        let panels: [Panel]
    }

    private static func dashboard() throws -> Dashboard {
        let file = Recipe.root.appendingPathComponent("packaging/grafana.json")
        return try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: file))
    }

    /// Metrics of a gateway with certificates or of a node of a fleet, which the gateway of this test has not.
    private static let occasional: Set<String> = [
        "shunt_tls_not_after_seconds", "shunt_fleet_release", "shunt_fleet_contact_age_seconds", "shunt_fleet_followed",
        "shunt_fleet_applied",
    ]

    @Test("The dashboard shows every metric, and none that the gateway does not have")
    func names() async throws {
        let shown = try Self.dashboard().panels.flatMap { $0.targets ?? [] }
            .flatMap { target in
                target.expr.matches(of: /shunt_[a-z_]+/).map { String($0.0) }
            }
        try await RunningGateway.with(AdminTests.good) { gateway in
            _ = try await gateway.get("/a")
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            let series = Set(metrics.matches(of: /\n(shunt_[a-z_]+)[ {]/).map { String($0.1) })
            #expect(series.count > 20)
            #expect(Set(shown).subtracting(series) == Self.occasional)
            let families = Set(metrics.matches(of: /# TYPE (\S+)/).map { String($0.1) })
            let parts = shown.map { $0.replacing(/_(bucket|sum|count)$/, with: "") }
            #expect(families.subtracting(shown + parts).isEmpty)
        }
    }

    @Test("Labels of the dashboard are labels of the metric")
    func labels() async throws {
        let expressions = try Self.dashboard().panels.flatMap { $0.targets ?? [] }.map(\.expr)
        try await RunningGateway.with(AdminTests.good) { gateway in
            _ = try await gateway.get("/a")
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            var count = 0
            for expression in expressions {
                guard let label = expression.firstMatch(of: /by \((\w+)\)/)?.1,
                    let name = expression.firstMatch(of: /shunt_[a-z_]+/)?.0,
                    label != "instance", !Self.occasional.contains(String(name))
                else { continue }
                count += 1
                #expect(metrics.contains("\n\(name){\(label)=\""), "\(expression)")
            }
            #expect(count >= 6)
        }
    }

    @Test("No panel covers another one")
    func places() throws {
        let panels = try Self.dashboard().panels
        #expect(Set(panels.map(\.id)).count == panels.count)
        var taken: Set<[Int]> = []
        for panel in panels {
            let place = panel.gridPos
            for x in place.x..<place.x + place.w {
                for y in place.y..<place.y + place.h {
                    #expect(x < 24 && taken.insert([x, y]).inserted, "\(panel.title)")
                }
            }
        }
    }
}
#endif
