import Foundation
import Testing

/// The documents against the tree.
@Suite struct ArchitectureTests {
    @Test(
        "Every path that the documents name exists",
        arguments: Document.whole + Document.others + ["CONTRIBUTING.md"]
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
}
