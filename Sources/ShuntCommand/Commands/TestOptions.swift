#if Command
import ArgumentParser
import Shunt
import ShuntPatterns
import ShuntTools

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
#endif
