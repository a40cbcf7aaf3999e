#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds mistakes in rules that load: dead rules, loops, ways around them, open redirects.",
        usage: "shunt lint <path> ... [options]",
        discussion: """
            The findings of `shunt check` are reported, too. A finding is proved for all requests, or shown by a request that the \
            rules decided, or plain from what is written. Any other is counted and not shown; --unproved lists the rules of which it is not \
            known whether anything reaches them.

            A comment above a rule accepts a finding: #: allow open-redirect "the host is checked before". A baseline accepts \
            all that was found once.

            `shunt lint --explain CHECK` explains a check, with an example; docs/lint.md has all of them.

            The exit status is 1 when there is a finding of at least --fail-on.

            Examples:
                shunt lint rules
                shunt lint rules --skip upkeep --fail-on error
                shunt lint rules --format sarif --output lint.sarif
                shunt lint rules --write-baseline lint.baseline
                shunt lint --explain other-spelling
            """
    )

    @Argument(help: "Directories of rule files, rule files, or an nginx.conf.", completion: .file())
    var path: [String] = []

    @Option(help: .hidden)
    var rules: [String] = []

    @OptionGroup var loading: LoadOptions
    @OptionGroup var options: LintCommandOptions

    @Option(help: "Fail from this severity on: note, warning or error.")
    var failOn: LintSeverity = .warning

    @Option(help: "The format of the findings: text, json, sarif, github or junit.")
    var format: LintForm = .text

    @Option(help: .value("file", "Write the findings to this file, and text to the terminal."))
    var output: String?

    @Option(help: .value("check", "Explain a check, with an example."))
    var explain: String?

    @Flag(help: "List the rules of which it is not known whether anything reaches them.")
    var unproved = false

    @Option(help: .value("file", "Accept the findings that this file lists."), completion: .file())
    var baseline: String?

    @Option(help: .value("file", "Write all findings to this file, as accepted ones."))
    var writeBaseline: String?

    @Flag(help: "Change the rule files where that changes no outcome: dead rules, unused definitions, plainer forms.")
    var fix = false

    @Flag(help: "With --fix: show what would be changed, and change nothing.")
    var dryRun = false

    func validate() throws {
        if dryRun, !fix { throw ValidationError("--dry-run goes with --fix.") }
        if let explain {
            guard LintCheck.named(explain) != nil else { throw LintCommandOptions.unknown(explain) }
            return
        }
        if path.isEmpty, rules.isEmpty { throw ValidationError("Which rules? Name a directory or a file.") }
        _ = try options.lintOptions()
    }

    func run() throws { try OutputStream.standard(run) }

    private func run(writingTo stream: OutputStream) throws {
        if let explain {
            if let check = LintCheck.named(explain) { try stream.write(LintText.explanation(of: check)) }
            return
        }
        var made = try options.lintOptions()
        if let hits = options.hits, let duration = options.unusedFor {
            made.hits = try HitCounts.read(hits, unusedFor: duration)
            if let counts = made.hits, !counts.isOldEnough(at: made.asOf) {
                Failure.report(
                    "shunt: warning: never-hit does not run: these rules have been counted since \(counts.since) only"
                )
            }
        }
        if fix { for path in path + rules { try fixRules(path, options: made, stream: stream) } }
        var runs: [LintedRules] = []
        for path in path + rules {
            let ruleSet = try loading.rules(path)
            made.tests = try tests(of: path)
            runs.append((path, LintRun(ruleSet, made), ruleSet))
        }
        let all = runs.flatMap(\.run.findings)
        if let writeBaseline { try OutputFile.write(Array(LintBaseline.text(all).utf8), to: writeBaseline) }
        var findings = all
        var gone = 0
        if let baseline { (findings, gone) = try self.baseline(at: baseline).compare(all) }
        if writeBaseline != nil { findings = [] }
        let text = text(findings, runs: runs, gone: gone, usesColor: stream.wantsColor)
        let bytes = format.bytes(findings, runs: runs, text: text)
        if let output {
            try OutputFile.write(bytes, to: output)
            try stream.write(text)
        } else {
            try stream.write(bytes)
        }
        if findings.contains(where: { failOn.includes($0.diagnostic.severity) }) { throw Failure.negative }
    }

    /// Changes the files of rules, unless something would be decided otherwise.
    private func fixRules(_ path: String, options: LintOptions, stream: OutputStream) throws {
        let fixes: LintFixes
        do throws(LintFixes.Problem) {
            fixes = try LintFixes(path, from: LocalFileSystem(), options) { path, files throws(RuleSetError) in
                try loading.capture(path, from: files)
            }
        } catch {
            switch error {
            case .load(let diagnostics): throw Failure.errors(diagnostics)
            case .outcome(let change): throw Failure.error("nothing is changed, because \(change)")
            }
        }
        for finding in fixes.fixed {
            let verb = dryRun ? "would be fixed" : "fixed"
            try stream.write(
                "\(finding.diagnostic.location): \(verb): \(finding.diagnostic.message) [\(finding.check)]\n"
            )
        }
        guard !dryRun else { return }
        for (path, bytes) in fixes.files.sorted(by: { $0.key < $1.key }) { try OutputFile.replace(path, with: bytes) }
    }

    /// The tests that rules bring along and those in the files next to them.
    private func tests(of path: String) throws -> [TestCase] {
        var sources = TestSources(try loading.rules(path, collectsTests: true), host: nil)
        sources.addBeside(path)
        guard sources.problems.isEmpty else { throw Failure.errors(sources.problems) }
        return sources.cases
    }

    private func baseline(at path: String) throws -> LintBaseline {
        if let baseline = LintBaseline(try InputFile.content(path, limit: 16 << 20)) { return baseline }
        throw Failure.error("\(path) is not a baseline: --write-baseline writes one")
    }

    private func text(_ findings: [LintFinding], runs: [LintedRules], gone: Int, usesColor: Bool) -> String {
        var text = LintText(usesColor: usesColor).findings(findings)
        if unproved { text += LintText.unproved(runs.flatMap(\.run.unproved)) }
        if gone > 0 {
            text += "\(gone) of the accepted findings \(gone == 1 ? "is" : "are") gone: write the baseline again\n"
        }
        return text
            + LintText.summary(
                findings,
                rules: runs.reduce(0) { $0 + $1.run.ruleCount },
                judged: runs.reduce(0) { $0 + $1.run.judgedCount },
                allowed: runs.reduce(0) { $0 + $1.run.allowedCount }
            )
    }
}
#endif
