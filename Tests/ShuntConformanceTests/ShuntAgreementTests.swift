import NginxOracle
import Shunt
import Testing

/// The case files against Shunt.
@Suite struct ShuntAgreementTests {
    static let sets: [RuleSetCase] = (try? CaseFolder(path: ConformanceData.folder).sets) ?? []

    @Test func everyDecisionIsWhatNginxDoes() {
        var differences: [String] = []
        for set in Self.sets where set.refusal == nil {
            do {
                let adapter = try ShuntAdapter(RuleText(set.rules), files: set.files)
                let outcomes = set.requests.map { adapted(adapter.outcome($0.request), to: $0) }
                differences += set.differences(from: .outcomes(outcomes))
            } catch {
                differences.append("\(set.place): \(error)")
            }
        }
        #expect(!Self.sets.isEmpty)
        #expect(differences.isEmpty, "\(ConformanceData.report(differences))")
    }

    @Test func refusesWhatNginxRefuses() {
        var accepted: [String] = []
        for set in Self.sets where set.refusal != nil {
            if (try? ShuntAdapter(RuleText(set.rules), files: set.files)) != nil {
                accepted.append("\(set.place): accepted: \(set.name): \(set.refusal?.message ?? "")")
            }
        }
        #expect(accepted.isEmpty, "\(ConformanceData.report(accepted))")
    }

    /// Which file a forwarded request meets is known only after the decision; what is asked of an upstream is decided.
    private func adapted(_ outcome: RequestOutcome, to request: RequestCase) -> RequestOutcome {
        var outcome = outcome.hidingPorts(ShuntAdapter.ports)
        switch request.expectation?.destination {
        case .file, .missing: outcome.destination = request.expectation?.destination
        case .upstream, nil: break
        }
        return outcome
    }
}
