package import Shunt

/// Examples as text for people.
package enum ExampleText {
    package static func lines(_ examples: RuleExamples, style: Style) -> String {
        var text = "\(style("\(examples.rule)", .faint))   \(ShownBytes.text(examples.text))\n"
        for (number, hit) in examples.hits.enumerated() {
            text += line(number == 0 ? "hits" : "", request: hit.request, remark: decision(hit.decision))
        }
        for (number, miss) in examples.misses.enumerated() {
            if case .nearMiss(let part) = miss.kind {
                text += line(number == 0 ? "misses" : "", request: miss.request, remark: part)
            }
        }
        if let reason = examples.reason { text += "  none    \(reason)\n" }
        if !examples.covers.isEmpty { text += "  none    \(covers(examples.covers))\n" }
        return text
    }

    private static func covers(_ covers: [SourceLocation]) -> String {
        "never reached: \(covers.map(\.description).joined(separator: ", ")) match everything that could reach it"
    }

    private static func line(_ title: String, request: RequestDescription, remark: String) -> String {
        let shown = RequestText.shown(request)
        let space = String(repeating: " ", count: max(1, 62 - shown.unicodeScalars.count))
        return "  \(title)\(String(repeating: " ", count: 8 - title.utf8.count))\(shown)\(space)\(remark)\n"
    }

    /// A decision in a few words: what is decided, where that leads, and the route.
    package static func decision(_ decision: Decision) -> String {
        var text = words(of: decision).map { ShownBytes.text($0) }.joined(separator: " ")
        if let route = DecisionText.route(decision) { text += " (route \(route))" }
        return text
    }

    /// A decision as `expect` has it.
    package static func words(of decision: Decision) -> [[UInt8]] {
        var words = [Array(decision.kind.rawValue.utf8)]
        if let status = decision.status, decision.kind != .forward, decision.kind != .degrade {
            words.append(Array(String(status).utf8))
        }
        let leadsOn = decision.kind == .forward || decision.kind == .redirect || decision.kind == .degrade
        if leadsOn, let url = decision.urlBytes { words.append(url) }
        return words
    }

    /// Returns the number of rules with an example, and the rules that have none with the reason.
    package static func summary(_ all: [RuleExamples]) -> String {
        let missing = all.filter(\.hits.isEmpty)
        let rules = all.filter { !$0.isTableEntry }
        let entries = all.filter(\.isTableEntry)
        func share(_ all: [RuleExamples], _ name: String) -> String {
            "\(all.count { !$0.hits.isEmpty }) of \(all.count) \(name)"
        }
        var text =
            entries.isEmpty
            ? share(rules, "rules")
            : rules.isEmpty
                ? share(entries, "table entries")
                : share(rules, "rules") + " and " + share(entries, "table entries")
        text += " have an example."
        guard !missing.isEmpty else { return text + "\n" }
        text += missing.count == 1 ? " 1 has none:" : " \(missing.count) have none:"
        let places = missing.map { entry in
            "\(entry.rule) (\(entry.reason.map(\.description) ?? covers(entry.covers)))"
        }
        return text + (places.count == 1 ? " \(places[0])\n" : places.map { "\n  \($0)" }.joined() + "\n")
    }
}
