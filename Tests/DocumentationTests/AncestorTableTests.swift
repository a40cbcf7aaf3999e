import Foundation
import Testing

/// `docs/ancestors.md` against the tree: its tests and its words exist.
@Suite struct AncestorTableTests {
    struct Row {
        var line: Int
        var feature: String
        /// What is between backquotes in the second column.
        var words: [String]
        /// What is between backquotes in the third column.
        var tests: [String]
        var reason: String
    }

    private static func rows() throws -> [Row] {
        try Document("docs/ancestors.md").lines.enumerated()
            .compactMap { index, line in
                guard line.hasPrefix("| "), line != "| feature | here | test |" else { return nil }
                let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(String.init)
                guard cells.count == 4 else {
                    return Row(line: index + 1, feature: line, words: [], tests: [], reason: "")
                }
                return Row(
                    line: index + 1,
                    feature: cells[0],
                    words: quoted(cells[1]),
                    tests: quoted(cells[2]).filter { $0.contains(".") },
                    reason: cells[2].trimmingCharacters(in: .whitespaces)
                )
            }
    }

    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    /// The Swift files of a folder.
    private static func sources(_ folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/" + folder)
        return try names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
            .map { try String(contentsOfFile: Document.root + "/" + folder + "/" + $0, encoding: .utf8) }
    }

    /// The tests of the package and its examples, as `Suite.function`.
    private static func tests() throws -> Set<String> {
        var found: Set<String> = []
        for text in try sources("Tests") + sources("Examples") where text.contains("@Test") {
            var suite = ""
            var isTest = false
            for line in text.split(separator: "\n") {
                if let match = line.firstMatch(of: /struct (\w+Tests)\b/) { suite = String(match.1) }
                if line.contains("@Test") { isTest = true }
                if isTest, let match = line.firstMatch(of: /\bfunc (\w+)/) {
                    found.insert("\(suite).\(match.1)")
                    isTest = false
                }
            }
        }
        return found
    }

    /// What the sources declare, the labels of its parameters, the directives, the products, and what examples declare.
    private static func declared() throws -> Set<String> {
        var found: Set<String> = []
        for text in try sources("Sources") + sources("Examples") {
            for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                let declaration = /\b(?:func|var|let|case|struct|enum|class|protocol|actor|typealias) `?(\w+)/
                for match in line.matches(of: declaration) { found.insert(String(match.1)) }
                for match in line.matches(of: /\b(\w+)(?: \w+)?:/) { found.insert(String(match.1)) }
                for match in line.matches(of: /"([a-z_]+)"/) { found.insert(String(match.1)) }
            }
        }
        return found.union(try FileManager.default.contentsOfDirectory(atPath: Document.root + "/Sources"))
    }

    @Test("Each row has tests that exist, or a reason why there is none")
    func testsExist() throws {
        let tests = try Self.tests()
        let rows = try Self.rows()
        for row in rows {
            if row.tests.isEmpty {
                let isExplained = ["not there: ", "later: ", "being built: "].contains { row.reason.hasPrefix($0) }
                #expect(isExplained, "line \(row.line): \(row.feature)")
            }
            for test in row.tests { #expect(tests.contains(test), "line \(row.line): there is no test \(test)") }
        }
        #expect(rows.count >= 140)
    }

    @Test("Each word that a row uses exists")
    func wordsExist() throws {
        let declared = try Self.declared()
        // Words of the standard library and of the command line.
        let others: Set = ["async", "throws", "shunt", "check", "Codable", "Decodable", "scope", "assembly", "https"]
        for row in try Self.rows() {
            for word in row.words.flatMap({ $0.matches(of: /\w+/).map { String($0.output) } }) {
                #expect(
                    declared.contains(word) || others.contains(word),
                    "line \(row.line): nothing is called \(word)"
                )
            }
        }
    }

    @Test("A test that is not there would be noticed")
    func notices() throws {
        #expect(try Self.tests().contains("AncestorTableTests.notices"))
        #expect(try !Self.tests().contains("AncestorTableTests.tests"))
        #expect(try !Self.declared().contains("performTarget"))
    }
}
