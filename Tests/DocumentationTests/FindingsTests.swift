import Foundation
import Testing

/// The list of what was found by trying names tests that exist.
@Suite struct FindingsTests {
    private static let path = "Tests/Conformance/findings.md"

    @Test("Each row names its test, which exists, or the reason why it is open")
    func everyRow() throws {
        let rows = try Document(Self.path).lines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| found ") }
        #expect(rows.count > 70)
        for row in rows {
            let cells = row.dropFirst(2).dropLast(2).components(separatedBy: " | ")
            try #require(cells.count == 2, "\(row)")
            let names = cells[1].components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(!names.isEmpty || cells[1].hasPrefix("open: "), "\(row)")
            for name in names {
                let exists = try Self.exists(name)
                #expect(exists, "\(name)")
            }
        }
    }

    private static func exists(_ name: String) throws -> Bool {
        let conformance = Document.root + "/Tests/Conformance/"
        if name.hasPrefix("mistakes/") {
            return FileManager.default.fileExists(atPath: conformance + name + ".expected")
        }
        if let mark = name.range(of: ".cases: ") {
            let cases = try String(
                contentsOfFile: conformance + "nginx/\(name[..<mark.lowerBound]).cases",
                encoding: .utf8
            )
            return cases.contains("\n=== \(name[mark.upperBound...])\n")
        }
        if let mark = name.range(of: ".md#") {
            let page = String(name[..<mark.lowerBound])
            let document = try Document(page.contains("/") ? page + ".md" : "docs/\(page).md")
            let anchors = document.sections.map { section in
                section.title.lowercased().filter { $0 != "`" }.replacingOccurrences(of: " ", with: "-")
            }
            return anchors.contains(String(name[mark.upperBound...]))
        }
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count == 2, let source = sources[parts[0]] else { return false }
        return source.contains("func \(parts[1])(") && source.contains("@Test")
    }

    /// The sources of the suites, by their names, which are those of their files.
    private static let sources: [String: String] = {
        let folder = Document.root + "/Tests"
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var result: [String: String] = [:]
        for file in files where file.hasSuffix("Tests.swift") {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            result[name] = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        }
        return result
    }()
}
