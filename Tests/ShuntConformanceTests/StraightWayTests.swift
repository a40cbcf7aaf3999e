import NginxOracle
import Shunt
import Testing

/// Work that is skipped for speed changes no decision: a trace goes through every phase, and the linear engine tries
/// every rule.
@Suite struct StraightWayTests {
    @Test(arguments: ConformanceData.cases.filter { $0.ruleSet.refusal == nil })
    func decidesAlikeOnEveryWay(recorded: RecordedCase) throws {
        let set = recorded.ruleSet
        let adapter = try ShuntAdapter(RuleText(set.rules), files: set.files)
        let linear = try ShuntAdapter(RuleText(set.rules), files: set.files, isLinear: true)
        for request in set.requests where ShuntAgreementTests.concernsShunt(request.request) {
            for form in adapter.forms(request.request) {
                let decision = adapter.engine.decide(form)
                // The Host is known now.
                let again = adapter.engine.decide(form)
                let (explained, _) = adapter.engine.explain(form)
                #expect(again == decision, "\(set.name), again: \(form.subject)")
                #expect(explained == decision, "\(set.name), traced: \(form.subject)")
                #expect(linear.engine.decide(form) == decision, "\(set.name), one by one: \(form.subject)")
            }
        }
    }
}

extension ShuntAdapter {
    /// A request with its Host among the headers, and, where there is one, with the Host next to the target.
    fileprivate func forms(_ oracleRequest: OracleRequest) -> [RuleRequest] {
        var request = request(oracleRequest)
        request.time = Timestamp(seconds: 1_700_000_000)
        let hosts = request.headers.filter { $0.nameBytes.map { $0 | 0x20 } == Array("host".utf8) }
        guard hosts.count == 1, case .target(let target, _) = request.subject else { return [request] }
        var joined = request
        joined.subject = .target(target, host: hosts[0].valueBytes)
        joined.headers.removeAll { $0.nameBytes.map { $0 | 0x20 } == Array("host".utf8) }
        return [request, joined]
    }
}
