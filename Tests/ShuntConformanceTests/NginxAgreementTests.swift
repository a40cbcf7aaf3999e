import NginxOracle
import Testing

/// The case files against the installed nginx: what they claim about nginx is still so.
@Suite struct NginxAgreementTests {
    /// The observations of nginx for each rule set: many of them share one nginx, so all are made before the first
    /// test.
    private static let observations: Result<[CaseRecorder.Observation], any Error> = Result {
        guard let oracle = NginxOracle() else { return [] }
        return try CaseFolder.observe(ConformanceData.cases.map(\.ruleSet), oracle: oracle)
    }

    @Test(
        .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"),
        .disabled(if: ConformanceData.records, "the cases are being recorded"),
        arguments: ConformanceData.cases
    )
    func isWhatNginxDoes(recorded: RecordedCase) throws {
        let observations = try Self.observations.get()
        try #require(observations.indices.contains(recorded.index))
        let differences = recorded.ruleSet.differences(from: observations[recorded.index])
        #expect(differences.count == 0, "\(ConformanceData.report(differences))")
    }

    /// Writes what nginx does into the case files; what was recorded is read by a person, and checked by the next run.
    @Test(.enabled(if: ConformanceData.records, "SHUNT_RECORD_CASES=1 records"))
    func record() throws {
        let oracle = try #require(NginxOracle())
        try CaseFolder(path: ConformanceData.folder).record(oracle: oracle)
    }

    @Test func thereAreEnoughCases() throws {
        let sets = try CaseFolder(path: ConformanceData.folder).sets
        #expect(sets.filter { !$0.requests.isEmpty }.count >= 60)
        #expect(sets.reduce(0) { $0 + $1.requests.count } >= 1500)
        #expect(sets.filter { $0.refusal != nil }.count >= 60)
    }
}
