import Foundation
import Shunt
import ShuntAnalysis
import ShuntCore
import Testing

/// Labelled configurations of other linters, where there are some: `SHUNT_LINTER_CASES` is the path of their file.
@Suite("shunt lint: labelled configurations")
struct LabelledFactTests {
    private struct Score {
        var found = 0
        var issues = 0
        var quiet = 0
        var others = 0
        var unwritten = 0
        var unmet: [String] = []
    }

    private static let path = ProcessInfo.processInfo.environment["SHUNT_LINTER_CASES"]

    @Test("Each labelled fact holds, or there is a reason", .enabled(if: path != nil, "SHUNT_LINTER_CASES is not set"))
    func facts() throws {
        let facts = try #require(try LabelledFact.read(Self.path ?? ""))
        var scores: [String: Score] = [:]
        for fact in facts {
            guard let ruleSet = fact.ruleSet() else {
                scores[fact.plugin, default: Score()].unwritten += 1
                continue
            }
            var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
            options.target = .nginx
            options.checks = LabelledFact.checks(of: fact.plugin)
            options.nginxVersion = fact.version
            options.trustedDomains = fact.domains
            let findings = LintRun(ruleSet, options).findings
            let isFound = findings.contains { LabelledFact.checks(of: fact.plugin).contains($0.check) }
            if fact.isIssue {
                scores[fact.plugin, default: Score()].issues += 1
                if isFound { scores[fact.plugin, default: Score()].found += 1 }
            } else {
                scores[fact.plugin, default: Score()].others += 1
                if !isFound { scores[fact.plugin, default: Score()].quiet += 1 }
            }
            if isFound != fact.isIssue {
                let text = (fact.isIssue ? "not found: " : "found: ") + fact.summary
                scores[fact.plugin, default: Score()].unmet.append(text)
            }
        }
        for (plugin, score) in scores.sorted(by: { $0.key < $1.key }) {
            print(
                plugin,
                "\(score.found)/\(score.issues) found, \(score.quiet)/\(score.others) quiet, \(score.unwritten) not written"
            )
            for text in Set(score.unmet).sorted() { print("    \(text)") }
        }
    }
}
