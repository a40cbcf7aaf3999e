#if Command && Fleet
import ArgumentParser
import Glibc
import ShuntCore
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
            throw ValidationError("--html needs the store that nodes report to: a web server has no reports.")
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

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows what was done to the fleet: by whom, when and why."
    )

    @OptionGroup var fleet: FleetOptions

    @Option(help: .value("n", "The number of the last entries to show."))
    var last = 50

    func validate() throws {
        guard (1...10_000).contains(last) else { throw ValidationError("--last is from 1 to 10000.") }
    }

    func run() throws {
        try FleetPlace.check(try fleet.name())
        let store = try fleet.writable()
        let count = last
        let entries = try FleetRun.wait { try await store.history(last: count) }
        try fleet.format.answer(text: FleetHistory.text(entries), json: FleetHistory.json(entries))
    }
}

enum FleetHistory {
    static func text(_ entries: [HistoryEntry]) -> String {
        var table = TextTable()
        table.add(["WHEN", "RELEASE", "WHAT", "WHO", "WHY"])
        for entry in entries {
            let what = entry.stage.map { "stage \($0 + 1)" } ?? entry.action.rawValue
            let time = Timestamp(seconds: entry.at.seconds)
            table.add([time.description, "\(entry.sequence)", what, entry.by.firstLine, entry.reason.firstLine])
        }
        return table.text
    }

    static func json(_ entries: [HistoryEntry]) -> [UInt8] {
        entries.flatMap { entry -> [UInt8] in
            let object: JSONObject = [
                "at": entry.at.description,
                "release": entry.sequence,
                "action": entry.action.rawValue,
                "stage": entry.stage.map { $0 + 1 },
                "kind": entry.release?.kind.rawValue,
                "set": entry.release?.set.hexadecimal,
                "rules": entry.release?.rules,
                "by": entry.by,
                "reason": entry.reason,
            ]
            return object.line
        }
    }
}

struct FleetDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what one release changes compared with another, as `shunt diff` does.",
        usage: "shunt fleet diff <release> <release> --store <store> [options]",
        discussion: """
            Either side may be a path, too, such as the path of rules that are not released yet. `shunt diff` has more options, and takes \
            releases as release:NUMBER@STORE.
            """
    )

    @Argument(help: "The number of the one release.")
    var old: String

    @Argument(help: "The number of the other release.")
    var new: String

    @Option(help: "The store of releases: a directory, or etcd://HOST:PORT/NAMESPACE.", completion: .directory)
    var store: String?

    @OptionGroup var trust: KeyFileOptions

    @OptionGroup var traffic: TrafficOptions

    @Flag(help: "Generate no requests for the changed rules.")
    var noWitnesses = false

    @Option(help: "The format of the report: text, json, markdown or github.")
    var format = "text"

    func run() throws {
        var options = FleetOptions()
        options.store = store
        options.format = .text
        let name = try options.name()
        if let keys = trust.keys { setenv("SHUNT_FLEET_KEYS", keys, 1) }
        let sides = [old, new].map { Int($0) == nil ? $0 : "release:\($0)@\(name)" }
        let files = traffic.requests.flatMap { ["--requests", $0] } + traffic.log.flatMap { ["--log", $0] }
        let flags = noWitnesses ? ["--no-witnesses"] : []
        let forms = ["--log-format", traffic.logFormat, "--format", format]
        let command = try DiffCommand.parse(sides + files + flags + forms)
        try command.run()
    }
}

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks all signatures, manifests and blobs of the pointer, as a node would."
    )

    @OptionGroup var fleet: FleetOptions

    @OptionGroup var trust: KeyFileOptions

    func run() throws {
        let trusted = try trust.file()
        let verification = ReleaseVerification(try fleet.readable(), trusted: trusted)
        let result = try FleetRun.wait { try await verification.run() }
        let object: JSONObject = ["right": result.lines, "wrong": result.problems]
        let text = result.lines.map { "right  \($0.printable)\n" } + result.problems.map { "wrong  \($0.printable)\n" }
        try fleet.format.answer(text: text.joined(), json: object.bytes)
        if !result.problems.isEmpty { throw Failure.negative }
    }
}
#endif
