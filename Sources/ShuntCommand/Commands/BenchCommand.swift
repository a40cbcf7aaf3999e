#if Command
import ArgumentParser
import Shunt

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures how long decisions take with your rules and requests.",
        usage: "shunt bench --rules <rules> --requests <file> [options]",
        discussion: """
            Reads the requests of the file, one a line in the form that `shunt run` takes, and decides about all of \
            them again and again on one thread. The first round is not counted: it compiles the expressions that \
            match. Times are of the processor, so that other programs disturb them less.

            The mean is of whole rounds; the percentiles are of single decisions, without the time that reading the clock takes. \
            The slowest requests are listed with the rules that applied to them and the tests before those. Rules \
            whose expressions are tried on every request are listed with what they cost and why: they are what makes a rule set slow.

            --compare measures older rules in turns with these, so that both have the same machine. --by-rule lists the rules that \
            requests meet, with the time of these requests.

            With --format json the result is one object with "schema", "requests" (how many decisions were measured), "seconds", \
            "ns_per_request" ("mean", "p50", "p99" and "max"), "allocations_per_request", "load_seconds", "rules", \
            "memory_bytes" (what loading the rules has left allocated), "slowest_requests", \
            "costly_rules" and, with these options, "compared" and "by_rule".

            Examples:
                shunt bench --rules rules --requests urls.txt
                shunt bench --rules rules --requests urls.txt --compare /srv/old-rules
                shunt bench --rules rules --requests urls.txt --linear
            """
    )

    @OptionGroup var rules: RulesOptions

    @Option(help: "A file of requests, one a line; - for standard input.", completion: .file())
    var requests: String

    @Option(help: .value("rules", "Older rules to compare with, for the same requests."), completion: .file())
    var compare: String?

    @Flag(help: "List the rules that requests meet, with the number and the time of these requests.")
    var byRule = false

    @OptionGroup var time: TimeOptions

    @Option(
        help: "The time for whole rounds, in seconds of the processor; percentiles take up to a quarter more."
    )
    var seconds = 2.0

    @Option(help: "The format of the result: text or json.")
    var format: OutputFormat = .text

    /// The stretches that a comparison is measured in.
    private static let turns = 8

    func validate() throws {
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds must be more than 0 and at most 3600.")
        }
    }

    func run() throws {
        var requests = try RequestFile.read(self.requests)
        if let time = try time.time() {
            for index in requests.indices where requests[index].time == nil { requests[index].time = time }
        }
        let before = Allocations.liveBytes
        let start = ProcessorClock.nanoseconds
        let engine = try rules.engine()
        var result = BenchResult()
        result.loadNanoseconds = ProcessorClock.nanoseconds - start
        result.memoryBytes = max(0, Allocations.liveBytes - before)
        result.ruleCount = engine.ruleSet.ruleCount
        var unknownInputs = UnknownInputs(engine.ruleSet)
        for request in requests { unknownInputs.warn(of: request.inputs.bytes) }
        let bench = Bench(engine: engine, requests: requests)
        if let compare {
            let other = Bench(engine: try rules.engine(of: compare), requests: requests)
            var older = BenchResult()
            // In turns: what disturbs the machine disturbs both.
            for turn in 1...Self.turns {
                let end = seconds * Double(turn) / Double(Self.turns)
                other.measure(forSeconds: end, into: &older)
                bench.measure(forSeconds: end, into: &result)
            }
            result.compared = ComparedResult(name: compare, older)
        } else {
            bench.measure(forSeconds: seconds, into: &result)
        }
        if byRule { result.shares = RuleShare.all(requests, result.shortest, of: engine) }
        result.costlyRules = CostlyRule.measure(engine, requests)

        try format.write(json: result.json) { _ in result.text }
    }
}
#endif
