#if Command && Fleet
import ArgumentParser
import ShuntCore
import ShuntFleet

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
#endif
