import Foundation
import Testing

/// The examples of `docs/architecture.md` of what it takes to add something.
@Suite struct WorkedExampleTests {
    /// The files of the rule language in whose code one of the words is.
    private static func files(with words: [String]) throws -> Set<String> {
        let folder = "Sources/ShuntRules"
        let names = try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/" + folder)
        var found: Set<String> = []
        for name in names where name.hasSuffix(".swift") {
            let path = folder + "/" + name
            let text = try String(contentsOfFile: Document.root + "/" + path, encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            if isOptional(path) { continue }
            if code.contains(where: { line in words.contains { line.contains($0) } }) { found.insert(path) }
        }
        return found
    }

    /// The paths that a section names.
    private static func paths(of section: Document.Section) -> Set<String> {
        let words = section.text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return Set(words.filter { $0.hasPrefix("Sources/") && !isOptional($0) })
    }

    /// A warning may be about any rule, and need not be about a new one.
    private static func isOptional(_ path: String) -> Bool { path.contains("/Check/Mistakes/") }

    @Test("A rule on whole URLs is in five files")
    func fiveFiles() throws {
        let document = try Document("docs/architecture.md")
        let section = try #require(document.sections.first { $0.title == "Example: a rule on whole URLs" })
        #expect(Self.paths(of: section).count == 5)
    }

    @Test("A directive stands in the files that its example names, and in no other")
    func everyFile() throws {
        let examples = [
            ("Example: a setting", ["\"autoindex\"", "listsDirectories"]),
            ("Example: a rule", ["\"remove_args\"", "removeArguments"]),
            ("Example: a rule on whole URLs", ["rewriteURL"]),
        ]
        let document = try Document("docs/architecture.md")
        for (title, words) in examples {
            let section = try #require(document.sections.first { $0.title == title })
            let paths = Self.paths(of: section)
            #expect(try Self.files(with: words) == paths, "\(title)")
            for block in document.blocks where document.sections[block.section - 1].title == title {
                let line = block.text.trimmingCharacters(in: .whitespacesAndNewlines)
                let isThere = try paths.contains {
                    try String(contentsOfFile: Document.root + "/" + $0, encoding: .utf8).contains(line)
                }
                #expect(isThere, "\(title): \(line)")
            }
        }
    }
}
