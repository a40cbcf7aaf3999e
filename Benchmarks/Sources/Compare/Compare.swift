import ArgumentParser
import Foundation
import Workloads

/// Measures Shunt and its peers on the same rules and URLs, in turns, in one run.
@main
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measures Shunt and its peers on the same rules and URLs, in turns, in one run.",
        discussion: "Prints tables, and writes results.json, results.md and plot.svg. See Benchmarks/README.md."
    )

    @Flag(help: "Fewer rules and rounds: about two minutes.")
    var quick = false

    @Option(help: "The folder for the results; made if it is not there.")
    var output: String

    @Option(help: "The folder with the programs of Peers/.")
    var peers: String

    @Option(help: "The results.json of an earlier run, to compare with.")
    var baseline: String?

    @Option(help: "A folder with real rules in rules/ and URLs in urls.txt, to measure too.")
    var real: String?

    func run() throws {
        var results = Results()
        results.isQuick = quick
        results.versions = Versions.all()
        let earlier = try baseline.map(Results.read)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shunt-\(getpid())").path
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let plan = Plan(
            isQuick: quick,
            folder: folder,
            peers: peers,
            single: own.appendingPathComponent("single").path
        )
        try plan.run(into: &results)
        if let real {
            do {
                try RealRules(folder: real).run(into: &results)
            } catch {
                results.skipped.append("real rules: \(error)")
            }
        } else {
            results.skipped.append("real rules: none given")
        }
        results.goals = Goals(results: results).all
        var text = Tables(results: results).text
        if let earlier { text += "\n" + Baseline(earlier: earlier, results: results).text }
        try results.write(to: "\(output)/results.json")
        try text.write(toFile: "\(output)/results.md", atomically: true, encoding: .utf8)
        try Plot(results: results).svg.write(toFile: "\(output)/plot.svg", atomically: true, encoding: .utf8)
        print(text)
    }
}
