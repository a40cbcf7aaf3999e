package import Shunt

/// Examples as one JSON object.
package enum ExampleJSON {
    /// The examples of the chosen rules.
    package static func object(_ all: [RuleExamples]) -> JSONObject {
        let rules = all.filter { !$0.isTableEntry }
        let entries = all.filter(\.isTableEntry)
        return [
            "schema": "shunt-examples/1",
            "rules": rules.count,
            "with_example": rules.count { !$0.hits.isEmpty },
            "table_entries": entries.count,
            "table_entries_with_example": entries.count { !$0.hits.isEmpty },
            "examples": all.map(object),
        ]
    }

    private static func object(_ entry: RuleExamples) -> JSONObject {
        [
            "rule": entry.rule,
            "text": entry.text,
            "hits": entry.hits.map(object),
            "misses": entry.misses.map(object),
            "unproved": entry.reason?.description,
            "dead_because_of": entry.covers.isEmpty ? nil : entry.covers,
        ]
    }

    private static func object(_ example: Example) -> JSONObject {
        var part: String?
        if case .nearMiss(let missed) = example.kind { part = missed }
        return [
            "request": example.request,
            "part": part,
            "decision": example.decision.kind.rawValue,
            "status": example.decision.status,
            "url": example.decision.urlBytes,
            "route": example.decision.route,
        ]
    }
}
