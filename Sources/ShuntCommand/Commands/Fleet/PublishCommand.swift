#if Command && Fleet
import ArgumentParser
import Shunt
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
#endif
