#if Command && Fleet
import ArgumentParser
import ShuntFleet

struct RollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Creates the next release from the rules of an earlier one, quickly.",
        usage: "shunt fleet rollback --to <release> --store <store> --key <file> --keys <file>",
        discussion: """
            A key of the role rollback is enough. One node has it for five seconds and then all, or all --at-once; the command waits for \
            it, and replaces a rollout in progress.
            """
    )

    @Option(name: .customLong("to"), help: "The number of the release to go back to.")
    var release: Int

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var author: AuthorOptions
    @OptionGroup var signing: SigningOptions

    @Flag(help: "Send it to every node at once.")
    var atOnce = false

    @Flag(inversion: .prefixedNo, help: "Wait until every node has it, and move it forward if nothing else does.")
    var wait = true

    func run() throws {
        let store = try fleet.writable()
        var order = try signing.order(author, usual: "back to release \(release)")
        order.rollout = atOnce ? .atOnce : .rollback
        let report = PublishReport(format: fleet.format)
        let (ready, name, number, isWaited) = (order, author.name, release, wait)
        try FleetRun.wait {
            let publication = try await ReleasePublisher(store).rollBack(to: number, ready)
            try await report.follow(publication, in: store, ready.trusted, waits: isWaited, as: name)
        }
    }
}

enum FleetReleases {
    /// A release that the pointer or the history has, one that waits among them.
    static func release(_ sequence: Int, in store: any ReleaseStore, _ trusted: KeyFile) async throws -> Release {
        guard let pointer = try await store.current()?.pointer else {
            throw FleetError.refusal("\(store.name) has no releases")
        }
        let entries = try await store.history(last: ReleasePublisher.longestHistory)
        return try SignedReleases(pointer, entries: entries, trusted: trusted)
            .release(sequence, orWaiting: true, in: store)
    }
}
#endif
