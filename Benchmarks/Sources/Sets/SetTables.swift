import Foundation
import Measurement

/// The results as tables in Markdown.
struct SetTables {
    var results: SetResults

    var text: String {
        var parts = [
            """
            \(results.date), \(results.machine.processor), \(results.machine.cores) cores. Processor time of a decision; \
            nginx: what the rules add to a request.

            """,
            MarkdownTable.text([Self.head] + results.sets.filter { !$0.isForLoading && !$0.isPart }.map(row)),
            MarkdownTable.text([["part", "adds", "instructions"]] + results.sets.filter(\.isPart).map(part)),
            MarkdownTable.text([Self.loadHead] + results.sets.filter { !$0.isPart }.map(load)),
            MarkdownTable.text([["goal", "at most", "measured", "met"]] + SetGoals(results: results).all.map(goal)),
        ]
        if !results.skipped.isEmpty {
            parts.append("Not measured:\n\n" + results.skipped.map { "* \($0)\n" }.joined())
        }
        return parts.joined(separator: "\n")
    }

    private static let head = [
        "set", "a decision", "99 % within", "caches emptied", "nginx", "instructions", "allocations",
    ]

    private func row(_ set: SetResult) -> [String] {
        let measured = set.measurement
        return [
            set.title, Numbers.time(measured.nanoseconds), Numbers.time(measured.percentile99),
            Numbers.time(measured.cold), set.nginx.map { Numbers.time($0.nanoseconds) } ?? "", count(set.instructions),
            measured.allocations == 0 ? "0" : Numbers.plain(measured.allocations),
        ]
    }

    private func part(_ set: SetResult) -> [String] {
        [
            set.title, set.added.map(Numbers.time) ?? "",
            count(set.addedInstructions),
        ]
    }

    private static let loadHead = ["set", "load", "memory", "peak", "nginx's load", "nginx's peak"]

    private func load(_ set: SetResult) -> [String] {
        let measured = set.measurement
        return [
            set.title, Numbers.time(measured.loadSeconds * 1e9), Numbers.size(measured.liveBytes),
            Numbers.size(measured.peakBytes), set.nginx.map { Numbers.time($0.loadSeconds * 1e9) } ?? "",
            set.nginx.map { Numbers.size($0.peakBytes) } ?? "",
        ]
    }

    private func goal(_ goal: SetGoals.Goal) -> [String] {
        [goal.name, goal.show(goal.bound), goal.show(goal.value), goal.value <= goal.bound ? "yes" : "no"]
    }

    private func count(_ number: Double?) -> String { number.map { Numbers.count(Int($0.rounded())) } ?? "" }
}
