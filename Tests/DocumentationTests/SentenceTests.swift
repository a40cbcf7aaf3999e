import Foundation
import Testing

/// The length of the sentences in documents, as CONTRIBUTING.md states it.
@Suite struct SentenceTests {
    private static let pages = (Document.whole + Document.others).filter { $0.hasPrefix("docs/") } + ["README.md"]

    /// Returns the sentences of a page with the lines where their paragraphs begin.
    ///
    /// Code is an `X`, and links have no targets.
    private static func sentences(of page: String) throws -> [(line: Int, text: String)] {
        let document = try Document(page)
        let examples = Set(document.blocks.flatMap { Array($0.line - 1...$0.line + $0.lines.count) })
        var paragraphs: [(line: Int, text: String)] = []
        var isOpen = false
        for (index, line) in document.lines.enumerated() {
            let text = line.drop { $0 == " " }
            if examples.contains(index + 1) || text.isEmpty || text.first == "#" || text.first == "|" {
                isOpen = false
            } else if isOpen, text.prefixMatch(of: #/([*-]|\d+\.) /#) == nil {
                paragraphs[paragraphs.count - 1].text += " " + text
            } else {
                paragraphs.append((index + 1, String(text.replacing(#/^([*-]|\d+\.) /#, with: ""))))
                isOpen = true
            }
        }
        return paragraphs.flatMap { line, text in
            let plain = text.replacing(/\]\([^)]*\)/, with: "]").replacing(/`[^`]*`/, with: "X")
            let ends = plain.matches(of: #/[.!?][)*"]*(?= [A-Z*\[("0-9])/#).map(\.range.upperBound) + [plain.endIndex]
            return zip([plain.startIndex] + ends, ends).map { (line, String(plain[$0..<$1])) }
        }
    }

    @Test("A sentence has at most 30 words, code not counted, and one semicolon", arguments: pages)
    func length(of page: String) throws {
        for (line, text) in try Self.sentences(of: page) {
            let words = text.replacing("X", with: "").split(separator: " ")
                .count { $0.contains { $0.isLetter || $0.isNumber } }
            #expect(words <= 30 && text.count { $0 == ";" } <= 1, "\(page):\(line): \(text)")
        }
    }

    /// Sentences that stopped readers, the plain ones in their place, and the pages of these.
    static let plain = [
        ("As whom an etcd is asked", "Environment variables have the credentials of the etcd", "docs/fleet.md"),
        ("lengths that differ, or are none", "Conflicting or invalid `Content-Length` headers", "docs/operations.md"),
        ("is answered for with", "Shunt answers 502 and closes the upstream connection", "docs/operations.md"),
        ("whose host is none", "If a rule produces an upstream URL with an invalid host", "docs/operations.md"),
        ("asks nobody who they are", "The admin listener has no authentication by default.", "docs/operations.md"),
        ("What is valid by chance", "If the half-written file happens to be valid, it is loaded", "docs/operations.md"),
        (
            "that it leaves nothing of", "installs, upgrades and purges it under a separate systemd",
            "docs/operations.md"
        ),
        (
            "that was copied out of it, and", "An evaluation reuses the storage of its last",
            "Sources/Shunt/Shunt.docc/Deciding.md"
        ),
        ("What is put together for", "a step limit stops recursive maps", "Sources/Shunt/Shunt.docc/Deciding.md"),
        ("did not see a release being aborted", "can replay an old pointer.", "docs/fleet.md"),
        ("Where not even a copy of the decision", "lends a `DecisionView` instead", "docs/embedding.md"),
        ("unless it has modules of others", "Most `nginx.conf` files load.", "README.md"),
        ("answers no web page of another site", "It refuses requests that a browser sends", "docs/operations.md"),
        ("has to be told with", "If a proxy in front ends TLS, name it with", "docs/cookbook.md"),
    ]

    @Test("Sentences that stopped readers are gone, and plain ones are in their place", arguments: plain)
    func plainSentences(old: String, plain: String, page: String) throws {
        let text = try Document(page).lines.joined(separator: " ").replacing(#/ +/#, with: " ")
        #expect(text.contains(plain))
        #expect(!text.contains(old))
    }

    @Test("Sentences end at their full stops, and not within code or links")
    func reading() throws {
        let sentences = try Self.sentences(of: "README.md").map(\.text)
        #expect(sentences.contains(" No rule and no URL can crash or stall the program."))
        #expect(sentences.contains { $0.contains("Use Shunt as a gateway (X), as a") })
    }
}
