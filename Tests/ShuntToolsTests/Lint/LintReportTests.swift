import Foundation
import Shunt
import ShuntCore
import ShuntTools
import Testing

@Suite("shunt lint: reports of many findings, and the rules that ship")
struct LintReportTests {
    @Test("SARIF of all statements: what the form asks for, and each check is listed")
    func sarif() throws {
        let statements =
            LintOrderTests.orderStatements + LintOrderTests.cycleStatements + LintSecurityTests.securityStatements
            + LintSecurityTests.otherStatements
        let runs = try statements.map { statement in
            var options = LintOptions(asOf: Timestamp(seconds: statement.asOf))
            options.target = statement.target
            let ruleSet = try RuleSet(text: statement.rules, named: "r")
            return (path: "r", run: LintRun(ruleSet, options), ruleSet: ruleSet)
        }
        let findings = runs.flatMap(\.run.findings)
        #expect(findings.count > statements.count)
        let object = try JSONSerialization.jsonObject(with: Data(LintSARIF.bytes(runs, findings)))
        let document = try #require(object as? [String: Any])
        #expect(document["version"] as? String == "2.1.0")
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] is String)
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let ids = rules.compactMap { $0["id"] as? String }
        #expect(ids.count == rules.count)
        #expect(Set(ids).count == ids.count)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == findings.count)
        for result in results {
            #expect(ids.contains(try #require(result["ruleId"] as? String)))
            #expect(["note", "warning", "error"].contains(try #require(result["level"] as? String)))
            let text = (result["message"] as? [String: Any])?["text"] as? String
            #expect(text?.isEmpty == false)
            for case let location as [String: Any] in result["locations"] as? [Any] ?? [] {
                let place = try #require(location["physicalLocation"] as? [String: Any])
                #expect((place["artifactLocation"] as? [String: Any])?["uri"] is String)
                let region = try #require(place["region"] as? [String: Any])
                #expect(try #require(region["startLine"] as? Int) > 0)
                #expect(try #require(region["startColumn"] as? Int) > 0)
            }
        }
    }

    @Test("The rules that ship have no window that has ended", arguments: [1_793_491_200, 1_795_305_600] as [Int64])
    func windows(asOf: Int64) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var options = LintOptions(asOf: Timestamp(seconds: asOf))
        options.checks = ["past-window"]
        let findings = LintRun(try RuleSet(path: root.path + "/rules"), options).findings
        #expect(findings.isEmpty, "\(findings.map(\.diagnostic.message))")
    }
}
