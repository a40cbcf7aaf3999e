#if Command && Fleet
import ArgumentParser
import ShuntFleet

struct PoisonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poison",
        abstract: "Moves all nodes off the rules of a release, for good.",
        discussion: "It needs a key of the role rollback. Nodes go to the stable release, else to their newest copy."
    )

    @Argument(help: "The numbers of releases whose sets are listed.")
    var releases: [Int]

    @Flag(help: "Remove them from the list.")
    var undo = false

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var author: AuthorOptions
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let store = try fleet.writable()
        let (keys, trusted) = (try signing.signers(), try signing.trust.file())
        let (numbers, isUndone) = (releases, undo)
        let steering = FleetSteering(store, trusted: trusted, by: author.name, reason: author.message)
        let list = try FleetRun.wait {
            var sets: [ContentName] = []
            for number in numbers { sets.append(try await FleetReleases.release(number, in: store, trusted).set) }
            return try await steering.poison(sets, isUndone: isUndone, keys: keys)
        }
        let sets = list.sets.map { "  \($0.hexadecimal.prefix(12))\n" }.joined()
        let count = list.sets.count
        let text = "list \(list.number) has \(count) set\(count == 1 ? "" : "s")\n\(sets)"
        try fleet.format.answer(text: text, json: list.encoded)
    }
}
#endif
