#if Gateway
import Foundation
import Testing

/// The Swift in documents: each block that names a file is a part of that file, which is compiled.
@Suite struct SnippetTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

    @Test(arguments: ["docs/embedding.md", "docs/modules.md"])
    func snippetsAreCode(document: String) throws {
        let lines = try String(contentsOfFile: Self.root + "/" + document, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var compared = 0
        var index = 0
        while index < lines.count {
            let parts = lines[index].split(separator: " ")
            index += 1
            guard parts.first == "```swift", parts.count == 2 else { continue }
            let end = try #require(lines[index...].firstIndex(of: "```"))
            let snippet = lines[index..<end].map { $0.trimmingCharacters(in: .whitespaces) }
            let code = try String(contentsOfFile: Self.root + "/" + parts[1], encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let isThere = code.indices.contains { code[$0...].starts(with: snippet) }
            #expect(isThere, "\(parts[1]): \(snippet.first ?? "")")
            compared += 1
            index = end + 1
        }
        #expect(compared >= 5)
    }
}
#endif
