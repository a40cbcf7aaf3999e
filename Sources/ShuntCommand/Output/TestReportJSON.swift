import Shunt
import ShuntAnalysis

/// The result of tests as one JSON object, `shunt-test/1`.
enum TestReportJSON {
    /// The object, with a newline.
    static func bytes(
        _ report: TestReport,
        _ mutations: MutationReport?,
        path: String,
        asOf time: Timestamp
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("schema", "shunt-test/1")
            writer.name("rules")
            writer.object { writer in
                writer.member("path", path)
                writer.member("hash", report.ruleSet.contentHash)
                writer.member("count", report.ruleSet.ruleCount)
            }
            writer.name("tests")
            writer.array { writer in
                for outcome in report.outcomes { write(outcome, to: &writer) }
            }
            writer.member("passed", report.count(.passed))
            writer.member("failed", report.count(.failed))
            writer.member("skipped", report.count(.skipped))
            writer.member("not_checked", report.count(.notChecked))
            if !report.notChecked.isEmpty {
                writer.name("assertions_not_checked")
                writer.object { writer in
                    for (kind, count) in report.notChecked { writer.member(kind, count) }
                }
            }
            if let coverage = report.coverage {
                write(coverage, TargetSolver(report.ruleSet, asOf: time), to: &writer)
            }
            if let mutations { MutationJSON.write(mutations, to: &writer) }
        }
        writer.newline()
        return writer.bytes
    }

    private static func write(_ outcome: TestOutcome, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("place", outcome.test.place)
            if let name = outcome.test.name { writer.member("name", name) }
            writer.member("outcome", outcome.result.rawValue)
            writer.name("request")
            RequestJSON.write(outcome.test.request, to: &writer)
            writer.member("expected", outcome.expected)
            if !outcome.problems.isEmpty {
                writer.name("problems")
                writer.array { writer in
                    for problem in outcome.problems {
                        writer.object { writer in
                            writer.member("kind", problem.kind)
                            writer.member("expected", problem.expected)
                            writer.member("found", problem.found)
                            if let url = problem.url { writer.member("url", url) }
                        }
                    }
                }
            }
            if let reason = outcome.reason { writer.member("why", reason) }
            if let decision = outcome.decision {
                writer.name("decision")
                DecisionJSON.write(decision, to: &writer)
            }
            writer.member("nanoseconds", outcome.nanoseconds)
        }
    }

    private static func write(
        _ coverage: RuleCoverage,
        _ examples: TargetSolver,
        to writer: inout JSONWriter
    ) {
        let identifiers = RuleIdentifier.all(of: coverage.items)
        writer.name("coverage")
        writer.object { writer in
            for kind in RuleCoverage.Kind.allCases {
                let count = coverage.count(kind)
                writer.name(kind.rawValue)
                writer.object { writer in
                    writer.member("covered", count.covered)
                    writer.member("all", count.all)
                    writer.name("missing")
                    writer.array { writer in
                        for item in coverage.missing where item.kind == kind {
                            writer.object { writer in
                                writer.name("rule")
                                DecisionJSON.write(item.location, to: &writer)
                                if let identifier = identifiers[item.location] { writer.member("id", identifier) }
                                writer.member("text", item.text)
                                if let part = item.part { writer.member("part", part) }
                                if let request = examples.request(reaching: item.target) {
                                    writer.name("example")
                                    RequestJSON.write(request, to: &writer)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
