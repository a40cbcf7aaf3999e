import Foundation
import Shunt
import ShuntCore
import ShuntTools
import TestSettings
import Testing

/// The rules of the examples, and of a folder where `SHUNT_LINT_CORPUS` names one: fixed once, and once more.
@Suite("shunt lint: fixes")
struct LintFixesTests {
    private static let corpus: [String] = {
        guard let path = TestSettings.lintCorpus else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".conf") }.sorted()
            .compactMap { try? String(contentsOfFile: path + "/" + $0, encoding: .utf8) }
    }()

    private func fixes(_ text: String) throws -> LintFixes {
        var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
        options.checks = Set(LintCheck.all.map(\.id))
        return try LintFixes("/r.conf", from: InMemoryFileSystem(["/r.conf": text]), options) {
            path,
            files throws(RuleSetError) in
            try LoadedRules(path: path, from: files, ignoringUnknownDirectives: true)
        }
    }

    @Test("A second fix changes nothing, and no outcome is another", arguments: LintCheck.all.map(\.example) + corpus)
    func twice(rules: String) throws {
        // That no outcome changes is checked by the fixes themselves, which are refused then.
        let first = try fixes(rules)
        guard let bytes = first.files["/r.conf"] else { return #expect(first.fixed.isEmpty) }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text != rules)
        let second = try fixes(text)
        #expect(second.fixed.isEmpty && second.files.isEmpty, "\(text)")
    }

    @Test("The same rules have the same findings")
    func repeated() throws {
        for text in LintCheck.all.map(\.example) {
            let one = try LintStatement(text).findings()
            let other = try LintStatement(text).findings()
            #expect(one.map(\.diagnostic) == other.map(\.diagnostic))
            #expect(one.map(\.remarks) == other.map(\.remarks))
        }
    }
}
