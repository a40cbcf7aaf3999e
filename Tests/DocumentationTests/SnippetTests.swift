import Foundation
import Testing

/// The code in documents: each block that names a file of Swift or a page is a part of that file, which is compiled or run.
@Suite struct SnippetTests {
    private static func isSnippet(_ block: Document.Block) -> Bool {
        [".swift", ".html", ".c", ".py", ".rs", ".go"].contains { block.name?.hasSuffix($0) == true }
    }

    @Test(
        "A snippet in a document is a part of the file that it names",
        arguments: Document.others + Document.articles
    )
    func snippetsAreCode(path: String) throws {
        for block in try Document(path).blocks where Self.isSnippet(block) {
            let name = try #require(block.name)
            let code = try String(contentsOfFile: Document.root + "/" + name, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let snippet = block.lines.map { $0.trimmingCharacters(in: .whitespaces) }
            let isThere = code.indices.contains { code[$0...].starts(with: snippet) }
            #expect(isThere, "\(path):\(block.line) is not in \(name)")
        }
    }

    @Test(
        "Pages about modules and services show code that is compiled",
        arguments: ["docs/bridge.md", "docs/embedding.md", "docs/modules.md"]
    )
    func pagesHaveSnippets(path: String) throws {
        #expect(try Document(path).blocks.filter(Self.isSnippet).count >= 5)
    }
}
