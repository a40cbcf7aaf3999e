#if Command
import ArgumentParser
import Shunt
import ShuntTools

/// The checks that `shunt lint` runs, and their subject.
struct LintCommandOptions: ParsableArguments {
    @Option(help: .value("list", "Run these checks or groups only; commas between them."))
    var checks: String?

    @Option(help: .value("list", "Leave these checks or groups out; commas between them."))
    var skip: String?

    @Option(help: "Which program runs the rules: shunt or nginx.")
    var target: LintOptions.Target = .shunt

    @OptionGroup var acceptance: AcceptOptions

    @Option(help: .value("name", "A domain below which all hosts are yours. May be repeated."))
    var trustedDomain: [String] = []

    @Option(
        help: .value(
            "time",
            "The time of requests, and from which on times are checked, in ISO 8601, such as 2026-02-03T04:05:06Z; else now."
        )
    )
    var asOf: String?

    @Option(help: .value("number", "The steps that one proof may take; more are more proofs in more time."))
    var proofSteps: Int = AnalysisLimits().stepsPerProof

    @Option(
        help: .value(
            "url|file",
            "The counts of a gateway: the address of /rules on its admin listener, or a file with the answer."
        )
    )
    var hits: String?

    @Option(help: .value("duration", "With --hits: report rules that decided nothing for so long, such as 30d."))
    var unusedFor: DurationArgument?

    func validate() throws {
        if (hits == nil) != (unusedFor == nil) { throw ValidationError("--hits and --unused-for go together.") }
    }

    func lintOptions() throws -> LintOptions {
        var options = LintOptions(asOf: try time())
        options.target = target
        options.checks = try checks.map(names)
        options.skipped = try skip.map(names) ?? []
        if let checks = options.checks, checks.isSubset(of: options.skipped) {
            throw ValidationError("--checks and --skip leave no check.")
        }
        options.trustedDomains = trustedDomain
        options.accepted = Set(acceptance.accept)
        guard proofSteps > 0 else {
            throw ValidationError("--proof-steps takes a number from 1 on, not \(proofSteps).")
        }
        options.limits.stepsPerProof = proofSteps
        return options
    }

    private func names(_ list: String) throws -> Set<String> {
        let names = list.split(separator: ",").map(String.init)
        let known = Set(LintCheck.all.map(\.id) + LintCheck.Group.allCases.map(\.rawValue))
        if let wrong = names.first(where: { !known.contains($0) }) { throw Self.unknown(wrong) }
        return Set(names)
    }

    static func unknown(_ name: String) -> ValidationError {
        let known = LintCheck.all.map(\.id) + LintCheck.Group.allCases.map(\.rawValue)
        let meant = Suggestion.closest(to: name, among: known)
        let hint = meant.map { "Did you mean \($0)?" } ?? "The checks:\n\(LintText.list(LintCheck.all))"
        return ValidationError("There is no check \"\(name)\". \(hint)")
    }

    private func time() throws -> Timestamp { try TimeOptions.time(asOf, of: "--as-of") ?? .now() }
}

extension LintOptions.Target: ExpressibleByArgument {}

enum LintSeverity: String, ExpressibleByArgument, CaseIterable {
    case note, warning, error

    /// Returns true if a finding is as bad as this or worse.
    func includes(_ severity: Diagnostic.Severity) -> Bool {
        switch self {
        case .note: true
        case .warning: severity != .note
        case .error: severity == .error
        }
    }
}

typealias LintedRules = (path: String, run: LintRun, ruleSet: RuleSet)

enum LintForm: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, github, junit

    func bytes(_ findings: [LintFinding], runs: [LintedRules], text: String) -> [UInt8] {
        switch self {
        case .text: Array(text.utf8)
        case .json: LintJSON.bytes(runs, findings)
        case .sarif: LintSARIF.bytes(runs, findings)
        case .junit: Array(LintJUnit.text(findings).utf8)
        case .github: Array(findings.map(Self.annotation).joined().utf8)
        }
    }

    private static func annotation(_ finding: LintFinding) -> String {
        let diagnostic = finding.diagnostic
        let file = GitHubText.property(diagnostic.location.file)
        let lines = [diagnostic.message] + finding.remarks + [diagnostic.suggestion].compactMap { $0 }
        let severity = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
        let place = "file=\(file),line=\(diagnostic.location.line),col=\(diagnostic.location.column)"
        let title = GitHubText.property(finding.check)
        return "::\(severity) \(place),title=\(title)::\(GitHubText.message(lines.joined(separator: "\n")))\n"
    }
}

/// A duration: a number with `s`, `m`, `h`, `d` or `w` after it.
struct DurationArgument: ExpressibleByArgument {
    var seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()), number > 0,
            number <= 1_000_000
        else { return nil }
        seconds = number * unit
    }
}

/// The counts of a gateway: from a file with the answer of `/rules`, or from its admin listener.
enum HitCounts {
    private static let limit = 1 << 28

    /// Reads the counts; the program has no client without the traits, so it runs curl.
    static func read(_ source: String, unusedFor duration: DurationArgument) throws -> RuleHits {
        do {
            let bytes =
                source.hasPrefix("http://") || source.hasPrefix("https://")
                ? try SpawnedProgram.output(of: ["curl", "-fsS", "--max-time", "30", source], limit: limit)
                : try LocalFileSystem().read(source, limit: limit)
            return try RuleHits(bytes, unusedFor: duration.seconds)
        } catch {
            throw Failure.error("cannot read the counts of \(source): \(error)")
        }
    }
}
#endif
