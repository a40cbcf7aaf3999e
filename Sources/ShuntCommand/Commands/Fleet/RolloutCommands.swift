#if Command && Fleet
import ArgumentParser
import Dispatch
import Glibc
import ShuntCore
import ShuntFleet

struct ConductCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conduct",
        abstract: "Moves every rollout forward, until SIGTERM or SIGINT.",
        discussion: """
            Several may run: one at a time writes, and another continues where it stops. All state is in the store.
            """
    )

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var trust: KeyFileOptions

    @Option(help: "The name of the conductor in the history.")
    var name = "conductor"

    @Option(help: .value("n", "The number of requests that both sides need before they are compared."))
    var leastRequests = RolloutGate().leastRequests

    func validate() throws {
        guard leastRequests > 0 else { throw ValidationError("--least-requests is 1 at least.") }
    }

    func run() throws {
        let store = try fleet.writable()
        var gate = RolloutGate()
        gate.leastRequests = leastRequests
        let ready = ConductorRun(store, trusted: try trust.file(), name: name, gate: gate)
        let format = fleet.format
        let task = Task {
            var run = ready
            await run.run { look in
                if look.waiting.isEmpty { Self.tell(look, format) }
            } note: { problem in
                Failure.report("shunt: warning: \(problem.printable)")
            }
        }
        let sources = [SIGTERM, SIGINT]
            .map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { task.cancel() }
                source.resume()
                return source
            }
        try FleetRun.wait { await task.value }
        for source in sources { source.cancel() }
    }

    private static func tell(_ look: ConductorRun.Look, _ format: OutputFormat) {
        let (release, progress) = (look.pointer.release, look.pointer.progress)
        let output = OutputStream(STDOUT_FILENO)
        switch format {
        case .text:
            let what = progress.state == .running ? "stage \(progress.stage + 1)" : progress.state.rawValue
            let why = progress.reason.isEmpty ? "" : ": \(progress.reason.firstLine)"
            try? output.write("release \(release.sequence)  \(what)\(why)\n")
        case .json:
            let object: JSONObject = [
                "release": release.sequence, "state": progress.state.rawValue, "stage": progress.stage + 1,
                "reason": progress.reason,
            ]
            try? output.write(object.line)
        }
        try? output.flush()
    }
}

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
