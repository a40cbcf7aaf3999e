import Foundation
import Shunt
import TestSettings
import Testing

@testable import ShuntConvert

/// All rule sets of HTTPS Everywhere, if the folder with them is there to try them with.
///
/// `SHUNT_HTTPS_EVERYWHERE` names a folder with `rulesets.jsonl`, `expected.jsonl` (URLs and what the active rule sets
/// make of them) and `isolated.jsonl` (URLs and what one rule set alone makes of them).
@Suite(
    "The real rule sets of HTTPS Everywhere",
    .enabled(if: HTTPSEverywhereData.folder != nil, "SHUNT_HTTPS_EVERYWHERE names no folder")
)
struct HTTPSEverywhereDataTests {
    @Test("all rule sets convert and load, and those that are active make the expected URLs")
    func active() throws {
        let ruleSets = try HTTPSEverywhereData.ruleSets()
        var whole = UpgradeRuleWriter()
        let all = try Converted.engine(whole.files(for: ruleSets))
        #expect(whole.problems == [])
        // Some of their expressions are slow on a long text, and one rule stands twice: warnings, and nothing else.
        #expect(Set(all.ruleSet.diagnostics.map(\.code)) == ["slow-regex", "never-reached"])

        var writer = UpgradeRuleWriter()
        let engine = try Converted.engine(writer.files(for: ruleSets.filter(\.isActive)))
        let lines = try HTTPSEverywhereData.lines("expected.jsonl")
        let differences = lines.compactMap { $0.difference(by: engine) }
        #expect(lines.count > 70_000)
        #expect(differences.count == 0, "\(differences.prefix(20).joined(separator: "\n"))")
    }

    @Test("each rule set alone makes the expected URLs")
    func isolated() throws {
        let ruleSets = Dictionary(uniqueKeysWithValues: try HTTPSEverywhereData.ruleSets().map { ($0.file, $0) })
        let lines = try HTTPSEverywhereData.lines("isolated.jsonl")
        var differences: [String] = []
        for (file, lines) in Dictionary(grouping: lines, by: { $0.ruleset ?? "" }) {
            let ruleSet = try #require(ruleSets[file], "\(file)")
            var writer = UpgradeRuleWriter()
            let engine = try Converted.engine(writer.files(for: [ruleSet]))
            differences += lines.compactMap { $0.difference(by: engine) }.map { "\(file): \($0)" }
        }
        #expect(lines.count > 15_000)
        #expect(differences.count == 0, "\(differences.prefix(20).joined(separator: "\n"))")
    }
}

enum HTTPSEverywhereData {
    static let folder = TestSettings.httpsEverywhere

    static func ruleSets() throws -> [UpgradeRuleSet] {
        try UpgradeRuleSet.read(try #require(folder) + "/rulesets.jsonl")
    }

    static func lines(_ name: String) throws -> [ExpectedURL] {
        try ExpectedURL.read(try #require(folder) + "/" + name)
    }
}
