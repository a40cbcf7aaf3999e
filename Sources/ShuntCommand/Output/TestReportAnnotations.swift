import Shunt
import ShuntTools

/// Tests that failed as annotations of GitHub.
enum TestReportAnnotations {
    static func text(_ report: TestReport) -> String {
        report.outcomes.filter { $0.result == .failed }
            .map { outcome in
                let file = GitHubText.property(outcome.test.location.file)
                let message = GitHubText.message("\(outcome.test.request): \(outcome.message)")
                return "::error file=\(file),line=\(outcome.test.location.line)::\(message)\n"
            }
            .joined()
    }
}
