import Shunt

/// The texts about a check, which are in the page of the checks.
struct LintCheckText {
    /// The finding in one line.
    var summary = ""
    /// The reason why that is worth knowing, and what to do.
    var explanation = ""
    /// Rules in which it finds something.
    var example = ""

    /// Those of all checks, by their names.
    static let all = read(String(decoding: PackageResources.Checks_md, as: UTF8.self))

    /// Reads a page: of each check a heading, a paragraph with the summary, one with the explanation, and a block with the example.
    private static func read(_ page: String) -> [String: LintCheckText] {
        var texts: [String: LintCheckText] = [:]
        for section in page.split(separator: "\n### `").dropFirst() {
            guard let name = section.firstIndex(of: "`"), let fence = section.firstRange(of: "```text\n"),
                let end = section[fence.upperBound...].firstRange(of: "\n```")
            else { continue }
            let paragraphs = section[section.index(after: name)..<fence.lowerBound].split(separator: "\n\n")
                .map { $0.split(separator: "\n").joined(separator: " ") }
                .filter { !$0.isEmpty }
            guard paragraphs.count == 2, let head = paragraphs[0].firstRange(of: ": ") else { continue }
            let summary = paragraphs[0][head.upperBound...].dropLast()
            texts[String(section[..<name])] = LintCheckText(
                summary: String(
                    summary.firstRange(of: " (with `--target").map { summary[..<$0.lowerBound] } ?? summary
                ),
                explanation: paragraphs[1],
                example: String(section[fence.upperBound..<end.lowerBound])
            )
        }
        return texts
    }
}

extension LintCheck {
    private var text: LintCheckText { LintCheckText.all[id] ?? LintCheckText() }

    /// The finding in one line.
    package var summary: String { text.summary }
    /// The reason why that is worth knowing, and what to do.
    package var explanation: String { text.explanation }
    /// Rules in which it finds something.
    package var example: String { text.example }
}
