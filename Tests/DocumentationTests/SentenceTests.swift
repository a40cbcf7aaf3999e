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

    @Test("Sentences end at their full stops, and not within code or links")
    func reading() throws {
        let sentences = try Self.sentences(of: "README.md").map(\.text)
        #expect(sentences.contains(" No rule and no URL can crash or stall the program."))
        #expect(sentences.contains { $0.contains("Use Shunt as a gateway (X), as a") })
    }
}
