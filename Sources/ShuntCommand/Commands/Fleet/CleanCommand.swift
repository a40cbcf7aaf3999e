#if Command && Fleet
import ArgumentParser
import ShuntCore
import ShuntFleet

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Removes manifests and blobs that nothing refers to any more.",
        discussion: """
            Files that the pointer, the ten last releases of the history, one that waits, or any node names stay, and so does what \
            is younger than a day.
            """
    )

    @OptionGroup var fleet: FleetOptions

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    func run() throws {
        let cleaning = ReleaseCleaning(try fleet.writable())
        let isDry = dryRun
        let contents = try FleetRun.wait { isDry ? try await cleaning.unused() : try await cleaning.clean() }
        let manifests = contents.count { $0.kind == .manifest }
        let blobs = contents.count - manifests
        let verb = isDry ? "would be removed" : "removed"
        func names(_ kind: StoredContent.Kind) -> [String] {
            contents.filter { $0.kind == kind }.map(\.name.hexadecimal)
        }
        let object: JSONObject = ["removed": !isDry, "manifests": names(.manifest), "blobs": names(.blob)]
        try fleet.format.answer(text: "\(manifests) manifests and \(blobs) blobs \(verb)\n", json: object.bytes)
    }
}
#endif
