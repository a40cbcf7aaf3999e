import ShuntCore
import ShuntPatterns

/// `block` and `allow` with a list of networks, of agents or of hosts.
extension Evaluation {
    /// Returns true if the list of a rule turns the request away; the place of the entry is the current one then.
    ///
    /// None does after an `allow` that has let the request pass.
    mutating func turnsAway(_ rule: ListRule, host: ByteRange, at pc: Int) throws(EvaluationFailure) -> Bool {
        let isListed = server.passesLists ? false : try finds(rule, host: host)
        if isListed, rule.status == 0 { server.passesLists = true }
        let turnsAway = isListed && rule.status != 0
        recorder?.record(rule: pc, result: turnsAway ? .decided : isListed ? .matched : .skipped, in: self)
        return turnsAway
    }

    private mutating func finds(_ rule: ListRule, host: ByteRange) throws(EvaluationFailure) -> Bool {
        let list = program.entryLists[rule.entries.position]
        var line: Int32?
        switch list.with({ $0.kind }) {
        case .networks:
            if let address = clientAddress() { line = list.with { $0.line(of: address) } }
        case .agents:
            let agent = try requestHeader(named: Self.agentHeader)
            switch list.with({ list in firstAgent(of: list, in: agent) }) {
            case .none: break
            case .match(let index): line = list.with { $0.lines[index] }
            case .limitExceeded: throw failure(.patternLimit)
            }
        case .urls:
            line = list.with { list in arena.withBytes(host) { list.hosts?.firstValue(of: $0, from: 0) } }
        }
        guard let line else { return false }
        position = SourcePosition(file: list.with { $0.file }, line: line, column: 1)
        return true
    }

    private static let agentHeader = Array("user_agent".utf8)

    private func firstAgent(of list: EntryList, in agent: ByteRange) -> IndexOutcome {
        arena.withBytes(agent) {
            list.agents.firstMatch($0, from: 0, to: list.agents.count, scratch: memory.scratch, mode: mode)
        }
    }
}
