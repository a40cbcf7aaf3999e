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

    /// Wordings of documents, outside of examples and of what stands between backquotes.
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
        Pattern(expression: #"\b[Oo]f (its|their) own\b"#, instead: "its own, separate"),
    ]

    /// Pages that have not been rewritten yet, which another change does: none of the patterns looks at them.
    static let laterPages: Set = [
        "docs/app-links.md", "docs/benchmarks.md", "docs/bridge.md",
        "docs/migrating-from-app-routers.md",
        "docs/migrating-from-nginx.md", "docs/serving-nginx-conf.md",
    ]

    @Test("No document has a wording that stops readers", arguments: documents)
    func wordingOfDocuments(_ pattern: Pattern) throws {
        let expression = try Regex(pattern.expression)
        var found: [String] = []
        for page in ["README.md", "CHANGELOG.md", "Simulation/README.md"] + Self.pages {
            for (index, line) in try Self.prose(of: page)
            where line.contains(expression) && pattern.exceptions[line] == nil {
                found.append("\(page):\(index): \(line)")
            }
        }
        #expect(found.isEmpty, "write \(pattern.instead):\n\(found.prefix(20).joined(separator: "\n"))")
    }

    private static var pages: [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: Document.root + "/docs")) ?? []
        return (names.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 } + Document.articles)
            .filter { !laterPages.contains($0) }.sorted()
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

    /// Wordings of messages, help, lint texts and the page: of string literals with a space.
    static let literals = [
        Pattern(expression: #"(?i)\b(is|are|was|were) none\b"#, instead: "is invalid, has no"),
        Pattern(
            // "There is no" is plain English.
            expression: #"(?i)(^ ?|[^e] |[^r]e |[^e]re |[^h]ere )(is|are|was|were) no (?!longer\b|more\b)"#,
            instead: "is not a, is invalid"
        ),
        Pattern(expression: #"(?i)\b(nobody|somebody)\b"#, instead: "the role: caller, client, operator, attacker"),
        Pattern(
            expression: #"(?i)\bbehind\b(?! (a|another|the) (web )?(proxy|server))"#,
            instead: "after"
        ),
        Pattern(
            expression: #"(?i)\b(makes? (the |its |their )?(tests|requests)|(is|are|was|were) made)\b"#,
            instead: "runs, sends, generates"
        ),
        Pattern(expression: #"(?i)\banew\b"#, instead: "again"),
        Pattern(expression: #"(?i)\bbesides?\b"#, instead: "next to, in addition to, combined with"),
        Pattern(
            expression: #"(?i)\b(says?|saying|said|tells?|telling|told|gives?|giving|gave)\b"#,
            instead: "report, show, set, return"
        ),
        Pattern(expression: #"(?i)\b(stands?|stood|standing)\b"#, instead: "is"),
        Pattern(expression: #"(?i)\b(asks?|asked|asking)\b"#, instead: "request, require, try, read"),
        Pattern(
            expression: #"(?i)\b((goes|go|went|going) (on|out)|(comes|come|came) (to|of))\b"#,
            instead: "continue, is sent, reach"
        ),
        Pattern(expression: #"(?i)\b(takes?|taken|took) (it|them|\S+) for\b"#, instead: "treat as"),
        Pattern(
            expression: #"(?i)\b(of (its|their|your|his) own|by (itself|themselves)|of (theirs|yours|others))\b"#,
            instead: "its own, separate, automatically"
        ),
        Pattern(expression: #"(?i)\b(the ones? that|those (that|of)|that of)\b"#, instead: "the noun again"),
        Pattern(expression: #"(?i)\bas (it (stands|is)|they (stand|are))\b"#, instead: "unchanged, current"),
        Pattern(expression: #"(?i)\b(leaves?|left|leaving) (\S+ )*?away\b"#, instead: "remove"),
        Pattern(expression: #"(?i)\b((is|are) owed to|ha(s|ve) to do with)\b"#, instead: "is caused by, concerns"),
        Pattern(expression: #"(?i)\b(take|takes) (\S+ )*?out\b"#, instead: "remove"),
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

    @Test("A document begins with what it is for", arguments: pages)
    func purpose(of page: String) throws {
        let lines = try Document(page).lines
        #expect(lines.first?.hasPrefix("# ") == true, "\(page) begins with a heading")
        #expect(
            lines.count > 2 && lines[1].isEmpty && lines[2].first?.isLetter == true,
            "\(page) continues with a sentence"
        )
    }

    // MARK: Messages

    /// The text of string literals with a space, without interpolations, by place.
    private static let texts: [(place: String, text: String)] = {
        var texts: [(String, String)] = []
        let page =
            (try? FileManager.default.contentsOfDirectory(atPath: Document.root + "/Sources/ShuntPage/Files")) ?? []
        let pages = page.filter { !$0.hasSuffix(".css") }.map { "ShuntPage/Files/" + $0 }
        for name in sources + pages.sorted() {
            guard let text = try? String(contentsOfFile: Document.root + "/Sources/" + name, encoding: .utf8) else {
                continue
            }
            var isInside = false
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let words = line.drop { $0 == " " || $0 == "\t" }
                if !isInside, words.hasPrefix("//") { continue }
                if words.hasPrefix("\"\"\"") || words.hasSuffix("\"\"\"") {
                    isInside = !isInside && words.hasSuffix("\"\"\"")
                    continue
                }
                let quotes: Set<Character> =
                    name.hasSuffix(".swift") ? ["\""] : name.hasSuffix(".js") ? ["'", "`"] : [">", "<"]
                texts += literals(of: words, isInside, quotes).filter { $0.contains(" ") }
                    .map { ("\(name):\(index + 1)", $0) }
            }
        }
        return texts
    }()

    /// Returns the literals of a line between quotes, or the whole line inside a literal of several lines.
    private static func literals(of line: Substring, _ isInside: Bool, _ quotes: Set<Character>) -> [String] {
        var found: [String] = []
        var text: String? = isInside ? "" : nil
        var depth = 0
        var rest = line
        while let character = rest.popFirst() {
            if depth > 0 {
                depth += character == "(" || character == "{" ? 1 : character == ")" || character == "}" ? -1 : 0
            } else if text != nil, character == "\\" || character == "$" && rest.first == "{" {
                let next = rest.popFirst()
                if next == "(" || next == "{" { depth = 1 } else { text?.append(" ") }
            } else if !isInside, quotes.contains(character) {
                if let literal = text { found.append(literal) }
                text = text == nil ? "" : nil
            } else {
                text?.append(character)
            }
        }
        return isInside ? [text ?? ""] : found
    }

    @Test("No message, help, lint text or text of the page has a wording that stops readers", arguments: literals)
    func messages(_ pattern: Pattern) throws {
        let expression = try Regex(pattern.expression)
        #expect(Self.texts.count > 3000)
        let found = Self.texts.filter { $0.text.contains(expression) && pattern.exceptions[$0.text] == nil }
            .map { "\($0.place): \($0.text)" }
        #expect(found.isEmpty, "write \(pattern.instead):\n\(found.prefix(20).joined(separator: "\n"))")
    }

    /// A sentence that stopped a reader, and the one in its place.
    struct Sentence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let plain: String
        let file: String

        init(_ old: String, _ plain: String, _ file: String) {
            (testDescription, self.plain, self.file) = (old, plain, file)
        }
    }

    static let sentences = [
        Sentence(
            "connections of clients: the limit of open files is",
            "client connections: the open-file limit is",
            "ShuntGateway/Operate/DescriptorLimit.swift"
        ),
        Sentence("Address already in use", "address in use", "ShuntGateway/Listen/ListenFailure.swift"),
        Sentence("what the check says", "warnings in the rules:", "ShuntReload/ReloadLogging.swift"),
        Sentence(
            "because no text is in all that they match",
            "because the pattern contains no fixed text",
            "ShuntCommand/Output/CheckReport.swift"
        ),
        Sentence(
            "no literal that every match must contain",
            "no fixed text in every match",
            "ShuntPatterns/Literals/LiteralAnalysis.swift"
        ),
        Sentence(
            "what no key is for gets the empty text",
            "values without a key get the empty string",
            "ShuntAnalysis/Lint/Traps/MapDefaults.swift"
        ),
        Sentence(
            "chooses the host that clients are sent to",
            "which host the client is redirected to",
            "ShuntAnalysis/Lint/Security/OpenRedirects.swift"
        ),
        Sentence(
            "in another case the path is not blocked",
            "case is not blocked",
            "ShuntAnalysis/Lint/Security/Spellings.swift"
        ),
        Sentence(
            "can go on with the host before it",
            "can extend the host name",
            "ShuntAnalysis/Lint/Security/OpenRedirects.swift"
        ),
        Sentence(
            "no request is known that it decides",
            "no test request found for",
            "ShuntCommand/Output/DifferenceText.swift"
        ),
        Sentence("of other requests like these", "too few to judge others", "ShuntCommand/Output/DifferenceText.swift"),
        Sentence(
            "no request was found that the engine confirms",
            "no example found",
            "ShuntAnalysis/Solve/Verdict.swift"
        ),
        Sentence(
            "that reach all it reaches, as tests",
            "Write a minimal set of tests from this log",
            "ShuntCommand/Commands/TestCommand.swift"
        ),
        Sentence(
            "With =ADDRESS:PORT behind it",
            "Add =ADDRESS:PORT to choose the listen of the rules",
            "ShuntCommand/Commands/GatewayArguments.swift"
        ),
        Sentence(
            "A request is asked, and nothing is sent anywhere.",
            "Evaluates the rules only. Nothing is sent.",
            "ShuntPage/Files/explain.js"
        ),
        Sentence(
            "The steps of its way through the rules are told here.",
            "Each step through the rules appears here.",
            "ShuntPage/Files/explain.js"
        ),
        Sentence("0 tests, all pass", "No tests yet; ", "ShuntPage/Files/overview.js"),
        Sentence(
            "the overview has lint look",
            "Lint has not run yet. Open the Overview to run it.",
            "ShuntPage/Files/rules.js"
        ),
        Sentence("Light up its way", "Show path", "ShuntPage/Files/routes.js"),
        Sentence("What it says differently", "Changed rules", "ShuntPage/Files/reloads.js"),
        Sentence("What it decides differently", "Changed outcomes", "ShuntPage/Files/reloads.js"),
        Sentence("darker: more requests took so long", "darker = more requests", "ShuntPage/Files/charts.js"),
        Sentence("a header line that is none", "an invalid header line", "ShuntGateway/Upstream/ResponseFailure.swift"),
        Sentence("a chunk that is none", "an invalid chunk", "ShuntGateway/Upstream/ResponseFailure.swift"),
        Sentence("a header is none", "a header is invalid", "ShuntGateway/Decide/ExtProcRequest.swift"),
        Sentence("leave them away", "remove them", "ShuntAnalysis/Lint/Server/ServerChecks.swift"),
        Sentence(
            "behind requests that say nothing of it",
            "Write the decision after requests that have none.",
            "ShuntCommand/Commands/TestCommand.swift"
        ),
        Sentence("Makes the tests of rules", "Runs the tests of rules", "ShuntCommand/Commands/TestCommand.swift"),
    ]

    @Test("The sentences that stopped readers are gone, and plainer ones are in their place", arguments: sentences)
    func plainSentences(_ sentence: Sentence) throws {
        let text = try String(contentsOfFile: Document.root + "/Sources/" + sentence.file, encoding: .utf8)
        // A sentence may go over lines.
        #expect(text.replacing(try Regex(#" \\\n *"#), with: " ").contains(sentence.plain))
        #expect(Self.texts.allSatisfy { !$0.text.contains(sentence.testDescription) })
    }

    @Test("The patterns find what they are for, and nothing else")
    func patterns() throws {
        let verbs = try Regex(Self.documents[5].expression)
        #expect("The message says what to do.".contains(verbs) && !"It reports an essay.".contains(verbs))
        let summary = try Regex(Self.comments[0].expression)
        #expect("    /// Whether a rule matches.".contains(summary))
        #expect(!"    /// True if a rule matches, whatever it does.".contains(summary))
        #expect("// Nobody asks.".contains(try Regex(Self.comments[1].expression)))
        #expect(!"let nobody = 1".contains(try Regex(Self.comments[1].expression)))
    }
}
