import Foundation
import Testing

/// `Tests/Conformance/ancestors.md` against the tree: its tests and its words exist.
@Suite struct AncestorTableTests {
    struct Row {
        var line: Int
        var section: String
        var feature: String
        /// The words between backquotes in the second column.
        var words: [String]
        /// The words between backquotes in the third column.
        var tests: [String]
        var reason: String
    }

    private static func rows() throws -> [Row] {
        var section = ""
        return try Document("Tests/Conformance/ancestors.md").lines.enumerated()
            .compactMap { index, line in
                if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
                guard line.hasPrefix("| "), line != "| feature | here | test |" else { return nil }
                let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(String.init)
                guard cells.count == 4 else {
                    return Row(line: index + 1, section: section, feature: line, words: [], tests: [], reason: "")
                }
                return Row(
                    line: index + 1,
                    section: section,
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

    /// A word of Swift source, with the bytes next to it.
    private struct Word {
        var text: String
        var before: UInt8
        var after: UInt8
    }

    /// The words of a file, line by line, without comments.
    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let line = Array(line.drop { $0 == UInt8(ascii: " ") })
            if line.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) { continue }
            var start = 0
            for index in 0...line.count {
                if index < line.count, isWord[Int(line[index])] { continue }
                if index > start {
                    let before = start > 0 ? line[start - 1] : 0
                    let after = index < line.count ? line[index] : 0
                    words.append(
                        Word(text: String(decoding: line[start..<index], as: UTF8.self), before: before, after: after)
                    )
                }
                start = index + 1
            }
        }
        return words
    }

    /// The bytes that words are made of.
    private static let isWord: [Bool] = (0..<256)
        .map { byte in
            let character = Character(Unicode.Scalar(UInt8(byte)))
            return byte < 128 && (character.isLetter || character.isNumber || character == "_")
        }

    /// The words of the Swift files of a folder.
    private static func files(in folder: String) throws -> [[Word]] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/" + folder)
        return try names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
            .map { words(of: try String(contentsOfFile: Document.root + "/" + folder + "/" + $0, encoding: .utf8)) }
    }

    /// The tests of the package and its examples, as `Suite.function`.
    private static func tests() throws -> Set<String> {
        var found: Set<String> = []
        for words in try files(in: "Tests") + files(in: "Examples") {
            var suite = ""
            var isTest = false
            for (word, next) in zip(words, words.dropFirst()) {
                if word.text == "struct", next.text.hasSuffix("Tests") { suite = next.text }
                if word.text == "Test", word.before == UInt8(ascii: "@") { isTest = true }
                if isTest, word.text == "func" {
                    found.insert("\(suite).\(next.text)")
                    isTest = false
                }
            }
        }
        return found
    }

    /// The names that the sources and the examples declare, the labels of parameters, the directives and the targets.
    private static func declared() throws -> Set<String> {
        let declaring: Set = [
            "func", "var", "let", "case", "struct", "enum", "class", "protocol", "actor", "typealias",
        ]
        var found = Set(try FileManager.default.contentsOfDirectory(atPath: Document.root + "/Sources"))
        for words in try files(in: "Sources") + files(in: "Examples") {
            for (word, next) in zip(words, words.dropFirst()) {
                let isLabel = word.after == UInt8(ascii: ":") || next.after == UInt8(ascii: ":")
                let isQuoted = word.before == UInt8(ascii: "\"") && word.after == UInt8(ascii: "\"")
                if isLabel || isQuoted { found.insert(word.text) }
                if declaring.contains(word.text) { found.insert(next.text) }
            }
        }
        return found
    }

    @Test("Each row has tests that exist, or a reason why there is none")
    func testsExist() throws {
        let tests = try Self.tests()
        let rows = try Self.rows()
        for row in rows {
            if row.tests.isEmpty {
                #expect(row.reason.hasPrefix("not there: "), "line \(row.line): \(row.feature)")
            }
            for test in row.tests { #expect(tests.contains(test), "line \(row.line): there is no test \(test)") }
        }
    }

    @Test("No row was lost, and none is there twice")
    func complete() throws {
        let rows = try Self.rows()
        let counts = Dictionary(grouping: rows, by: \.section).mapValues(\.count)
        #expect(
            counts == [
                "module-architecture-demo": 36, "A core service on Moya": 25, "ZIKRouter": 20,
                "Apps made of components": 37, "JLRoutes, routable, HHRouter, MGJRouter": 27, "ModuleManager": 5,
                "CTMediator": 10, "RIBs": 11, "Khala": 16, "BeeHive": 9, "Marmot and Tmall": 7,
            ]
        )
        #expect(Set(rows.map { $0.section + $0.feature }).count == rows.count)
        // The rows without a test are those that this design has no place for.
        #expect(rows.count { $0.tests.isEmpty } == 10)
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
