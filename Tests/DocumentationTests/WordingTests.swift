import Foundation
import Testing

/// The style of English that CONTRIBUTING.md states, as far as patterns can hold it.
@Suite struct WordingTests {
    /// A wording with what to write instead.
    struct Pattern: Sendable, CustomTestStringConvertible {
        let expression: String
        let instead: String
        /// True for a wording that is wrong at the beginning of a summary only.
        var isOfSummaries = false
        /// Lines that may have it, each with a reason.
        var exceptions: [String: String] = [:]

        var testDescription: String { expression }
    }

    /// Wordings of comments and documentation comments.
    static let comments = [
        Pattern(
            expression: #"^\s*/// (What|Whether|How|Where|Who|Whom|Whose|Why|When|Of|Which)\b"#,
            instead: "a noun phrase, \"True if …\", or a verb such as Returns",
            isOfSummaries: true
        ),
        Pattern(expression: #"^\s*//.*\b[Nn]obody\b"#, instead: "the role: caller, client, operator, reader"),
        Pattern(expression: #"^\s*//.*\b[Ss]omebody\b"#, instead: "the role: caller, client, operator, reader"),
        Pattern(expression: #"^\s*//.*\banew\b"#, instead: "again"),
        Pattern(
            expression: #"^\s*//.*\bbehind (it|them|that|the (first|last|next|one|end|word|name|slash|path|host))\b"#,
            instead: "after"
        ),
    ]

    /// The files that the patterns are for.
    static let sources: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted()
    }()

    @Test("No comment of the sources has a wording that stops readers", arguments: comments)
    func wording(_ pattern: Pattern) throws {
        let expression = try Regex(pattern.expression)
        var found: [String] = []
        for name in Self.sources {
            let text = try String(contentsOfFile: Document.root + "/Sources/" + name, encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains(expression) {
                // A word at the beginning of a later line belongs to the sentence before it.
                let isSummary = index == 0 || !lines[index - 1].drop { $0 == " " }.hasPrefix("///")
                let key = String(line.drop { $0 == " " })
                guard isSummary || !pattern.isOfSummaries, pattern.exceptions[key] == nil else { continue }
                found.append("\(name):\(index + 1): \(key)")
            }
        }
        #expect(found.isEmpty, "write \(pattern.instead):\n\(found.prefix(20).joined(separator: "\n"))")
    }

    @Test("The patterns find what they are for, and nothing else")
    func patterns() throws {
        let summary = try Regex(Self.comments[0].expression)
        #expect("    /// Whether a rule matches.".contains(summary))
        #expect(!"    /// True if a rule matches, whatever it does.".contains(summary))
        #expect("// Nobody asks.".contains(try Regex(Self.comments[1].expression)))
        #expect(!"let nobody = 1".contains(try Regex(Self.comments[1].expression)))
    }
}
