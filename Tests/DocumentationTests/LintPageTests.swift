import Foundation
import Shunt
import ShuntAnalysis
import Testing

/// `docs/lint.md`, whose list of checks is made of the checks.
@Suite struct LintPageTests {
    private static let path = "docs/lint.md"
    private static let mark = "<!-- From here on the tests write this page. -->\n"

    @Test("The page lists all checks as they explain themselves")
    func page() throws {
        let file = Document.root + "/" + Self.path
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let start = try #require(text.range(of: Self.mark)?.upperBound)
        let expected = Self.checks()
        guard !Document.isRecording else {
            return try (text[..<start] + expected).write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(text[start...] == expected, "record it: SHUNT_RECORD_DOCUMENTS=1 swift test --filter LintPageTests")
    }

    private static func checks() -> String {
        var result = ""
        for group in LintCheck.Group.allCases {
            let checks = LintCheck.all.filter { $0.group == group }
            if checks.isEmpty { continue }
            result += "\n### Group `\(group.rawValue)`\n\n| check | severity | by | finds |\n|---|---|---|---|\n"
            for check in checks {
                var summary = check.summary.replacingOccurrences(of: "|", with: "\\|")
                if let target = check.onlyFor { summary += " (with `--target \(target.rawValue)`)" }
                result += "| `\(check.id)` | \(check.severity.rawValue) | \(check.basis.rawValue) | \(summary) |\n"
            }
            for check in checks {
                result += "\n#### `\(check.id)`\n\n" + lines(check.explanation) + "\n```text\n\(check.example)\n```\n"
            }
        }
        return result
    }

    /// Words in lines of at most 130 bytes.
    private static func lines(_ text: String) -> String {
        var result = ""
        var line = ""
        for word in text.split(separator: " ") {
            if line.utf8.count + word.utf8.count > 129 {
                result += line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return result + line + "\n"
    }
}
