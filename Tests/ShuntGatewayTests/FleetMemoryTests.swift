#if Gateway && Fleet
import Foundation
import TestFolder
import TestSettings
import Testing

/// The memory of a node for releases that are over.
///
/// How many there are is in `SHUNT_FLEET_RELEASES`, how many rules each has in `SHUNT_FLEET_RULES`; with the optimized program in
/// `SHUNT_PROGRAM` they may be thousands.
@Suite("Memory of a node") struct FleetMemoryTests {
    @Test("Memory does not grow with the number of releases")
    func releases() async throws {
        let releases = TestSettings.fleetReleases ?? 12
        let rules = TestSettings.fleetRules ?? 300
        let folder = try await FleetNodeTests.folder()
        let lines = (0..<rules)
            .map { #"rewrite_url ^https://a\.test/old-\#($0)/(\d+)\.html$ https://a.test/new-\#($0)/$1 last;"# }
        try folder.write("rules/20-many.conf", lines.joined(separator: "\n") + "\n")
        let options = ["--stages", "100%", "--bake", "0", "--spread", "0", "--wait"]
        try await FleetNodeTests.publish(folder, options + ["--added", "1000000"])
        let node = try await FleetNodeTests.node("edge-1", "file:\(folder.path)/releases", folder)
        var sizes: [Int] = []
        for number in 0..<releases {
            let status = 400 + number % 100
            try FleetNodeTests.answer(status, folder)
            async let published = FleetNodeTests.publish(folder, options)
            try await Wait.until("release \(number + 3) serves") {
                _ = try await node.reload()
                return try await node.ask("/").status == status
            }
            _ = try await published
            sizes.append(try node.residentBytes())
        }
        // The first releases fill what is kept between them.
        let first = sizes[(releases / 4)..<(releases / 2)].max() ?? 0
        let last = sizes.suffix(releases / 4).max() ?? 0
        print("memory over \(releases) releases of \(rules) rules: \(first >> 10) KiB, then \(last >> 10) KiB")
        // Of a few releases it is the memory that grows, and not what the system counts of it.
        #expect(Double(last) <= Double(first) * (releases < 100 ? 1.1 : 1.05))
    }
}
#endif
