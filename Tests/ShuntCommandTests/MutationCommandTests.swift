import Shunt
import ShuntTools
import TestFolder
import Testing

@Suite("shunt test --mutate")
struct MutationCommandTests {
    private static let rules = "rewrite_url ^https://a\\.test/i(\\d+)$ https://b.test/item/$1 permanent;\n"

    @Test("Changes that no test finds are shown with a request that would, and the request finds them")
    func survivors() throws {
        let folder = try TestFolder([
            "rules/a.conf": Self.rules,
            "rules/tests/a.requests": "https://a.test/i7 -> redirect 301 https://b.test/item/7\n",
        ])
        let before = try folder.run(["test", "--rules", "rules", "--mutate", "--suggest", "100"])
        #expect(before.status == 0)
        #expect(before.text.contains("M3   anchors and dots"))
        #expect(before.text.contains("  rules/a.conf:1:1  without \"$\" in "))
        let suggestion = "is that meant? to keep it so:   "
        let lines = before.text.split(separator: "\n").filter { $0.contains(suggestion) }
        let expectations = lines.map { $0.split(separator: "keep it so:   ").last.map(String.init) ?? "" }
        try #require(!expectations.isEmpty)
        try folder.write("rules/b.conf", expectations.joined(separator: "\n") + "\n")
        let after = try folder.run(["test", "--rules", "rules", "--mutate", "--min-mutation", "90"])
        #expect(after.status == 0, "\(after.text)")
    }

    @Test("A score below the minimum is status 1, with a message")
    func score() throws {
        let folder = try TestFolder([
            "rules/a.conf": Self.rules, "rules/tests/a.requests": "https://c.test/ -> forward\n",
        ])
        let outcome = try folder.run(["test", "--rules", "rules", "--min-mutation", "50"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("shunt: error: the mutation score is 0.0 %, below 50.0 %"))
        #expect(
            try folder.run(["test", "--rules", "rules", "--mutate", "--mutants", "1"]).text.contains("1 mutants: ")
        )
    }

    @Test("After the time for them no further changes are tried, and the report has their number")
    func time() throws {
        let ruleSet = try RuleSet(text: Self.rules)
        var options = MutationRun.Options()
        let compile: MutationRun.Compile = { _, content throws(RuleSetError) in
            try RuleSet(text: String(decoding: content, as: UTF8.self))
        }
        let all = MutationRun(ruleSet, tests: [], options: options, asOf: .now(), compile: compile).report()
        #expect(all.untried == 0 && !all.mutants.isEmpty)
        options.end = .now
        let none = MutationRun(ruleSet, tests: [], options: options, asOf: .now(), compile: compile).report()
        #expect(none.mutants.isEmpty && none.untried >= all.mutants.count)
        #expect(MutationText.text(none, suggestions: 1).contains("\(none.untried) more were not tried"))
    }

    @Test(
        "Wrong usage",
        arguments: [
            ["--mutants", "0"], ["--mutation-time", "0"], ["--suggest", "-1"], ["--min-mutation", "101"],
            ["--min-mutation", "x"],
        ]
    )
    func usage(options: [String]) throws {
        let folder = try TestFolder(["rules/a.conf": Self.rules])
        #expect(try folder.run(["test", "--rules", "rules", "--mutate"] + options).status == 2)
    }
}
