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

    @Test("Links between the documents lead somewhere", arguments: Document.whole + Document.others)
    func links(path: String) throws {
        let document = try Document(path)
        let text = document.sections.map(\.text).joined()
        let folder = path.hasPrefix("docs/") ? "docs/" : ""
        for link in text.components(separatedBy: "](").dropFirst().map({ String($0.prefix { $0 != ")" }) })
        where !link.hasPrefix("http") {
            let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? path : folder + parts[0]
            guard FileManager.default.fileExists(atPath: Document.root + "/" + target) else {
                Issue.record("\(path) links to \(link)")
                continue
            }
            guard parts.count > 1, target.hasSuffix(".md") else { continue }
            let anchors = try Document(target).sections.map { Self.anchor($0.title) }
            #expect(anchors.contains(parts[1]), "\(path) links to \(link)")
        }
    }

    /// The anchor that GitHub gives a heading.
    private static func anchor(_ title: String) -> String {
        let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
        return kept.replacingOccurrences(of: " ", with: "-")
    }

    @Test("docs/architecture.md names every target")
    func targets() throws {
        let text = try String(contentsOfFile: Document.root + "/docs/architecture.md", encoding: .utf8)
        for target in try FileManager.default.contentsOfDirectory(atPath: Document.root + "/Sources") {
            #expect(text.contains("`\(target)`"), "\(target)")
        }
    }
}
