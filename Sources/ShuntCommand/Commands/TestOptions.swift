#if Command
import ArgumentParser
import Dispatch
import Glibc
import Shunt
import ShuntPatterns
import ShuntTools
import Synchronization

enum TestReportForm: String, ExpressibleByArgument, CaseIterable {
    case text, json, junit, tap, github, lcov, cobertura, html

    /// True if the form is about coverage only.
    var needsCoverage: Bool { self == .lcov || self == .cobertura || self == .html }

    func bytes(
        _ report: TestReport,
        _ mutations: MutationReport?,
        path: String,
        asOf time: Timestamp,
        text: String
    ) -> [UInt8] {
        let coverage = report.coverage
        switch self {
        case .text: return Array(text.utf8)
        case .json: return TestReportJSON.bytes(report, mutations, path: path, asOf: time)
        case .junit: return Array(JUnitReport.text(report).utf8)
        case .tap: return Array(TAPReport.text(report).utf8)
        case .github: return Array(TestReportAnnotations.text(report).utf8)
        case .lcov: return Array((coverage.map { LcovReport.text($0) } ?? "").utf8)
        case .cobertura: return Array((coverage.map { CoberturaReport.text($0) } ?? "").utf8)
        case .html: return Array((coverage.map { CoveragePage.text($0, of: report) } ?? "").utf8)
        }
    }
}

/// The value of `--min-coverage`.
struct CoverageThresholds {
    /// The least coverage in percent, by kind.
    var percents: [RuleCoverage.Kind: Double] = [:]

    /// Reads `kind=percent,...`; throws a `ValidationError` for anything else.
    init(argument: String) throws {
        let kinds = RuleCoverage.Kind.allCases.map(\.rawValue)
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let kind = RuleCoverage.Kind(rawValue: String(pair[0])) else {
                let meant = Suggestion.closest(to: String(pair[0]), among: kinds).map { ", did you mean \"\($0)\"?" }
                throw ValidationError(
                    "--min-coverage: unknown kind \"\(pair[0])\"\(meant ?? "; the kinds are " + kinds.joined(separator: ", "))"
                )
            }
            guard pair.count == 2, let percent = Double(String(pair[1])), (0...100).contains(percent) else {
                throw ValidationError("--min-coverage: write \(kind.rawValue)= and a number from 0 to 100.")
            }
            percents[kind] = percent
        }
    }
}

/// The value of `--filter`.
struct TestFilter {
    private let pattern: RegularExpression
    private let scratch = MatchScratch()

    init?(_ text: String) {
        guard let pattern = try? RegularExpression(Array(text.utf8), caseless: false) else { return nil }
        self.pattern = pattern
    }

    func matches(_ test: TestCase) -> Bool { matches(test.place) || test.name.map(matches) ?? false }

    private func matches(_ text: String) -> Bool {
        scratch.renew()
        if case .matched = pattern.match(Array(text.utf8).span, scratch: scratch) { return true }
        return false
    }
}

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

/// The options of `shunt test` for mutation: how many small changes of the rules the tests find.
struct MutationOptions: ParsableArguments {
    @Flag(help: "Change rules in small ways, and report the changes that the tests do not find.")
    var mutate = false

    @Option(help: .value("n", "The number of changes to try; else all."))
    var mutants: Int?

    @Option(help: .value("seconds", "The time after which no further changes are tried."))
    var mutationTime: Int?

    @Option(help: .value("n", "From what the changes are chosen."))
    var seed: UInt64 = 1

    @Option(help: .value("percent", "The least share of changes that the tests have to find."))
    var minMutation: Double?

    @Option(help: .value("n", "For how many changes a request is shown that would find them."))
    var suggest = 10

    func validate() throws {
        if let mutants, mutants < 1 { throw ValidationError("--mutants is a number from 1 on.") }
        if let mutationTime, !(1...86_400).contains(mutationTime) {
            throw ValidationError("--mutation-time is a number of seconds from 1 to 86400.")
        }
        if suggest < 0 { throw ValidationError("--suggest is a number from 0 on.") }
        if let minMutation, !(0...100).contains(minMutation) {
            throw ValidationError("--min-mutation is a number from 0 to 100.")
        }
    }

    var isWanted: Bool { minMutation != nil || mutate }

    /// Tries the changes in as many parts as there are jobs, and shows how far the first is: on a terminal always, and
    /// elsewhere a line each 30 seconds.
    func report(
        _ tests: RuleTests,
        asOf: Timestamp,
        jobs: Int,
        compiler: @escaping @Sendable () -> MutationRun.Compile
    ) -> MutationReport {
        var options = MutationRun.Options()
        options.sample = mutants
        options.seed = seed
        options.suggests = suggest > 0
        options.end = mutationTime.map { .now + .seconds($0) }
        let reports = Mutex<[Int: MutationReport]>([:])
        DispatchQueue.concurrentPerform(iterations: jobs) { [options] part in
            let terminal = OutputStream(STDERR_FILENO)
            var shown = ContinuousClock.now
            let report = MutationRun(tests, options: options, asOf: asOf, compile: compiler())
                .report(part: part, of: jobs) { done, all in
                    guard part == 0 else { return }
                    let text = "\(done * jobs) of \(all * jobs) changes"
                    if terminal.isTerminal {
                        guard done % 16 == 0 || done == all else { return }
                        try? terminal.write(done == all ? "\r\u{1b}[K" : "\r\(text)\u{1b}[K")
                    } else {
                        guard ContinuousClock.now - shown >= .seconds(30) else { return }
                        shown = .now
                        try? terminal.write("\(text) are tried\n")
                    }
                    try? terminal.flush()
                }
            reports.withLock { $0[part] = report }
        }
        var whole = MutationReport()
        for (_, report) in reports.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { whole.append(report) }
        return whole
    }

    /// Fails if too few changes were found.
    func judge(_ report: MutationReport) throws {
        guard let minMutation, report.score < minMutation else { return }
        let numbers = "\(ReportNumbers.decimal(report.score, 1)) %, below \(ReportNumbers.decimal(minMutation, 1)) %"
        throw Failure.error("the mutation score is \(numbers)", status: Failure.negative)
    }
}
#endif
