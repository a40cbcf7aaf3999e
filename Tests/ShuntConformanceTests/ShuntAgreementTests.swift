import NginxOracle
import Shunt
import Testing

/// The case files against Shunt.
@Suite struct ShuntAgreementTests {
    @Test(arguments: ConformanceData.cases.filter { $0.ruleSet.refusal == nil })
    func decidesWhatNginxDoes(recorded: RecordedCase) throws {
        var set = recorded.ruleSet
        set.requests.removeAll { !Self.concernsShunt($0.request) }
        let adapter = try ShuntAdapter(RuleText(set.rules), files: set.files)
        let outcomes = set.requests.map {
            adapted(adapter.outcome($0.request, whereForward: isForward($0)), to: $0)
        }
        let differences = set.differences(from: .outcomes(outcomes), askedShunt: true)
        #expect(differences.count == 0, "\(ConformanceData.report(differences))")
    }

    @Test(arguments: ConformanceData.cases.filter { $0.ruleSet.refusal != nil })
    func refusesWhatNginxRefuses(recorded: RecordedCase) {
        let set = recorded.ruleSet
        #expect(throws: (any Error).self, "accepted: \(set.name): \(set.refusal?.message ?? "")") {
            try ShuntAdapter(RuleText(set.rules), files: set.files)
        }
    }

    /// A version that is not HTTP/1 is for the server that reads the request.
    static func concernsShunt(_ request: OracleRequest) -> Bool {
        ["HTTP/1.0", "HTTP/1.1", "HTTP/1.2"].contains { Array($0.utf8) == request.version }
    }

    private func isForward(_ request: RequestCase) -> Bool {
        if case .forward = request.expectation?.kind { true } else { false }
    }

    /// Returns the outcome without the file, which is known only after the decision; what is asked of an upstream is
    /// decided.
    private func adapted(_ outcome: RequestOutcome, to request: RequestCase) -> RequestOutcome {
        var outcome = outcome.hidingPorts(ShuntAdapter.ports)
        let expectation = request.shuntExpectation ?? request.expectation
        switch (expectation?.kind, outcome.kind) {
        // Shunt has 444 for every way of closing a connection.
        case (.closed, .closed): outcome.kind = expectation?.kind ?? outcome.kind
        // The headers of a forwarded request are added to a response that is still unknown.
        case (.forward, .forward): outcome.headers = expectation?.headers ?? []
        default: break
        }
        switch expectation?.destination {
        case .file, .missing: outcome.destination = expectation?.destination
        case .upstream, nil: break
        }
        return outcome
    }
}
