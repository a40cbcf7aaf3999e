#if Command
import ArgumentParser
import Shunt

/// Compares what rules make of URLs with what is expected.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares what rules make of URLs with the URLs that are expected.",
        discussion: """
            Reads one JSON object a line with "url" and "expected", which is null for a URL that stays as it is. \
            Prints the lines that differ and the times it took. The exit status is 1 if any line differs.

            A space is written as %20 on both sides first: no URL has one, and every client does this before it sends.
            """
    )

    @Option(help: "The rules: a directory or a file.")
    var rules: String

    @Argument(help: "The file with the expected URLs.")
    var expected: String

    @Option(help: "How many differences to print.")
    var shown = 20

    @Option(help: "How many times to decide about all URLs, for measuring.")
    var rounds = 1

    func run() throws {
        let lines = try ExpectedURL.read(expected)
        let clock = ContinuousClock()
        var loaded: RuleSet?
        let loading = try clock.measure { loaded = try RuleSet(path: rules) }
        guard let ruleSet = loaded else { return }
        let engine = Engine(ruleSet)
        print("\(ruleSet.ruleCount) rules loaded in \(loading), \(ruleSet.diagnostics.count) warnings")

        var differences = 0
        for line in lines {
            guard let difference = line.difference(by: engine) else { continue }
            differences += 1
            if differences <= shown { print(difference) }
        }
        print("\(lines.count - differences) of \(lines.count) URLs as expected")
        let requests = lines.map { RuleRequest(url: $0.url) }
        for round in 1...max(1, rounds) {
            var times: [Duration] = []
            times.reserveCapacity(requests.count)
            for request in requests { times.append(clock.measure { _ = engine.decide(request) }) }
            times.sort()
            let total = times.reduce(.zero, +)
            print(
                "round \(round): median \(times[times.count / 2]), 99 % within \(times[times.count * 99 / 100]),"
                    + " all in \(total)"
            )
        }
        if differences > 0 { throw ExitCode.failure }
    }
}
#endif
