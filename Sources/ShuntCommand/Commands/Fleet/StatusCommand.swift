#if Command && Fleet
import ArgumentParser
import ShuntFleet

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows which node has which release, and which nodes should have another one.",
        discussion: """
            Nodes that may write to the store report; behind a web server only the pointer is known. A node that was silent \
            for a minute counts as gone.
            """
    )

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var trust: KeyFileOptions

    @Option(
        help: .value("file", "Also draw which node had which release over time, as a page of HTML."),
        completion: .file()
    )
    var html: String?

    func run() throws {
        let carrier = try FleetPlace.carrier(try fleet.name())
        if html != nil, !(carrier is any ReleaseStore) {
            throw ValidationError("Over time is only known of a store that nodes report to, not behind a web server.")
        }
        let trusted = try trust.file()
        try FleetPlace.check(try fleet.name())
        if let html, let store = carrier as? any ReleaseStore {
            let timeline = try FleetRun.wait { try await FleetTimeline(of: store, trusted: trusted) }
            try OutputFile.write(Array(FleetPicture(timeline).html.utf8), to: html)
            return try fleet.format.answer(text: FleetText.status(timeline.report), json: timeline.report.encoded)
        }
        let report = try FleetRun.wait { try await FleetReport(of: carrier, trusted: trusted) }
        try fleet.format.answer(text: FleetText.status(report), json: report.encoded)
    }
}

enum FleetText {
    private static let barWidth = 40

    static func status(_ report: FleetReport) -> String {
        let (release, stable, progress) = (report.release, report.stable, report.progress)
        var head = "namespace \(release.namespace)   release \(stable.sequence) stable"
        if release.sequence != stable.sequence {
            let place =
                progress.threshold == nil && progress.state != .aborted
                ? "" : ", stage \(progress.stage + 1) of \(release.rollout.stages.count)"
            head += "   release \(release.sequence) \(progress.state.rawValue)\(place)"
        }
        let live = report.nodes.count(where: \.isAlive)
        head += "   \(report.nodes.count) node\(report.nodes.count == 1 ? "" : "s"), \(live) live\n"
        if !progress.reason.isEmpty { head += "\(progress.by.firstLine): \(progress.reason.firstLine)\n" }
        return head + bars(report, live) + others(report)
    }

    /// The picture: a bar for each release, as long as its share of the nodes that live.
    private static func bars(_ report: FleetReport, _ live: Int) -> String {
        var table = TextTable()
        for count in report.counts {
            let width = max(1, count.nodes * barWidth / max(1, live))
            let bar = String(repeating: "█", count: width) + String(repeating: "░", count: barWidth - width)
            table.add([count.sequence == 0 ? "no release" : "release \(count.sequence)", bar, "\(count.nodes)"])
        }
        return table.text
    }

    private static func others(_ report: FleetReport) -> String {
        let nodes = report.outOfOrder
        guard !nodes.isEmpty || !report.progress.excluded.isEmpty else { return "" }
        var table = TextTable()
        if !nodes.isEmpty { table.add(["NODE", "WANTED", "HAS", "STATE", "HEARD", "WHY"]) }
        for node in nodes {
            table.add([
                node.name, "\(node.wanted)", node.serving == 0 ? "-" : "\(node.serving)", node.condition,
                node.age.map { "\(age($0)) ago" } ?? "-",
                (node.isExcluded ? "excluded: " : "") + node.reason.firstLine,
            ])
        }
        let quiet = report.progress.excluded.filter { name in !nodes.contains { $0.name == name } }
        let excluded = quiet.isEmpty ? "" : "excluded: \(quiet.joined(separator: ", "))\n"
        return table.text + excluded
    }

    /// A time in its largest unit.
    static func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
#endif
