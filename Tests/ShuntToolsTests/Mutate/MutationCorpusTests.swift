import Foundation
import Shunt
import TestSettings
import Testing

@testable import ShuntTools

/// Mutations of a real rule set with its own tests.
///
/// `SHUNT_DOCS_REDIRECTS` names a folder with `rules.conf` and `requests.jsonl`.
@Suite("Mutation of real rules")
struct MutationCorpusTests {
    /// The rules of docs.python.org as one server, and its tests as lines for `shunt run`; kept outside of the project.
    private static let docs = TestSettings.docsRedirects

    @Test(
        "The tests of docs.python.org and the suggested requests find at least 95 of 100 changes",
        .enabled(if: docs != nil)
    )
    func docsRedirects() throws {
        let folder = URL(fileURLWithPath: try #require(Self.docs))
        let path = folder.appendingPathComponent("rules.conf").path
        let ruleSet = try RuleSet(path: path)
        let engine = Engine(ruleSet)
        let lines = try String(contentsOf: folder.appendingPathComponent("requests.jsonl"), encoding: .utf8)
        var requests = try lines.split(separator: "\n").map { try RequestDescription(line: Array($0.utf8)) }
        func report() -> MutationReport {
            let tests = requests.map { MutationTest($0, decidedAs: engine.decide($0.request)) }
            let compile = MutationRun.compiler(path: path)
            return MutationRun(ruleSet, tests: tests, asOf: Timestamp(seconds: 1_793_491_200), compile: compile)
                .report()
        }
        let before = report()
        print(MutationText.text(before, suggestions: 5))
        requests += before.survivors.compactMap(\.suggestion).map(\.request)
        let after = report()
        print(MutationText.text(after, suggestions: 0))
        for survivor in after.survivors { print(survivor.mutation.rule, survivor.mutation.change) }
        #expect(after.score >= 95)
    }
}
