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
}
