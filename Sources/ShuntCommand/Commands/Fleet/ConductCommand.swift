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
#endif
