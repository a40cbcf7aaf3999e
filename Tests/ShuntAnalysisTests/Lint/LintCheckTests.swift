import Shunt
import ShuntAnalysis
import Testing

@Suite("Checks of shunt lint")
struct LintCheckTests {
    @Test("Each check finds something in its own example", arguments: LintCheck.all.map(\.id))
    func examples(id: String) throws {
        let check = try #require(LintCheck.named(id))
        let statement = LintStatement(check.example, for: check.group == .server ? .nginx : .shunt)
        let found = try statement.findings()
        #expect(found.contains { $0.check == id }, "\(found.map(\.check))")
        for finding in found where finding.basis == .witness && LintCheck.named(finding.check) != nil {
            #expect(!finding.witnesses.isEmpty, "\(finding.check)")
        }
    }

    @Test("Ids and texts: each id once, lower case, with a summary and an explanation")
    func texts() {
        #expect(Set(LintCheck.all.map(\.id)).count == LintCheck.all.count)
        for check in LintCheck.all {
            #expect(check.id.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d })
            #expect(!check.summary.isEmpty && !check.summary.hasSuffix("."))
            #expect(check.explanation.hasSuffix("."))
        }
    }
}
