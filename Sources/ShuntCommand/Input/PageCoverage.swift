#if Gateway && Command
import Shunt
import ShuntTools

/// The coverage of rules by their tests, for the page.
enum PageCoverage {
    /// The most places without a test that are listed.
    private static let limit = 1_000

    /// The result of the tests that rules bring along and of those next to them; `problem` if they cannot be read.
    static func bytes(_ path: String, trusting trusted: [String], ignoringUnknownDirectives: Bool) -> [UInt8] {
        do throws(RuleSetError) {
            let ruleSet = try RuleSet(
                collectingTestsAt: path,
                trusting: trusted,
                ignoringUnknownDirectives: ignoringUnknownDirectives
            )
            var sources = TestSources(ruleSet, host: nil)
            sources.addBeside(path)
            let problem: JSONObject = ["problem": sources.problems.first.map { "\($0.location): \($0.message)" }]
            var options = RuleTests.Options()
            options.time = Timestamp.now()
            options.collectsCoverage = true
            return problem.adding(object(RuleTests(ruleSet, sources.cases, options: options).run())).line
        } catch {
            return (["problem": "the rules do not load"] as JSONObject).line
        }
    }

    private static func object(_ report: TestReport) -> JSONObject {
        let items = report.coverage?.items ?? []
        let missing = items.filter { !$0.isCovered }.prefix(limit)
            .map { item -> JSONObject in
                [
                    "rule": item.location.description,
                    "kind": item.kind.rawValue,
                    "text": item.part.map { "\(item.text): \($0)" } ?? item.text,
                ]
            }
        return [
            "tests": report.outcomes.count,
            "failed": report.count(.failed),
            "targets": items.count,
            "reached": items.count { $0.isCovered },
            "missing": missing,
        ]
    }
}
#endif
