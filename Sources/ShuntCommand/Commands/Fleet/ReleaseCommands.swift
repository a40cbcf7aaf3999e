#if Command && Fleet
import ArgumentParser
import Shunt
import ShuntCore
import ShuntFleet
import ShuntTools

struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Creates the next release of a directory of rules, and sends it to the nodes.",
        usage: "shunt fleet publish <rules> --to <store> --key <file> --keys <file> [--wait]",
        discussion: """
            The rules are checked, their tests run, and what they change is compared with the budget; then they are written to the store, \
            signed. The first release of a store is stable at once. Any later one begins with no node, or with every node where --stages \
            is 100%: --wait moves it forward, stage after stage, and so does `shunt fleet conduct`. One node that refuses it, is lost, or \
            fails more often than the others takes it back from all.

            A release that needs the signature of another person waits for `shunt fleet approve`.
            """
    )

    @Argument(help: "The directory of rules.", completion: .directory)
    var rules: String

    @Option(name: .customLong("to"), help: "The store; the same as --store.", completion: .directory)
    var destination: String?

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var author: AuthorOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var loading: LoadOptions
    @OptionGroup(title: "Rollout") var rollout: RolloutOptions

    @Option(help: .value("n", "The most rules that may be gone, in percent."))
    var removed = ChangeBudget().removedPercent

    @Option(help: .value("n", "The most rules that may be new, in percent."))
    var added = ChangeBudget().addedPercent

    @Option(help: .value("n", "The most rules that may be changed, in percent."))
    var edited = ChangeBudget().editedPercent

    @Flag(help: "Wait until every node has it, and move it forward if nothing else does.")
    var wait = false

    @Flag(help: "Show what would be released, and write nothing.")
    var dryRun = false

    @Flag(help: "Release a set without rules.")
    var allowEmpty = false

    func validate() throws {
        guard (0...100).contains(removed), (0...1_000_000).contains(added), (0...100).contains(edited) else {
            throw ValidationError("--removed and --edited are from 0 to 100, --added is up to 1000000.")
        }
        _ = try rollout.plan()
    }

    func run() throws {
        let store = try fleet.writable(destination)
        var order = try signing.order(author, isSigned: !dryRun)
        order.rollout = try rollout.plan()
        order.budget = ChangeBudget(removedPercent: removed, addedPercent: added, editedPercent: edited)
        order.allowsEmpty = allowEmpty
        let loaded: LoadedRules
        do { loaded = try loading.capture(rules) } catch { throw FleetRun.failure(error) }
        let report = PublishReport(format: fleet.format)
        let (name, isDry, isWaited) = (author.name, dryRun, wait)
        let ready = order
        try FleetRun.wait {
            var changes: RuleChanges?
            if let pointer = try await store.current()?.trusted(by: ready.trusted) {
                changes = StructureDifference.between(try await store.archive(of: pointer.stable), loaded.archive)
            }
            try report.tellCheck(loaded, changes: changes, budget: ready.budget)
            if isDry { return try report.endDry(loaded) }
            let publication = try await ReleasePublisher(store).publish(loaded, ready)
            try await report.follow(publication, in: store, ready.trusted, waits: isWaited, as: name)
        }
    }
}

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
