#if Command
import ArgumentParser
import Shunt
import ShuntTools

/// The options of `shunt test` for a server on the wire.
struct WireOptions: ParsableArguments {
    @Option(
        help: .value(
            "url",
            "Compare with the server at this address, such as https://10.0.0.1; once for http and once for https."
        )
    )
    var against: [String] = []

    @Flag(help: "With --against: examples of all rules, too, and requests that they just do not match.")
    var examples = false

    @Option(help: "With --against: the requests of a log, too.", completion: .file())
    var log: String?

    @Flag(help: "With --against: accept any certificate.")
    var insecure = false

    func validate() throws {
        if against.isEmpty, examples || log != nil || insecure {
            throw ValidationError("--examples, --log and --insecure need --against.")
        }
        _ = try servers()
    }

    private func servers() throws -> [ServerAddress] {
        try against.map { text in
            var address = try ServerAddress(text)
            address.acceptsAnyCertificate = insecure
            return address
        }
    }

    /// Compares, and writes the report; a difference ends the command.
    func run(_ ruleSet: RuleSet, _ cases: [TestCase], host: String?, time: Timestamp, jobs: Int, isJSON: Bool) throws {
        var items = cases.map { WireComparison.Item(place: $0.place, request: $0.request) }
        if examples { items += WireComparison.examples(ruleSet, time: time) }
        if let log {
            items += try RequestFile.readDescriptions(log).map { WireComparison.Item(place: log, request: $0) }
        }
        guard !items.isEmpty else {
            throw Failure.error("there are no tests, and neither --examples nor --log")
        }
        var comparison = WireComparison(ruleSet, servers: try servers(), host: host, time: time)
        comparison.run(items, jobs: jobs)
        let format = isJSON ? OutputFormat.json : .text
        try format.write(json: comparison.json.line) { _ in comparison.text }
        if comparison.failureCount == comparison.sentCount { throw Failure.unanswered }
        if comparison.differenceCount + comparison.failureCount > 0 { throw Failure.negative }
    }
}
#endif
