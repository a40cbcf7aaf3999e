import Foundation
import TestSettings

/// A Markdown file of the repository, as far as the tests read it: its headings and its fenced blocks.
struct Document {
    /// A heading with what follows it up to the next one.
    struct Section {
        var title: String
        var level: Int
        /// The line of the heading, from 1.
        var line: Int
        var text: String

        /// The words of the title that are in backquotes.
        var names: [String] {
            title.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    /// Text between two lines of backquotes.
    struct Block {
        /// The first word behind the backquotes.
        var language: String
        /// The second word: the name of the file that the block is.
        var name: String?
        var lines: [String]
        /// The line of the first line of the text, from 1.
        var line: Int
        /// The number of headings before it.
        var section: Int

        var text: String { lines.map { $0 + "\n" }.joined() }
    }

    /// The path from the root of the repository.
    let path: String
    private(set) var lines: [String]
    private(set) var sections: [Section] = []
    private(set) var blocks: [Block] = []

    /// The root of the repository.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// True if this run writes what it sees into the documents, to be read before it is committed:
    /// `SHUNT_RECORD_DOCUMENTS=1`.
    static let isRecording = TestSettings.recordsDocuments

    /// Documents all of whose rules must be run.
    static let whole = [
        "README.md", "docs/rules.md", "docs/urls.md", "docs/migrating-from-nginx.md",
        "Tests/Conformance/rules-examples.md", "Tests/Conformance/nginx-differences.md",
    ]

    /// The other documents; what they show of requests and commands is run too.
    static let others: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/docs")) ?? []
        return names.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.filter { !whole.contains($0) }.sorted()
    }()

    /// The articles of the catalogues of DocC.
    static let articles: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/Sources")) ?? []
        return names.filter { $0.hasSuffix(".md") }.map { "Sources/" + $0 }.sorted()
    }()

    init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var open: Block?
        for (index, line) in lines.enumerated() {
            if var block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    block.lines.append(line)
                    open = block
                }
            } else if line.hasPrefix("```") {
                let words = line.dropFirst(3).split(separator: " ").map(String.init)
                open = Block(
                    language: words.first ?? "",
                    name: words.count > 1 ? words[1] : nil,
                    lines: [],
                    line: index + 2,
                    section: sections.count
                )
            } else if line.hasPrefix("#") {
                let level = line.prefix { $0 == "#" }.count
                let title = line.dropFirst(level).drop { $0 == " " }
                sections.append(Section(title: String(title), level: level, line: index + 1, text: ""))
            } else if !sections.isEmpty {
                sections[sections.count - 1].text += line + "\n"
            }
        }
    }

    /// Puts other lines in the place of a block's and writes the file.
    static func write(_ replacements: [(block: Block, lines: [String])], to path: String) throws {
        var lines = try Document(path).lines
        for (block, text) in replacements.sorted(by: { $0.block.line > $1.block.line }) {
            let start = block.line - 1
            lines.replaceSubrange(start..<start + block.lines.count, with: text)
        }
        try lines.joined(separator: "\n").write(toFile: root + "/" + path, atomically: true, encoding: .utf8)
    }
}
