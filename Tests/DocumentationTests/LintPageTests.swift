import Foundation
import Shunt
import ShuntTools
import Testing

/// The pages about the checks of lint: one is made of the checks, and the texts of the checks are read from the other.
@Suite struct LintPageTests {
    private static let article = "Sources/ShuntTools/ShuntTools.docc/Checks.md"
    private static let mark = "<!-- From here on the tests write this page. -->\n"

    @Test("The page leads to all checks, and the article has their severities, explanations and examples")
    func pages() throws {
        try Self.compare("docs/lint.md", with: Self.index())
        // This one is never recorded: it is the only place of the texts.
        let text = try String(contentsOfFile: Document.root + "/" + Self.article, encoding: .utf8)
        let start = try #require(text.range(of: "and an example. -->\n")?.upperBound)
        #expect(text[start...] == Self.explanations(), "write a section for each check, in their order")
    }

    /// Compares what follows the mark of a page, or records it.
    private static func compare(_ page: String, with expected: String) throws {
        let file = Document.root + "/" + page
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let start = try #require(text.range(of: mark)?.upperBound)
        guard !Document.isRecording else {
            return try (text[..<start] + expected).write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(text[start...] == expected, "record it: SHUNT_RECORD_DOCUMENTS=1 swift test --filter LintPageTests")
    }

    /// The checks of each group that has some.
    private static var groups: [(LintCheck.Group, [LintCheck])] {
        LintCheck.Group.allCases.map { group in (group, LintCheck.all.filter { $0.group == group }) }
            .filter { !$0.1.isEmpty }
    }

    private static func index() -> String {
        var result = ""
        for (group, checks) in groups {
            result += "\n**`\(group.rawValue)`**:\n"
            result += checks.map { "[`\($0.id)`](../\(article)#\($0.id))" }.joined(separator: "\n") + "\n"
        }
        return result
    }

    private static func explanations() -> String {
        var result = ""
        for (group, checks) in groups {
            result += "\n## Group `\(group.rawValue)`\n"
            for check in checks {
                var summary = "\(check.severity.rawValue), by \(check.basis.rawValue): \(check.summary)"
                if let target = check.onlyFor { summary += " (with `--target \(target.rawValue)`)" }
                result += "\n### `\(check.id)`\n\n" + lines(summary.prefix(1).uppercased() + summary.dropFirst() + ".")
                result += "\n" + lines(check.explanation) + "\n```text\n\(check.example)\n```\n"
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
