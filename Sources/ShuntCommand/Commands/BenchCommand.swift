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

            With --format json the result is one object with "schema", "requests" (how many decisions were measured), "seconds", \
            "ns_per_request" ("mean", "p50", "p99" and "max"), "allocations_per_request", "load_seconds", "rules", \
            "memory_bytes" (what loading the rules has left allocated), "slowest_requests" and "costly_rules".

            Examples:
                shunt bench --rules rules --requests urls.txt
                shunt bench --rules rules --requests urls.txt --linear
            """
    )

    @OptionGroup var rules: RulesOptions

    @Option(help: "A file of requests, one a line; - for standard input.", completion: .file())
    var requests: String

    @OptionGroup var time: TimeOptions

    @Option(
        help: "How long to measure whole rounds, in seconds of the processor; percentiles take up to a quarter more."
    )
    var seconds = 2.0

    @Option(help: "How to write the result: text or json.")
    var format: OutputFormat = .text

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
        Bench(engine: engine, requests: requests).measure(forSeconds: seconds, into: &result)
        result.costlyRules = CostlyRule.measure(engine, requests)

        try format.write(json: result.json) { _ in result.text }
    }
}
#endif
