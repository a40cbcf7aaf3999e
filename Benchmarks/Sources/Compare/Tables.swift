import Foundation
import Measurement

/// The results as tables in Markdown, which are readable as text.
struct Tables {
    var results: Results

    /// All tables.
    var text: String {
        var parts = [head, summary("miss-near", "no rule matches"), summary("hit-any", "a rule matches")]
        for workload in order(results.entries.map(\.workload)) {
            parts.append(table(of: workload))
        }
        if !results.compilations.isEmpty { parts.append(compilations) }
        if !results.loads.isEmpty { parts.append(loads) }
        if !results.goals.isEmpty { parts.append(goals) }
        if !results.skipped.isEmpty {
            parts.append("Not measured, or not as expected:\n\n" + results.skipped.map { "* \($0)\n" }.joined())
        }
        return parts.joined(separator: "\n")
    }

    private var head: String {
        let versions = results.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return """
            \(results.date), \(results.machine.processor), \(results.machine.cores) cores, \(results.machine.system)\
            \(results.isQuick ? ", quick run" : "").
            \(versions.joined(separator: "; "))

            Processor time of one lookup, medians. Servers: what the rules add to a request.

            """
    }

    /// The table that most people look for: mixed rules, whether one matches or not.
    private func summary(_ urls: String, _ title: String) -> String {
        let entries = results.entries.filter { $0.workload == "mixed" && $0.urls == urls }
        let counts = Set(entries.map(\.rules)).sorted()
        var rows = [["mixed rules, \(title)"] + counts.map(Numbers.count)]
        for contestant in order(entries.map(\.contestant)) where contestant != "Shunt, no rules" {
            let costs = counts.map { results.median("mixed", $0, urls, contestant) }
            rows.append([contestant] + costs.map { $0.map(Numbers.time) ?? "" })
        }
        return MarkdownTable.text(rows)
    }

    private func table(of workload: String) -> String {
        let entries = results.entries.filter { $0.workload == workload }
        let counts = Set(entries.map(\.rules)).sorted()
        let kinds = order(entries.map(\.urls))
        let contestants = order(entries.map(\.contestant))
        var rows: [[String]] = []
        for kind in kinds {
            for contestant in contestants {
                let costs = counts.map { count in
                    results.median(workload, count, kind, contestant).map(Numbers.time) ?? ""
                }
                if costs.contains(where: { !$0.isEmpty }) { rows.append([kind, contestant] + costs) }
            }
        }
        return "### \(workload)\n\n" + MarkdownTable.text([["URLs", "by"] + counts.map(Numbers.count)] + rows)
    }

    private var compilations: String {
        let entries = results.compilations
        var rows: [[String]] = [["rules", "by", "time", "memory"]]
        for entry in entries where entry.rules >= 10_000 {
            rows.append([
                "\(Numbers.count(entry.rules)) \(entry.workload)", entry.contestant, Numbers.time(entry.seconds * 1e9),
                entry.bytes.map(Numbers.size) ?? "",
            ])
        }
        return "### Compiling\n\n" + MarkdownTable.text(rows)
    }

    private var loads: String {
        var rows = [["rules", "time", "memory", "peak"]]
        for load in results.loads {
            rows.append([
                "\(Numbers.count(load.rules)) \(load.workload)", Numbers.time(load.seconds * 1e9),
                Numbers.size(load.liveBytes), Numbers.size(load.peakBytes),
            ])
        }
        return "### Loading\n\n" + MarkdownTable.text(rows)
    }

    private var goals: String {
        var rows = [["goal", "wanted", "measured", "met"]]
        for goal in results.goals {
            rows.append([
                goal.name, "\(goal.isUpperBound ? "≤" : "≥") \(Numbers.plain(goal.bound))", Numbers.plain(goal.value),
                goal.isMet ? "yes" : "no",
            ])
        }
        return "### Goals\n\n" + MarkdownTable.text(rows)
    }

    /// Names, each once, in the order in which they came.
    private func order(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
