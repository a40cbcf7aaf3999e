import Foundation
import Testing

extension DocumentationTests {
    /// The statements about modules: each is held by tests that are there.
    @Suite struct ModuleBehaviourTests {
        /// The number of statements of each subject.
        private static let counts: [Character: Int] = [
            "A": 17, "C": 14, "S": 15, "Y": 14, "E": 8, "F": 6, "L": 21, "P": 13, "I": 12, "R": 18, "T": 22, "W": 5,
            "H": 16, "X": 7, "B": 18, "M": 8,
        ]

        /// The statements with the tests that are named after them.
        private static func rows() throws -> [(number: String, tests: [String])] {
            try Document("Tests/Conformance/module-promises.md").lines
                .compactMap { line in
                    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                    guard line.hasPrefix("| "), cells.count == 3, cells[0].first?.isLetter == true else { return nil }
                    let tests = cells[2].split(separator: "`").map(String.init).filter { $0 != ", " }
                    return (cells[0], tests)
                }
        }

        /// The suites of all tests, with the names of their test functions.
        private static func suites() throws -> [String: Set<String>] {
            var suites: [String: Set<String>] = [:]
            let folder = Document.root + "/Tests"
            for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? []
            where path.hasSuffix(".swift") {
                let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
                var suite = ""
                var isTest = false
                for line in source.split(separator: "\n") {
                    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
                    if words.contains("@Test") { isTest = true }
                    if let index = words.firstIndex(of: "struct"), index + 1 < words.count,
                        words[index + 1].hasSuffix("Tests")
                    {
                        suite = String(words[index + 1])
                    }
                    if isTest, let index = words.firstIndex(of: "func"), index + 1 < words.count {
                        suites[suite, default: []].insert(String(words[index + 1]))
                        isTest = false
                    }
                }
            }
            return suites
        }

        @Test("Every statement is there once")
        func complete() throws {
            let expected = Self.counts.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
            #expect(try Self.rows().map(\.number).sorted() == expected.sorted())
            #expect(expected.count == 214)
        }

        @Test("Every test that a statement names is in the sources")
        func tests() throws {
            let suites = try Self.suites()
            #expect(suites.count > 50)
            for (number, tests) in try Self.rows() {
                #expect(!tests.isEmpty, "\(number)")
                for test in tests { #expect(try Self.isThere(test, suites), "\(number): \(test)") }
            }
            #expect(try !Self.isThere("AssemblyTests.nothing", suites))
            #expect(try !Self.isThere("scripts/check-costs no such words", suites))
        }

        private static func isThere(_ test: String, _ suites: [String: Set<String>]) throws -> Bool {
            if test.hasPrefix("scripts/"), let space = test.firstIndex(of: " ") {
                let text = try String(contentsOfFile: Document.root + "/" + test[..<space], encoding: .utf8)
                return text.contains(test[space...].dropFirst())
            }
            let parts = test.split(separator: ".").map(String.init)
            return parts.count == 2 && suites[parts[0]]?.contains(parts[1]) == true
        }
    }
}
