import Shunt

struct CheckReport {
    /// The directives that the gateway may do without.
    let accepted: Set<String>
    let listsIgnored: Bool
    private var diagnostics: [Diagnostic] = []
    private var ruleCount = 0
    private var routeCount = 0
    private var serverCount = 0
    /// The rules that no index can pass over.
    private var alwaysTried: [AlwaysTriedRule] = []
    private var ignored: [DirectiveUses] = []
    /// True if a path could not be read at all.
    private(set) var isUnreadable = false

    init(accepted: Set<String> = [], listsIgnored: Bool = false) {
        self.accepted = accepted
        self.listsIgnored = listsIgnored
    }

    /// Loads a rule set and adds what is wrong with it.
    mutating func check(_ path: String, allowsEmpty: Bool, load: (String) throws(RuleSetError) -> RuleSet) {
        do throws(RuleSetError) {
            let ruleSet = try load(path)
            diagnostics += ruleSet.diagnostics(ofServingAccepting: accepted)
            ignored += listsIgnored ? ruleSet.ignored : []
            ruleCount += ruleSet.ruleCount
            routeCount += ruleSet.routes?.routes.count ?? 0
            serverCount += ruleSet.serverCount
            alwaysTried += ruleSet.alwaysTriedRules
            if ruleSet.isEmpty, !allowsEmpty { diagnostics.append(Self.noRules(in: path)) }
        } catch {
            diagnostics += error.diagnostics
            isUnreadable =
                isUnreadable || error.diagnostics.contains { $0.has(.unreadableFile) && $0.location.file == path }
        }
    }

    private static func noRules(in path: String) -> Diagnostic {
        let message = "there is no rule in \(RequestFields.quoted(path))"
        let advice = "if that is meant, add --allow-empty"
        return Diagnostic(.error(.noRules), message, at: .whole(path), suggestion: advice)
    }

    var errorCount: Int { count(.error) }

    private var warningCount: Int { count(.warning) }

    private func count(_ severity: Diagnostic.Severity) -> Int {
        diagnostics.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }

    func text(usesColor: Bool) -> String {
        let errors = Self.counted(errorCount, "error")
        let warnings = Self.counted(warningCount, "warning")
        let rules = errorCount == 0 ? "\(counts): " : ""
        return DiagnosticRenderer(usesColor: usesColor).render(diagnostics) + ignoredText + alwaysTriedText
            + "\(rules)\(errors), \(warnings)\n"
    }

    /// The number of rules; where there are none, what there is instead.
    private var counts: String {
        let others = [(serverCount, "server"), (routeCount, "route")].filter { ruleCount == 0 && $0.0 > 0 }
        return ([Self.counted(ruleCount, "rule")] + others.map { Self.counted($0.0, $0.1) }).joined(separator: ", ")
    }

    /// The directives without effect, each with its first place.
    private var ignoredText: String {
        ignored.map { use in
            let times = use.count == 1 ? "" : ", \(use.count) times"
            return "without effect: \(use.name) (\(use.location)\(times))\(use.note.map { ": \($0)" } ?? "")\n"
        }
        .joined()
    }

    /// The rules that are tried on every request, with the reasons; a few in full.
    private var alwaysTriedText: String {
        guard !alwaysTried.isEmpty else { return "" }
        let shown = 10
        var lines = ["tried on every request, because the pattern contains no fixed text:"]
        for rule in alwaysTried.prefix(shown) {
            lines.append("  \(rule.location): \(ShownBytes.text(rule.text))\n    \(rule.reason)")
        }
        if alwaysTried.count > shown { lines.append("  and \(alwaysTried.count - shown) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A number and what is counted, such as `2 errors`.
    static func counted(_ count: Int, _ noun: String) -> String {
        switch count {
        case 0: "no \(noun)s"
        case 1: "1 \(noun)"
        default: "\(count) \(noun)s"
        }
    }

    var json: [UInt8] {
        let ignored = ignored.map { use -> JSONObject in
            [
                "directive": use.name, "file": use.location.file, "line": use.location.line, "count": use.count,
                "note": use.note,
            ]
        }
        let report: JSONObject = [
            "schema": "shunt-check/1",
            "diagnostics": diagnostics.map(\.json),
            "errors": errorCount,
            "warnings": warningCount,
            "rules": ruleCount,
            "always_tried": alwaysTried.map { $0.location.members.adding(["rule": $0.text, "reason": $0.reason]) },
            "ignored": listsIgnored ? ignored : nil,
        ]
        return report.line
    }
}
