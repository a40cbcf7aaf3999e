#if Gateway && Command
import ArgumentParser
import ShuntGateway
import ShuntTools

/// The limits for the changes of reloaded rules.
struct GateOptions: ParsableArguments {
    @Option(
        help: .value("n|n%", "The most of the recent requests that new rules may change."),
        transform: BudgetArgument.budget
    )
    var maxChanged: ChangeLimit?

    @Option(help: .value("n|n%", "The most rules that new ones may lack."), transform: BudgetArgument.budget)
    var maxRemoved: ChangeLimit?

    @Option(help: .value("n", "The number of recent requests to try new rules with."))
    var gateSample = 10_000

    @Option(help: "A file of requests, one a line, that new rules may not change.", completion: .file())
    var gateRequests: String?

    @Option(help: "The reaction to rules that change more: hold, refuse or warn.", transform: Self.action)
    var gate = ChangeGate.Action.hold

    private static func action(_ text: String) throws -> ChangeGate.Action {
        try ChangeGate.Action(rawValue: text).valid(or: "--gate is hold, refuse or warn.")
    }

    func validate() throws {
        guard (0...1_000_000).contains(gateSample) else {
            throw ValidationError("--gate-sample is from 0 to 1000000.")
        }
        if gateSample == 0, maxChanged != nil {
            throw ValidationError("--max-changed needs a sample: leave --gate-sample 0 out.")
        }
    }

    func apply(to options: inout GatewayOptions) throws {
        options.gate.maximumChanged = maxChanged
        options.gate.maximumRemoved = maxRemoved
        options.gate.action = gate
        options.gateSample = gateSample
        guard let gateRequests else { return }
        var corpus = RequestCorpus(host: nil)
        var requests: [RequestDescription] = []
        try corpus.read(gateRequests, form: .lines) { requests.append($0) }
        if let problem = corpus.problems.first { throw ValidationError(problem) }
        if requests.isEmpty { throw ValidationError("\(gateRequests) has no requests.") }
        options.gate.requests = requests
    }
}
#endif
