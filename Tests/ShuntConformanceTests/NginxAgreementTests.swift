import NginxOracle
import Testing

/// The case files against the installed nginx: what they claim about nginx is still so.
@Suite struct NginxAgreementTests {
    @Test(.enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"))
    func everyExpectationIsWhatNginxDoes() throws {
        let oracle = try #require(NginxOracle())
        let folder = try CaseFolder(path: ConformanceData.folder)
        if ConformanceData.records {
            try folder.record(oracle: oracle)
        }
        let sets = try CaseFolder(path: ConformanceData.folder).sets
        let observations = try CaseFolder.observe(sets, oracle: oracle)
        let differences = zip(sets, observations).flatMap { $0.differences(from: $1) }
        #expect(differences.count == 0, "\(ConformanceData.report(differences))")
    }

    @Test func thereAreEnoughCases() throws {
        let sets = try CaseFolder(path: ConformanceData.folder).sets
        #expect(sets.filter { !$0.requests.isEmpty }.count >= 60)
        #expect(sets.reduce(0) { $0 + $1.requests.count } >= 1500)
        #expect(sets.filter { $0.refusal != nil }.count >= 60)
    }
}
