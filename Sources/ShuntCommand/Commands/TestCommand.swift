#if Command
import ArgumentParser
import Dispatch
import Glibc
import Shunt
import ShuntTools
import Synchronization

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs the tests of rules, and reports what they cover.",
        usage: "shunt test --rules <rules> [<file> ...] [options]",
        discussion: """
            Tests are the `expect` directives of the rules, and files whose names end in .requests. Files are looked for in the directory \
            of the rules, in its directory `tests`, and in the directories of --tests; when files are named, only these are read. A line \
            of such a file is a request and what is decided:

                name: item pages
                GET /item/0042 www.example.com -> forward http://www.example.com/item/42 (route web.item, id=42)
                kl://Pay/checkout -> degrade https://m.example.com/pay/checkout
                    $app_version = 3.1.9
                https://www.example.com/.env.txt -> not block

            Other sources are files or directories of Hurl, lines of JSON with "url" and "expected", and tables of redirects, \
            whose columns are found by usual heads, by --columns, or by their order. Their redirects are followed to find circles; rows that \
            cannot be tests are counted and listed.

            With --record the decision is written after requests that have no " -> ".

            The kinds of coverage are rules, branches, entries, alternatives, servers, locations, routes and boundaries.

            With --format json the report is one object, shunt-test/1, changes of the rules included. --format and --output may be repeated in pairs: then \
            each form is written to its file, and text to the terminal.

            With --mutate rules are changed in small ways: a rule is removed, an anchor dropped, captures are swapped, a bound \
            is moved. A change that no test finds is shown with a request that would find it, and what is decided about that \
            today. Changes that are proved to change nothing do not count.

            With --against a server on the wire gets the requests of the tests, and its answers are compared with the decisions: status, \
            Location, and a connection that is closed. The server is reached at that address whatever hosts the requests name, and redirects \
            are not followed. What the rules forward cannot be compared, and requests with inputs, times or addresses are not sent.

            The exit status is 0 when all tests pass, 1 when one fails, a server differs, or the coverage or the mutation score is too low, and 3 when the rules or \
            the tests cannot be read.

            Examples:
                shunt test --rules rules
                shunt test --rules rules --coverage --min-coverage rules=95,branches=90
                shunt test --rules rules --against http://127.0.0.1:8080 --examples
                shunt test --rules redirects.conf --hurl specs --format junit --output results.xml
            """
    )

    @Option(help: "A directory of rule files, one rule file, or an nginx.conf.", completion: .file())
    var rules: String

    @Argument(help: "Files of tests; the files next to the rules are not read then.", completion: .file())
    var file: [String] = []

    @Option(help: "A directory with files of tests; repeatable.", completion: .directory)
    var tests: [String] = []

    @Option(help: "A file of Hurl, or a directory of them; repeatable.", completion: .file())
    var hurl: [String] = []

    @Option(help: "Lines of JSON with \"url\" and \"expected\", the URL that rules make of it; repeatable.")
    var expected: [String] = []

    @Option(help: "A table of redirects with commas, semicolons or tabs; repeatable.", completion: .file())
    var csv: [String] = []

    @Option(help: .value("name,...", "The columns of source, target and status in --csv, by heads or numbers."))
    var columns: String?

    @Option(help: "Write a minimal set of tests from this log, or lines of requests, that covers all the log covers.")
    var fromLog: String?

    @Option(help: "The form of --from-log: shunt, combined, common, vhost, har, or a format of nginx.")
    var logFormat = "shunt"

    @Option(help: .value("n", "The number of requests that --from-log picks for each thing that they reach."))
    var perRule = 1

    @Option(help: "The Host of targets that name none, also of a log, and {{host}} of Hurl.")
    var host: String?

    @Option(help: .value("regex", "Only tests whose name or place this expression matches."))
    var filter: String?

    @Option(help: "The number of tests that run, and of changes that are tried, at once.")
    var jobs = 1

    @Flag(help: "Run no more tests after the first that fails.")
    var failFast = false

    @Flag(help: "Write the decision after requests that have none.")
    var record = false

    @OptionGroup var loading: LoadOptions

    @Option(help: "The folder that requests for files are looked up in.", completion: .directory)
    var documentRoot: String?

    @Flag(help: "Try rules one after another, without the index. The decisions are the same.")
    var linear = false

    @Option(help: .value("time", "The time of requests that name none, in ISO 8601; else now."))
    var asOf: String?

    @Flag(help: "Report what the tests cover.")
    var coverage = false

    @Option(
        help: .value("kind=percent,...", "The least coverage, such as rules=95,branches=90."),
        transform: CoverageThresholds.init
    )
    var minCoverage: CoverageThresholds?

    @Flag(help: "List everything that no test reaches.")
    var uncovered = false

    @OptionGroup(title: "On the wire")
    var wire: WireOptions

    @OptionGroup(title: "Mutation")
    var mutation: MutationOptions

    @Option(help: "text, json, junit, tap, github, lcov, cobertura or html; repeatable with --output.")
    var format: [TestReportForm] = []

    @Option(help: "The file for a --format; repeatable.", completion: .file())
    var output: [String] = []

    func validate() throws {
        if !(1...1000).contains(perRule) { throw ValidationError("--per-rule is a number from 1 to 1000.") }
        if columns != nil, csv.isEmpty { throw ValidationError("--columns goes with --csv.") }
        if fromLog == nil, perRule != 1 || logFormat != "shunt" {
            throw ValidationError("--per-rule and --log-format go with --from-log.")
        }
        if jobs < 1 || jobs > 1024 { throw ValidationError("--jobs is a number from 1 to 1024.") }
        if output.count > format.count { throw ValidationError("Each --output goes with a --format.") }
        if format.count > output.count + 1 { throw ValidationError("Only one --format can do without an --output.") }
        if !collectsCoverage, let form = format.first(where: \.needsCoverage) {
            throw ValidationError("--format \(form.rawValue) needs --coverage.")
        }
        _ = try time()
        _ = try pattern()
    }

    private var collectsCoverage: Bool { coverage || minCoverage != nil || uncovered }

    private func time() throws -> Timestamp? { try TimeOptions.time(asOf, of: "--as-of") }

    private func pattern() throws -> TestFilter? {
        try filter.map { try TestFilter($0).valid(or: "--filter is not a regular expression: \($0)") }
    }

    func run() throws {
        let ruleSet = try loading.rules(rules, collectsTests: true)
        if let fromLog {
            var sample = TrafficSample(ruleSet, perRule: perRule)
            var corpus = RequestCorpus(host: host)
            var needsHost = false
            try corpus.read(fromLog, form: try RequestCorpus.Form(named: logFormat)) {
                if case .target(_, nil) = $0.request.subject, $0.request.host == nil { needsHost = true }
                sample.add([$0])
            }
            for problem in corpus.problems { Failure.report("shunt: warning: \(problem)") }
            if needsHost {
                throw Failure.error("\(fromLog): there are paths, and no host is known for them; write --host NAME")
            }
            guard sample.count > 0 else { throw Failure.error("\(fromLog): there are no requests in it") }
            return try OutputStream.standard { try $0.write(sample.testFile()) }
        }
        var sources = TestSources(ruleSet, host: host)
        for path in file { sources.addNotation(path) }
        if file.isEmpty { sources.addBeside(rules) }
        for path in tests { sources.addDirectory(path) }
        for path in hurl { sources.addHurl(path) }
        for path in expected { sources.addExpected(path) }
        let columns = columns?.split(separator: ",").map(String.init) ?? []
        for path in csv { sources.addTable(path, columns: columns) }
        guard sources.problems.isEmpty else { throw Failure.errors(sources.problems) }
        reportLeftOut(sources.leftOut)
        let filter = try pattern()
        let cases = sources.cases.filter { filter?.matches($0) ?? true }
        guard wire.against.isEmpty else {
            let moment = try time() ?? Timestamp.now()
            let isJSON = format.last == .json
            return try wire.run(ruleSet, cases, host: host, time: moment, jobs: jobs, isJSON: isJSON)
        }
        guard !cases.isEmpty else {
            throw Failure.error("there are no tests\(filter == nil ? "" : " that --filter names")")
        }
        var unknownInputs = UnknownInputs(ruleSet)
        for test in cases { unknownInputs.warn(of: test.request.request.inputs.bytes) }
        var report = try report(ruleSet, cases)
        if record { try write(recordingsOf: &report, sources.notations) }
        // An object has all at once; a person reads the results of the tests while the rules are changed.
        let isEarly = format.contains(.json)
        var mutations = isEarly ? try mutations(ruleSet, cases) : nil
        try write(report, mutations)
        if !isEarly { mutations = try self.mutations(ruleSet, cases) }
        if let mutations { try show(mutations) }
        try judge(report)
        if let mutations { try mutation.judge(mutations) }
    }

    /// Reports the rows of tables that no test was made of: a few with their lines, and the count of each kind.
    private func reportLeftOut(_ rows: [Diagnostic]) {
        guard !rows.isEmpty else { return }
        Failure.report(Array(rows.prefix(5)))
        let kinds = Dictionary(grouping: rows, by: \.message).map { ($0.value.count, $0.key) }.sorted { $0 > $1 }
        let counts = kinds.prefix(10).map { "\($0.0) rows: \($0.1)" }.joined(separator: "\n  ")
        Failure.report("shunt: warning: \(rows.count) rows of tables are left out\n  \(counts)")
    }

    /// Runs the tests, in as many parts as there are jobs.
    private func report(_ ruleSet: RuleSet, _ cases: [TestCase]) throws -> TestReport {
        var options = RuleTests.Options()
        options.time = try time() ?? Timestamp.now()
        options.documentRoot = documentRoot
        options.isLinear = linear
        options.collectsCoverage = collectsCoverage
        options.stopsAtFailure = failFast
        let tests = RuleTests(ruleSet, cases, options: options)
        let parts = failFast ? 1 : min(jobs, cases.count)
        guard parts > 1 else { return tests.run() }
        let reports = Mutex<[Int: TestReport]>([:])
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = part * cases.count / parts..<(part + 1) * cases.count / parts
            let report = tests.run(range)
            reports.withLock { $0[part] = report }
        }
        let found = reports.withLock { $0 }
        guard var report = found[0] else { return tests.run() }
        for part in 1..<parts { if let other = found[part] { report.append(other) } }
        return report
    }

    /// The small changes of the rules and whether the tests find them, which are shown on the terminal; nil if no one
    /// asked.
    private func mutations(_ ruleSet: RuleSet, _ cases: [TestCase]) throws -> MutationReport? {
        guard mutation.isWanted else { return nil }
        let moment = try time() ?? Timestamp.now()
        var options = RuleTests.Options()
        options.time = moment
        options.documentRoot = documentRoot
        let (rules, trusted, ignoresUnknown) = (rules, loading.trust, loading.ignoreUnknown)
        return mutation.report(RuleTests(ruleSet, cases, options: options), asOf: moment, jobs: jobs) {
            MutationRun.compiler(path: rules, trusting: trusted, ignoringUnknownDirectives: ignoresUnknown)
        }
    }

    private func show(_ report: MutationReport) throws {
        // What is for programs stays alone on standard output.
        let isText = format.count <= output.count || format[output.count] == .text
        let stream = OutputStream(isText ? STDOUT_FILENO : STDERR_FILENO)
        try stream.write(MutationText.text(report, suggestions: mutation.suggest))
        try stream.flush()
    }

    /// Writes decisions after the requests that had none; their tests have passed then.
    private func write(recordingsOf report: inout TestReport, _ notations: [String: [UInt8]]) throws {
        var decisions: [String: [Int: Decision]] = [:]
        for index in report.outcomes.indices where report.outcomes[index].isUnrecorded {
            let location = report.outcomes[index].test.location
            guard let decision = report.outcomes[index].decision, notations[location.file] != nil else { continue }
            decisions[location.file, default: [:]][location.line] = decision
            report.outcomes[index].result = .passed
            report.outcomes[index].problems = []
        }
        for (path, decisions) in decisions.sorted(by: { $0.key < $1.key }) {
            try OutputFile.replace(path, with: TestRecording.record(notations[path] ?? [], decisions))
        }
    }

    private func write(_ report: TestReport, _ mutations: MutationReport?) throws {
        let moment = try time() ?? Timestamp.now()
        let terminal = OutputStream(STDOUT_FILENO)
        for (form, path) in zip(format, output) {
            let text = text(report, usesColor: false)
            let bytes = form.bytes(report, mutations, path: rules, asOf: moment, text: text)
            try OutputFile.write(bytes, to: path)
        }
        let form = format.count > output.count ? format[output.count] : .text
        let text = text(report, usesColor: terminal.wantsColor)
        try terminal.write(form.bytes(report, mutations, path: rules, asOf: moment, text: text))
        try terminal.flush()
    }

    private func text(_ report: TestReport, usesColor: Bool) -> String {
        let style = Style(usesColor: usesColor)
        let start = (try? time()) ?? Timestamp.now()
        return TestReportText(style: style, thresholds: minCoverage?.percents ?? [:], listsAll: uncovered, asOf: start)
            .text(report)
    }

    /// Fails if a test failed or too little was reached.
    private func judge(_ report: TestReport) throws {
        var isRefused = !report.isPassed
        for kind in RuleCoverage.Kind.allCases {
            guard let least = minCoverage?.percents[kind], let percent = report.coverage?.count(kind).percent,
                percent < least
            else { continue }
            let numbers = "\(ReportNumbers.decimal(percent, 1)) %, below \(ReportNumbers.decimal(least, 1)) %"
            Failure.report("shunt: error: coverage of \(kind.rawValue) is \(numbers)")
            isRefused = true
        }
        if isRefused { throw Failure.negative }
    }
}
#endif
