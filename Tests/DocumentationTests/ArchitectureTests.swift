import Foundation
import Testing

/// The documents against the tree.
@Suite struct ArchitectureTests {
    @Test(
        "Every path that the documents name exists",
        arguments: Document.whole + Document.others + Document.articles + ["CONTRIBUTING.md", "Simulation/README.md"]
    )
    func paths(path: String) throws {
        let text = try String(contentsOfFile: Document.root + "/" + path, encoding: .utf8)
        let places = ["Sources/", "Tests/", "docs/", "scripts/", ".ci/"]
        let words = text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        for word in words where places.contains(where: { word.hasPrefix($0) }) {
            let name = word.split(separator: " ").first.map(String.init) ?? word
            #expect(FileManager.default.fileExists(atPath: Document.root + "/" + name), "\(path) names \(name)")
        }
    }

    @Test("docs/architecture.md names every target")
    func targets() throws {
        let text = try String(contentsOfFile: Document.root + "/docs/architecture.md", encoding: .utf8)
        for target in try FileManager.default.contentsOfDirectory(atPath: Document.root + "/Sources") {
            #expect(text.contains("`\(target)`"), "\(target)")
        }
    }

    @Test("Each target imports only those that docs/architecture.md lists above it")
    func downwards() throws {
        let section = try #require(try Document("docs/architecture.md").sections.first { $0.title == "Targets" })
        let targets = section.text.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        var above: Set<String> = []
        for target in targets {
            let folder = Document.root + "/Sources/" + target
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                for line in text.split(separator: "\n").prefix(30) where line.contains("import ") {
                    let imported = line.split(separator: " ").last.map(String.init) ?? ""
                    guard targets.contains(imported), imported != target else { continue }
                    #expect(above.contains(imported), "\(target)/\(name) imports \(imported)")
                }
            }
            above.insert(target)
        }
        #expect(above.contains("ShuntCommand"))
    }

    @Test("No file has more than 350 lines, and a type of more than 600 has its reason in docs/architecture.md")
    func largeTypes() throws {
        var lines: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")
        where name.hasSuffix(".swift") {
            let target = name.prefix { $0 != "/" }
            let text = try String(contentsOfFile: Document.root + "/Sources/" + name, encoding: .utf8)
            var type: String?
            let all = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(all.count <= 351, "\(name) has more than 350 lines")
            for line in all {
                if let begun = Self.typeBegun(by: line), line.last != "}" { type = "\(target) \(begun)" }
                if let type { lines[type, default: 0] += 1 }
                if line == "}" { type = nil }
            }
        }
        #expect(lines["ShuntRules Evaluation", default: 0] > 600)
        let title = "Types of more than 600 lines"
        let section = try #require(try Document("docs/architecture.md").sections.first { $0.title == title })
        let rows = section.text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let explained = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        let large = lines.filter { $0.value > 600 }.keys.map { String($0.drop { $0 != " " }.dropFirst()) }
        #expect(explained.sorted() == large.sorted())
    }

    /// The type whose declaration or extension begins in a line, which is at the beginning of the line.
    private static func typeBegun(by line: Substring) -> String? {
        let words = line.split(separator: " ")
        let kinds = ["struct", "class", "enum", "actor", "extension"]
        guard let first = line.first, first.isLetter || first == "@", words.first != "import",
            let kind = words.firstIndex(where: { kinds.contains(String($0)) }), words.count > kind + 1
        else { return nil }
        return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
    }
}
