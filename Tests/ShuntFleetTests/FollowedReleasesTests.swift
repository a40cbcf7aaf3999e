#if Fleet && os(Linux)
import Foundation
import Shunt
import ShuntFleet
import Testing
import TestSettings

/// The memory of a node for releases that are over.
///
/// How many releases there are is in `SHUNT_FLEET_RELEASES`, how many rules each has in `SHUNT_FLEET_RULES`. The memory is that of the
/// whole process, so it is measured where nothing else is run.
@Suite("A node through many releases")
struct FollowedReleasesTests {
    static let releases = TestSettings.fleetReleases

    static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    @Test("The memory of a node does not grow with the releases that it has had", .enabled(if: releases != nil))
    func memory() async throws {
        let releases = Self.releases ?? 0
        let rules = TestSettings.fleetRules ?? 1000
        let fleet = try ReleasedFleet(inMemory: true)
        var files = ["20-many.conf": ""]
        files["20-many.conf"] = (0..<rules)
            .map { #"rewrite_url ^https://a\.test/old-\#($0)/(\d+)\.html$ https://a.test/new-\#($0)/$1 last;"# + "\n" }
            .joined()
        try await fleet.publish(files.merging(ReleasedFleet.answer(200)) { $1 })
        let node = fleet.node()
        let store = try await node.open()
        var sizes: [Int] = []
        for number in 0..<releases {
            let status = 201 + number % 99
            try await fleet.publish(files.merging(ReleasedFleet.answer(status)) { $1 })
            await node.look()
            #expect(ReleasedFleet.status(store) == status)
            sizes.append(Self.residentBytes)
        }
        // The first releases fill what is kept between them.
        let first = sizes[(releases / 10)..<(releases / 5)].max() ?? 0
        let last = sizes.suffix(releases / 10).max() ?? 0
        print("\(releases) releases of \(rules) rules: \(first >> 10) KiB, at last \(last >> 10) KiB")
        #expect(Double(last) <= Double(first) * 1.05)
    }
}
#endif
