import ShuntRules

/// A report on mutations as text for people.
package enum MutationText {
    /// The score, the table by kind, and the first survivors with the requests that would find them.
    package static func text(_ report: MutationReport, suggestions: Int) -> String {
        let counts = report.counts()
        var text =
            "\(report.mutants.count) mutants: \(counts.killed) killed, \(counts.equal) equal to the original (proved), "
        text += "\(counts.survived) survived     mutation score \(tenths(report.score)) %\n"
        if report.untried > 0 { text += "  \(report.untried) more were not tried within the time limit\n" }
        for kind in Mutation.Kind.allCases {
            let counts = report.counts(of: kind)
            guard counts.killed + counts.equal + counts.survived > 0 else { continue }
            text += "  \(kind.rawValue.padded(to: 5))\(kind.title.padded(to: 26))"
            text += "\(counts.killed) killed, \(counts.equal) equal, \(counts.survived) survived\n"
        }
        let survivors = report.survivors
        guard !survivors.isEmpty, suggestions > 0 else { return text }
        let shown = survivors.filter { $0.suggestion != nil }
        if !shown.isEmpty { text += "survivors that one request each would kill:\n" }
        for (mutation, suggestion) in shown.prefix(suggestions) {
            guard let suggestion else { continue }
            text += "  \(mutation.rule)  \(mutation.change)\n"
            text += "    \(RequestText.shown(suggestion.request, showsUsualMethod: true))"
            text += "     today: \(ExampleText.decision(suggestion.today))\n"
            text += "    is that meant? to keep it so:   "
            text += "\(ExpectationText.directive(suggestion.request, suggestion.today))\n"
        }
        if shown.count > suggestions { text += "  …\(shown.count - suggestions) more\n" }
        let open = survivors.filter { $0.suggestion == nil }
        if !open.isEmpty { text += "survivors for which no request was found:\n" }
        for (mutation, _) in open.prefix(suggestions) { text += "  \(mutation.rule)  \(mutation.change)\n" }
        if open.count > suggestions { text += "  …\(open.count - suggestions) more\n" }
        return text
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded(.down))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
