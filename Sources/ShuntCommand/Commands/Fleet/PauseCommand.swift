#if Command && Fleet
import ArgumentParser
import ShuntCore
import ShuntFleet

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stops a rollout where it is: nodes that have the release keep it, and no more get it."
    )

    @OptionGroup var steering: SteeringOptions

    func run() throws { try steering.run { try await $0.pause() } }
}

struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resumes a paused rollout in its stage, whose quiet time begins again.",
        discussion: "Nodes at which the release failed for want of something try it again."
    )

    @OptionGroup var steering: SteeringOptions

    func run() throws { try steering.run { try await $0.resume() } }
}

struct AbortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Takes a release back: every node returns to the stable one."
    )

    @OptionGroup var steering: SteeringOptions

    func run() throws { try steering.run { try await $0.abort() } }
}

struct ExcludeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Leaves nodes out of the count of the current rollout."
    )

    @Argument(help: "The names of nodes.")
    var nodes: [String]

    @Flag(help: "Count them again.")
    var undo = false

    @OptionGroup var steering: SteeringOptions

    func run() throws {
        let (nodes, isUndone) = (nodes, undo)
        try steering.run { try await $0.exclude(nodes, isUndone: isUndone) }
    }
}

/// The options of a change of the pointer, which is reported.
struct SteeringOptions: ParsableArguments {
    @OptionGroup var fleet: FleetOptions
    @OptionGroup var trust: KeyFileOptions
    @OptionGroup var author: AuthorOptions

    func run(_ change: @escaping @Sendable (FleetSteering) async throws -> TrustedPointer) throws {
        let store = try fleet.writable()
        let steering = FleetSteering(store, trusted: try trust.file(), by: author.name, reason: author.message)
        let pointer = try FleetRun.wait { try await change(steering) }
        let (release, progress) = (pointer.release, pointer.progress)
        var text = "release \(release.sequence) is \(progress.state.rawValue)"
        if !progress.excluded.isEmpty { text += "   excluded: \(progress.excluded.joined(separator: ", "))" }
        let object: JSONObject = [
            "release": release.sequence, "state": progress.state.rawValue, "stage": progress.stage + 1,
            "excluded": progress.excluded,
        ]
        try fleet.format.answer(text: text + "\n", json: object.bytes)
    }
}
#endif
