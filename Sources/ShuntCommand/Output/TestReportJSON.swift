import Shunt
import ShuntTools

/// The result of tests as one JSON object, `shunt-test/1`.
enum TestReportJSON {
    static func bytes(_ report: TestReport, _ mutations: MutationReport?, path: String, asOf: Timestamp) -> [UInt8] {
        let rules: JSONObject = ["path": path, "hash": report.ruleSet.contentHash, "count": report.ruleSet.ruleCount]
        let notChecked = JSONObject(report.notChecked.map { ($0.kind, $0.count) })
        let whole: JSONObject = [
            "schema": "shunt-test/1",
            "rules": rules,
            "tests": report.outcomes.map(object),
            "passed": report.count(.passed),
            "failed": report.count(.failed),
            "skipped": report.count(.skipped),
            "not_checked": report.count(.notChecked),
            "assertions_not_checked": report.notChecked.isEmpty ? nil : notChecked,
            "coverage": report.coverage.map { object($0, TargetSolver(report.ruleSet, asOf: asOf)) },
            "mutation": mutations.map(MutationJSON.object),
        ]
        return whole.line
    }

    private static func object(_ outcome: TestOutcome) -> JSONObject {
        let problems = outcome.problems.map { problem -> JSONObject in
            ["kind": problem.kind, "expected": problem.expected, "found": problem.found, "url": problem.url]
        }
        return [
            "place": outcome.test.place,
            "name": outcome.test.name,
            "outcome": outcome.result.rawValue,
            "request": outcome.test.request,
            "expected": outcome.expected,
            "problems": problems.isEmpty ? nil : problems,
            "why": outcome.reason,
            "decision": outcome.decision.map { DecisionJSON.object($0) },
            "nanoseconds": outcome.nanoseconds,
        ]
    }

    private static func object(_ coverage: RuleCoverage, _ examples: TargetSolver) -> JSONObject {
        let identifiers = RuleIdentifier.all(of: coverage.items)
        return JSONObject(
            RuleCoverage.Kind.allCases.map { kind in
                let count = coverage.count(kind)
                let missing = coverage.missing.filter { $0.kind == kind }
                    .map { item -> JSONObject in
                        [
                            "rule": item.location,
                            "id": identifiers[item.location],
                            "text": item.text,
                            "part": item.part,
                            "example": examples.request(reaching: item.target),
                        ]
                    }
                let found: JSONObject = ["covered": count.covered, "all": count.all, "missing": missing]
                return (kind.rawValue, found)
            }
        )
    }
}

/// The results of small changes of the rules, as the member `mutation` of `shunt-test/1`.
enum MutationJSON {
    static func object(_ report: MutationReport) -> JSONObject {
        let counts = report.counts()
        let survivors = report.survivors.map { mutation, suggestion -> JSONObject in
            [
                "kind": mutation.kind.rawValue,
                "rule": mutation.rule,
                "change": mutation.change,
                "request": suggestion?.request,
                "today": suggestion.map { DecisionJSON.object($0.today) },
                "changed": suggestion.map { DecisionJSON.object($0.changed) },
            ]
        }
        return [
            "mutants": report.mutants.count,
            "untried": report.untried > 0 ? report.untried : nil,
            "killed": counts.killed,
            "equal": counts.equal,
            "survived": counts.survived,
            "score": ReportNumbers.decimal(report.score, 1),
            "survivors": survivors,
        ]
    }
}
