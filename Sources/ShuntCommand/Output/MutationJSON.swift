import Shunt
import ShuntTools

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
            "score": ReportNumbers.oneDigit(report.score),
            "survivors": survivors,
        ]
    }
}
