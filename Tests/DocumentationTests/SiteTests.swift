import Foundation
import TestFolder
import Testing

/// The site that `scripts/docs-site` renders of the documents.
@Suite struct SiteTests {
    /// A program in the place of pandoc, which need not be installed: it copies its input.
    private static let pandoc = """
        #!/bin/sh
        while [ $# -gt 1 ]; do
            [ "$1" != --output ] || output=$2
            shift
        done
        cp "$1" "$output"

        """

    /// Renders the site, and returns the entries of the index of its search: address, title and text.
    private static func index() throws -> [[String]] {
        let folder = try TestFolder(["bin/pandoc": pandoc])
        let pandoc = folder.path + "/bin/pandoc"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: pandoc)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [Document.root + "/scripts/docs-site", folder.path + "/site"]
        process.environment = ["PATH": folder.path + "/bin:/usr/bin:/bin"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let script = try String(contentsOfFile: folder.path + "/site/search-index.js", encoding: .utf8)
        let list = script.replacing("window.searchIndex = ", with: "").replacing(",\n];", with: "]")
        return try JSONDecoder().decode([[String]].self, from: Data(list.utf8))
    }

    @Test("The search has every section of the documents, with its address")
    func search() throws {
        let entries = try Self.index()
        #expect(entries.allSatisfy { $0.count == 3 && !$0[1].isEmpty })
        for page in Document.whole + Document.others where page.hasPrefix("docs/") {
            let address = String(page.dropLast(2)) + "html"
            let found = Set(entries.map { $0[0] }.filter { $0 == address || $0.hasPrefix(address + "#") })
            let title = LinkTests.anchor(try #require(Document(page).sections.first).title)
            let sections = try LinkTests.anchors(of: page).subtracting([title]).map { address + "#" + $0 }
            #expect(found == Set(sections + [address]), "\(page)")
        }
        for words in ["metrics and alerts", "maintenance page", "why a rule does not match", "audit"] {
            #expect(entries.contains { $0[1].lowercased().contains(words) && $0[0].hasPrefix("docs/") }, "\(words)")
        }
    }
}
