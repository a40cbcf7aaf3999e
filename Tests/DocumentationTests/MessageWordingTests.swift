import Foundation
import Testing

/// The English of messages, help, lint texts and the page.
@Suite struct MessageWordingTests {
    /// Wordings of messages, help, lint texts and the page: of string literals with a space.
    static let literals = [
        WordingTests.Pattern(expression: #"(?i)\b(is|are|was|were) none\b"#, instead: "is invalid, has no"),
        WordingTests.Pattern(
            // "There is no" is plain English.
            expression: #"(?i)(^ ?|[^e] |[^r]e |[^e]re |[^h]ere )(is|are|was|were) no (?!longer\b|more\b)"#,
            instead: "is not a, is invalid"
        ),
        WordingTests.Pattern(
            expression: #"(?i)\b(nobody|somebody)\b"#,
            instead: "the role: caller, client, operator, attacker"
        ),
        WordingTests.Pattern(
            expression: #"(?i)\bbehind\b(?! (a|another|the) (web )?(proxy|server))"#,
            instead: "after"
        ),
        WordingTests.Pattern(
            expression: #"(?i)\b(makes? (the |its |their )?(tests|requests)|(is|are|was|were) made)\b"#,
            instead: "runs, sends, generates"
        ),
        WordingTests.Pattern(expression: #"(?i)\banew\b"#, instead: "again"),
        WordingTests.Pattern(expression: #"(?i)\bbesides?\b"#, instead: "next to, in addition to, combined with"),
        WordingTests.Pattern(
            expression: #"(?i)\b(says?|saying|said|tells?|telling|told|gives?|giving|gave)\b"#,
            instead: "report, show, set, return"
        ),
        WordingTests.Pattern(expression: #"(?i)\b(stands?|stood|standing)\b"#, instead: "is"),
        WordingTests.Pattern(expression: #"(?i)\b(asks?|asked|asking)\b"#, instead: "request, require, try, read"),
        WordingTests.Pattern(
            expression: #"(?i)\b((goes|go|went|going) (on|out)|(comes|come|came) (to|of))\b"#,
            instead: "continue, is sent, reach"
        ),
        WordingTests.Pattern(expression: #"(?i)\b(takes?|taken|took) (it|them|\S+) for\b"#, instead: "treat as"),
        WordingTests.Pattern(
            expression: #"(?i)\b(of (its|their|your|his) own|by (itself|themselves)|of (theirs|yours|others))\b"#,
            instead: "its own, separate, automatically"
        ),
        WordingTests.Pattern(
            expression: #"(?i)\b(the ones? that|those (that|of)|that of)\b"#,
            instead: "the noun again"
        ),
        WordingTests.Pattern(
            expression: #"(?i)\bas (it (stands|is)|they (stand|are))\b"#,
            instead: "unchanged, current"
        ),
        WordingTests.Pattern(expression: #"(?i)\b(leaves?|left|leaving) (\S+ )*?away\b"#, instead: "remove"),
        WordingTests.Pattern(
            expression: #"(?i)\b((is|are) owed to|ha(s|ve) to do with)\b"#,
            instead: "is caused by, concerns"
        ),
        WordingTests.Pattern(expression: #"(?i)\b(take|takes) (\S+ )*?out\b"#, instead: "remove"),
        WordingTests.Pattern(expression: #"(?i)\b(look(s|ed|ing)? at|whoever|to whom)\b"#, instead: "read; the role"),
        WordingTests.Pattern(
            expression: #"^(What|Whether|How|Where|Who|Of) "#,
            instead: "the format of, the number of, the time that"
        ),
        WordingTests.Pattern(
            expression: #"^((There (is|are)|It is) .*\bthat\b|(Where|Without|To whom) [^.]*,)"#,
            instead: "the subject first"
        ),
    ]

    /// The text of string literals with a space, without interpolations, by place.
    private static let texts: [(place: String, text: String)] = {
        var texts: [(String, String)] = []
        let page =
            (try? FileManager.default.contentsOfDirectory(atPath: Document.root + "/Sources/ShuntGateway/Page/Files"))
            ?? []
        let pages = page.filter { !$0.hasSuffix(".css") }.map { "ShuntGateway/Page/Files/" + $0 }
        for name in WordingTests.sources + pages.sorted() {
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
    func messages(_ pattern: WordingTests.Pattern) throws {
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
        Sentence("Address already in use", "address in use", "ShuntGateway/Listen/ListenError.swift"),
        Sentence("what the check says", "warnings in the rules:", "ShuntServices/Reload/ReloadLogging.swift"),
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
            "ShuntTools/Lint/Traps/MapDefaults.swift"
        ),
        Sentence(
            "chooses the host that clients are sent to",
            "which host the client is redirected to",
            "ShuntTools/Lint/Security/OpenRedirects.swift"
        ),
        Sentence(
            "in another case the path is not blocked",
            "case is not blocked",
            "ShuntTools/Lint/Security/Spellings.swift"
        ),
        Sentence(
            "can go on with the host before it",
            "can extend the host name",
            "ShuntTools/Lint/Security/OpenRedirects.swift"
        ),
        Sentence(
            "no request is known that it decides",
            "no test request found for",
            "ShuntCommand/Output/DifferenceReport.swift"
        ),
        Sentence("of other requests like these", "too few to judge others", "ShuntCommand/Output/DifferenceText.swift"),
        Sentence(
            "no request was found that the engine confirms",
            "no example found",
            "ShuntTools/Solve/Verdict.swift"
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
            "ShuntGateway/Page/Files/explain.js"
        ),
        Sentence(
            "The steps of its way through the rules are told here.",
            "Each step through the rules appears here.",
            "ShuntGateway/Page/Files/explain.js"
        ),
        Sentence("0 tests, all pass", "No tests yet; ", "ShuntGateway/Page/Files/overview.js"),
        Sentence(
            "the overview has lint look",
            "Lint has not run yet. Open the Overview to run it.",
            "ShuntGateway/Page/Files/rules.js"
        ),
        Sentence("Light up its way", "Show path", "ShuntGateway/Page/Files/routes.js"),
        Sentence("What it says differently", "Changed rules", "ShuntGateway/Page/Files/reloads.js"),
        Sentence("What it decides differently", "Changed outcomes", "ShuntGateway/Page/Files/reloads.js"),
        Sentence(
            "darker: more requests took so long",
            "stronger colour = more requests",
            "ShuntGateway/Page/Files/charts.js"
        ),
        Sentence("a header line that is none", "an invalid header line", "ShuntGateway/Upstream/ResponseFailure.swift"),
        Sentence("a chunk that is none", "an invalid chunk", "ShuntGateway/Upstream/ResponseFailure.swift"),
        Sentence("a header is none", "a header is invalid", "ShuntGateway/Decide/ExtProcRequest.swift"),
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
}
