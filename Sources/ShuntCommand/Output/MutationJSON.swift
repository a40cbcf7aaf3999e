import Shunt
import ShuntAnalysis

/// The results of small changes of the rules, as the member `mutation` of `shunt-test/1`.
enum MutationJSON {
    static func write(_ report: MutationReport, to writer: inout JSONWriter) {
        let counts = report.counts()
        writer.name("mutation")
        writer.object { writer in
            writer.member("mutants", report.mutants.count)
            if report.untried > 0 { writer.member("untried", report.untried) }
            writer.member("killed", counts.killed)
            writer.member("equal", counts.equal)
            writer.member("survived", counts.survived)
            writer.member("score", ReportNumbers.oneDigit(report.score))
            writer.name("survivors")
            writer.array { writer in
                for (mutation, suggestion) in report.survivors {
                    writer.object { writer in
                        writer.member("kind", mutation.kind.rawValue)
                        writer.name("rule")
                        DecisionJSON.write(mutation.rule, to: &writer)
                        writer.member("change", mutation.change)
                        guard let suggestion else { return }
                        writer.name("request")
                        RequestJSON.write(suggestion.request, to: &writer)
                        writer.name("today")
                        DecisionJSON.write(suggestion.today, to: &writer)
                        writer.name("changed")
                        DecisionJSON.write(suggestion.changed, to: &writer)
                    }
                }
            }
        }
    }
}
