import Shunt
import ShuntTools
import Testing

@Suite("Checks of shunt lint")
struct LintCheckTests {
    /// The counts of a gateway that never had a request for the example of `never-hit`.
    private static let counts = Array(
        """
        {"version":1,"loaded":"2026-10-01T00:00:00+00:00","rules":1,\
        "counts":[{"rule":"rules/r:1:1","text":"block host ads.example.com","hits":0}]}
        """
        .utf8
    )

    @Test("Each check finds something in its own example", arguments: LintCheck.all.map(\.id))
    func examples(id: String) throws {
        let check = try #require(LintCheck.named(id))
        let statement = LintStatement(check.example, for: check.group == .server ? .nginx : check.onlyFor ?? .shunt)
        let found = try statement.findings { options in
            options.hits = try? RuleHits(Self.counts, unusedFor: 86_400)
        }
        #expect(found.contains { $0.check == id }, "\(found.map(\.check))")
        for finding in found where finding.basis == .witness && LintCheck.named(finding.check) != nil {
            #expect(!finding.witnesses.isEmpty, "\(finding.check)")
        }
    }

    @Test("Ids and texts: each id once, lower case, with a summary and an explanation")
    func texts() {
        #expect(Set(LintCheck.all.map(\.id)).count == LintCheck.all.count)
        for check in LintCheck.all {
            #expect(check.id.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
            #expect(!check.summary.isEmpty && !check.summary.hasSuffix("."))
            #expect(check.explanation.hasSuffix("."))
        }
    }
}
