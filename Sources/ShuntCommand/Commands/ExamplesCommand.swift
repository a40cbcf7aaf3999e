#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

struct ExamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "examples",
        abstract: "Generates a request that each rule decides or changes, and requests that it just does not.",
        usage: "shunt examples --rules <rules> [<place> ...] [options]",
        discussion: """
            Searches the shortest request that reaches each rule, and each entry of a map, geo or split_clients, from the tests around it, \
            its server and its location outwards. The rules confirm each request before it is shown.

            A place is a rule file, or FILE:LINE, or FILE:LINE:COLUMN, as `shunt list` shows it. Without one all rules have examples.

            With --misses there are requests, too, that the rule just does not match, named by the part in which they differ: the digits, \
            the dot, the end, a condition.

            Examples:
                shunt examples --rules rules
                shunt examples --rules rules rules/40-legacy.conf --misses
                shunt examples --rules rules --as lines | shunt run --rules rules
                shunt examples --rules rules --as requests > tests/examples.requests
            """
    )

    @OptionGroup var loading: LoadOptions

    @Option(help: "A directory of rule files, one rule file, or an nginx.conf.", completion: .file())
    var rules: String

    @Argument(help: .value("place", "Which rules: FILE, FILE:LINE or FILE:LINE:COLUMN."))
    var places: [String] = []

    @Flag(help: "Also show requests that a rule just does not match.")
    var misses = false

    @Option(help: .value("n", "The number of requests to search that a rule matches."))
    var perRule = 1

    @Option(
        name: .customLong("as"),
        help: "Write the requests only: as lines for `shunt run`, as requests of a test file, or as expect directives."
    )
    var notation: Notation?

    @Option(help: "The format of the list: text or json.")
    var format: OutputFormat = .text

    @Option(
        help: .value(
            "time",
            "The time from which on rules are checked, in ISO 8601, such as 2026-02-03T04:05:06Z; else now."
        )
    )
    var asOf: String?

    enum Notation: String, ExpressibleByArgument, CaseIterable {
        case lines, requests, expect
    }

    func validate() throws {
        _ = try time()
        if !(1...100).contains(perRule) { throw ValidationError("--per-rule is a number from 1 to 100.") }
        if notation != nil, format == .json { throw ValidationError("--as and --format json exclude each other.") }
    }

    private func time() throws -> Timestamp { try TimeOptions.time(asOf, of: "--as-of") ?? .now() }

    func run() throws {
        let ruleSet = try loading.rules(rules)
        var options = ExampleSearch.Options()
        options.hits = perRule
        options.misses = misses ? 8 : 0
        let search = ExampleSearch(ruleSet, options: options, asOf: try time())
        let all = search.rules + search.entries
        for place in places where !all.contains(where: { Self.is($0, at: place) }) {
            throw ValidationError("There is no rule at \(place).")
        }
        let found = search.examples { rule in places.isEmpty || places.contains { Self.is(rule, at: $0) } }
        try OutputStream.standard { try write(found, to: $0) }
    }

    static func `is`(_ rule: SourceLocation, at place: String) -> Bool {
        place == rule.file || place == "\(rule.file):\(rule.line)" || place == "\(rule)"
    }

    private func write(_ found: [RuleExamples], to output: OutputStream) throws {
        if format == .json {
            return try output.write(ExampleJSON.object(found).line)
        }
        let style = Style(usesColor: output.wantsColor)
        for entry in found {
            let all = entry.hits + entry.misses
            switch notation {
            case nil: try output.write(ExampleText.lines(entry, style: style))
            case .lines: for example in all { try output.write(ExpectationText.line(example.request) + "\n") }
            case .requests:
                if !all.isEmpty { try output.write("name: \(entry.rule) \(entry.text)\n") }
                for example in all { try output.write(ExpectationText.test(example.request, example.decision)) }
                if !all.isEmpty { try output.write("\n") }
            case .expect:
                for example in all {
                    try output.write(ExpectationText.directive(example.request, example.decision) + "\n")
                }
            }
        }
        if notation == nil { try output.write(ExampleText.summary(found)) }
    }
}
#endif
