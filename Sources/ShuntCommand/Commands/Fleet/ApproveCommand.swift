#if Command && Fleet
import ArgumentParser
import ShuntFleet

struct ApproveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Signs a release that waits for a signature, and lets it begin.",
        usage: "shunt fleet approve <release> --store <store> --key <file> --keys <file>",
        discussion: "Check it first: `shunt fleet diff` shows what it changes."
    )

    @Argument(help: "The number of the release.")
    var release: Int

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var author: AuthorOptions
    @OptionGroup var signing: SigningOptions

    @Flag(help: "Wait until every node has it, and move it forward if nothing else does.")
    var wait = false

    func run() throws {
        let store = try fleet.writable()
        let order = try signing.order(author)
        let report = PublishReport(format: fleet.format)
        let (name, number, isWaited) = (author.name, release, wait)
        try FleetRun.wait {
            let publication = try await ReleasePublisher(store).approve(number, order)
            try await report.follow(publication, in: store, order.trusted, waits: isWaited, as: name)
        }
    }
}
#endif
