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

    /// Wordings of comments and documentation comments, without the white space before them.
    static let comments = [
        Pattern(
            expression: #"^/// (What|Whether|How|Where|Who|Whom|Whose|Why|When|Of|Which)\b"#,
            instead: "a noun phrase, \"True if …\", or a verb such as Returns",
            isOfSummaries: true
        ),
        Pattern(expression: #"\b[Nn]obody\b"#, instead: "the role: caller, client, reader"),
        Pattern(expression: #"\b[Ss]omebody\b"#, instead: "the role: caller, client, reader"),
        Pattern(expression: #"\banew\b"#, instead: "again"),
        Pattern(
            expression: #"\b([Ww]hoever|[Tt]o whom)\b"#,
            instead: "the role: caller, client, operator, reader"
        ),
        // "There is none" is plain English.
        Pattern(expression: #"[^e] (is|are|was|were) none\b"#, instead: "is invalid, is not a, has no"),
        Pattern(expression: #"\b(is|are) owed to\b"#, instead: "is caused by"),
        Pattern(expression: #"\b([Gg]o(es)?|going|went|gone) on\b"#, instead: "continue, in progress"),
        Pattern(
            expression: #"\b(([Cc]omes?|came|coming) (to|of)|(go(es)?|went|gone) out)\b"#,
            instead: "reach, result in, is sent"
        ),
        Pattern(
            expression: #"\b([Ll]ook(s|ed|ing)? at\b|([Ss]tands?|[Ss]tood|[Ss]tanding)\b(?! for\b))"#,
            instead: "read, check; is"
        ),
        Pattern(
            expression: #"\b([Mm]ak(es?|ing) (the |its )?tests|(tests|requests) (are|were) made)\b(?! of)"#,
            instead: "run, send, generate"
        ),
        Pattern(expression: #"\b[Tt]he ones? that\b"#, instead: "the noun again"),
        // "There is no" is plain English, and so is "no longer".
        Pattern(
            expression: #"([^e/] |[^r]e |[^e]re |[^h]ere )(is|are|was|were) no (?!more\b|one\b|[a-z]+er\b)"#,
            instead: "is not a"
        ),
        Pattern(
            expression: #"\b([Oo]f (its|their|your|his) own(?! \w)|[Bb]y (itself|themselves))\b"#,
            instead: "its own, separate, alone, automatically"
        ),
        Pattern(
            expression: #"\bas (it stands|they stand|(it is|they are)(?=[.,;:)]))"#,
            instead: "unchanged, current"
        ),
        Pattern(expression: #"[^`/]\b[Bb]esides?\b(?!:)"#, instead: "next to, in addition to, other than"),
        Pattern(
            expression: #"\b([Ss]ays?|[Ss]aid|[Ss]aying|[Tt]ells?|[Tt]old|[Tt]elling)\b"#,
            instead: "report, return, state, show, distinguish"
        ),
        Pattern(
            expression: #"\b([Gg]ives?|[Gg]ave|[Gg]iving)\b(?! up\b)"#,
            instead: "return, set, pass, supply"
        ),
        // Clients ask for a page, and a browser asks a person.
        Pattern(
            expression:
                #"\b([Ww]ho asks|[Aa]sks? the rules|([Rr]ules?|gates?|limits?|servers?|upstreams?) (that )?(is|are|was|were) asked)\b"#,
            instead: "client, caller; evaluated, tried, checked, gets the request"
        ),
        Pattern(
            expression: #"\bbehind (it|them|that|the (first|last|next|one|end|word|name|slash|path|host))\b"#,
            instead: "after"
        ),
    ]

    /// Wordings of documents, outside of examples and of what is between backquotes.
    static let documents = [
        Pattern(
            expression: #"\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Tt]o whom)\b"#,
            instead: "the role: client, operator, rule author"
        ),
        Pattern(
            expression: #"\b([Aa]new|[Bb]esides?|[Bb]y itself|[Bb]y themselves)\b"#,
            instead: "again, next to, alone"
        ),
        Pattern(
            expression:
                #"\bbehind (it|them|that|these|the (first|last|next|one|end|word|name|slash|path|host|rule|code))\b"#,
            instead: "after"
        ),
        Pattern(expression: #"\b(is|are) none\b"#, instead: "is invalid, is not a, has no"),
        Pattern(
            // "There is no" is plain English.
            expression: #"(^ ?|[^e] |[^r]e |[^e]re |[^h]ere )(is|are|was|were) no (?!longer\b|more\b)"#,
            instead: "is not a"
        ),
        Pattern(expression: #"\bas (it|they) stands?\b"#, instead: "unchanged, current"),
        Pattern(expression: #"\b([Ss]ays?|[Ss]aid|[Ss]aying|[Tt]ells?|[Tt]old)\b"#, instead: "report, return, state"),
        Pattern(expression: #"\bgo(es)? on\b"#, instead: "continue"),
        Pattern(
            expression: #"\bmakes? (the |their )?(tests?|requests?|examples?|answers?)\b"#,
            instead: "run, send, create"
        ),
        Pattern(
            expression: #"\b(is owed to|has to do with|takes it for|what becomes of|comes of)\b"#,
            instead: "is caused by, concerns, the result of"
        ),
        Pattern(expression: #"\b[Oo]f ((its|their|your) own|theirs|yours)\b"#, instead: "its own, separate"),
        Pattern(expression: #"\b[Ss]t(ands?|ood|anding)\b(?! for\b)"#, instead: "is"),
        Pattern(expression: #"\b[Ll]ook(s|ed|ing)? at\b"#, instead: "read, check, compare"),
        Pattern(expression: #"\b([Gg]ives?|[Gg]iving|[Gg]ave)\b"#, instead: "report, set, return, supply"),
        Pattern(
            expression: #"\bas (it|they) (is|are)\b(?! (in|for|with|of|sent|written)\b)"#,
            instead: "unchanged, current",
            exceptions: ["edited stay as they are.": "of files that an upgrade does not touch"]
        ),
        Pattern(expression: #"\b[Tt]ak(es?|en) (?!part\b)\S+ for\b"#, instead: "treat as, read as"),
        Pattern(expression: #"\b(comes?|came) (to|of)\b"#, instead: "reach, result from"),
    ]

    /// The pages at the root and of the other folders.
    private static let others = [
        "README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "Simulation/README.md",
        "Benchmarks/README.md", "Fuzzers/README.md", "Examples/README.md",
    ]

    /// The lines of all pages, or the reason why one cannot be read.
    private static let lines = Result {
        try (others + pages).flatMap { page in try prose(of: page).map { (place: "\(page):\($0.0)", text: $0.1) } }
    }

    @Test("No document has a wording that stops readers", arguments: documents)
    func wordingOfDocuments(_ pattern: Pattern) throws {
        let expression = try Regex(pattern.expression)
        let found = try Self.lines.get()
            .filter { $0.text.contains(expression) && pattern.exceptions[$0.text] == nil }
            .map { "\($0.place): \($0.text)" }
        #expect(found.isEmpty, "write \(pattern.instead):\n\(found.prefix(20).joined(separator: "\n"))")
    }

    private static var pages: [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: Document.root + "/docs")) ?? []
        return (names.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 } + Document.articles).sorted()
    }

    /// The lines of a page outside of its examples, with their numbers from 1, without code and the targets of links.
    private static func prose(of page: String) throws -> [(Int, String)] {
        let document = try Document(page)
        let examples = Set(document.blocks.flatMap { Array($0.line..<$0.line + $0.lines.count) })
        return document.lines.enumerated().filter { !examples.contains($0.offset + 1) }
            .map { index, line in
                let text = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .map { $0.offset % 2 == 0 ? String($0.element) : "x" }.joined()
                return (index + 1, text.replacing(/\]\([^)]*\)/, with: "]"))
            }
    }

    /// The files that the patterns are for.
    static let sources: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted()
    }()

    /// The other files of Swift, as seen from the folder of the sources.
    private static let elsewhere: [String] = [
        "Benchmarks/Sources", "Examples", "Fuzzers/Sources", "Simulation/Sources", "Tests",
    ]
    .flatMap { folder in
        let names = try? FileManager.default.subpathsOfDirectory(atPath: Document.root + "/" + folder)
        return (names ?? []).filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.sorted()
            .map { "../\(folder)/\($0)" }
    }

    /// A line of a comment, without the white space before it.
    private struct CommentLine: Sendable {
        let place: String
        let text: String
        /// A word at the beginning of a later line belongs to the sentence before it.
        let isSummary: Bool
    }

    private static let commentLines: [CommentLine] = (sources + elsewhere)
        .flatMap { name -> [CommentLine] in
            let text = (try? String(contentsOfFile: Document.root + "/Sources/" + name, encoding: .utf8)) ?? ""
            var found: [CommentLine] = []
            var isDocumented = false
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let words = line.drop { $0 == " " }
                if words.hasPrefix("//") {
                    let place = "\(name):\(index + 1)"
                    found.append(CommentLine(place: place, text: String(words), isSummary: !isDocumented))
                }
                isDocumented = words.hasPrefix("///")
            }
            return found
        }

    @Test("No comment has a wording that stops readers", arguments: comments)
    func wording(_ pattern: Pattern) throws {
        let expression = try Regex(pattern.expression)
        #expect(Self.commentLines.count > 20_000)
        let found = Self.commentLines.filter { line in
            (line.isSummary || !pattern.isOfSummaries) && line.text.contains(expression)
                && pattern.exceptions[line.text] == nil
        }
        let lines = found.prefix(20).map { "\($0.place): \($0.text)" }
        #expect(found.isEmpty, "write \(pattern.instead):\n\(lines.joined(separator: "\n"))")
    }

    /// Wordings of the names of tests.
    static let names = [
        Pattern(
            expression: #"^(What|Whether|How|Where|Who|Why|When|Which|Of)\b"#,
            instead: "the subject of the sentence"
        ),
        Pattern(
            expression: #"(?i)\b(nobody|somebody|whoever|anew|besides?|says?|said|tells?|told|gives?|gave|owed to)\b"#,
            instead: "the role, again, next to, report, return"
        ),
        Pattern(expression: #"(?i)\b(behind|(goes|go|went) on|(comes?|came) to)\b"#, instead: "after, continue, reach"),
    ]

    @Test("No name of a test has a wording that stops readers", arguments: names)
    func wordingOfNames(_ pattern: Pattern) throws {
        let expression = try Regex(pattern.expression)
        var found: [String] = []
        for name in Self.elsewhere {
            let text = try String(contentsOfFile: Document.root + "/Sources/" + name, encoding: .utf8)
            for match in text.matches(of: /@(Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"/) where match.2.contains(expression) {
                found.append("\(name): \(match.2)")
            }
        }
        #expect(found.isEmpty, "write \(pattern.instead):\n\(found.prefix(20).joined(separator: "\n"))")
    }

    @Test("A document begins with what it is for", arguments: pages)
    func purpose(of page: String) throws {
        let lines = try Document(page).lines
        #expect(lines.first?.hasPrefix("# ") == true, "\(page) begins with a heading")
        #expect(
            lines.count > 2 && lines[1].isEmpty && lines[2].first?.isLetter == true,
            "\(page) continues with a sentence"
        )
    }

    @Test("The documents have at most 60,000 words")
    func length() throws {
        let words = try Self.pages.filter { $0.hasPrefix("docs/") }
            .reduce(0) { count, page in
                let text = try String(contentsOfFile: Document.root + "/" + page, encoding: .utf8)
                // The bars of tables are not words.
                return count + text.split { $0.isWhitespace }.count { $0.contains { $0.isLetter || $0.isNumber } }
            }
        #expect((40_000...60_000).contains(words))
    }

    @Test("The patterns find what they are for, and nothing else")
    func patterns() throws {
        let verbs = try Regex(Self.documents[6].expression)
        #expect("The message says what to do.".contains(verbs) && !"It reports an essay.".contains(verbs))
        let summary = try Regex(Self.comments[0].expression)
        #expect("/// Whether a rule matches.".contains(summary))
        #expect(!"/// True if a rule matches, whatever it does.".contains(summary))
        #expect("// Nobody asks.".contains(try Regex(Self.comments[1].expression)))
    }
}
