#if Fleet
import SeededRandom
import ShuntCore
import ShuntFleet
import Testing

@Suite("Reports of nodes in an etcd") struct EtcdStatusesTests {
    static func status(_ node: String, _ sequence: Int, _ state: NodeStatus.State = .applied) -> NodeStatus {
        NodeStatus(
            node: node,
            sequence: sequence,
            set: ContentName(of: [UInt8(sequence)]),
            state: state,
            serving: sequence,
            at: Timestamp(seconds: 1_800_000_000)
        )
    }

    static func key(_ status: NodeStatus) -> String { Base64.text("/shunt/web/nodes/" + status.node) }

    static func entry(_ status: NodeStatus, revision: Int) -> String {
        let value = Base64.text(String(decoding: status.encoded, as: UTF8.self))
        return #"{"key":"\#(key(status))","mod_revision":"\#(revision)","value":"\#(value)"}"#
    }

    static func answer(_ entries: [String], revision: Int, count: Int) -> ScriptedGateway.Answer {
        let keys = entries.joined(separator: ",")
        return .json(#"{"header":{"revision":"\#(revision)"},"kvs":[\#(keys)],"count":"\#(count)"}"#)
    }

    @Test("Only what has changed is asked for again, unless some are gone or the last whole answer is old")
    func questions() async throws {
        let first = Self.entry(Self.status("a", 1), revision: 5)
        let second = Self.entry(Self.status("b", 1, .loading), revision: 6)
        let later = Self.entry(Self.status("b", 2), revision: 8)
        let pointer = Self.answer([], revision: 9, count: 0)
        let script: [ScriptedGateway.Answer] = [
            pointer, Self.answer([first, second], revision: 7, count: 2),
            pointer, Self.answer([later], revision: 9, count: 2),
            pointer, Self.answer([], revision: 10, count: 1), Self.answer([first], revision: 11, count: 1),
            pointer, Self.answer([first], revision: 11, count: 1),
            // A store that was created again.
            pointer, Self.answer([], revision: 2, count: 1), Self.answer([later], revision: 2, count: 1),
        ]
        let expected: [[(node: String, sequence: Int)]] = [
            [("a", 1), ("b", 1)], [("a", 1), ("b", 2)], [("a", 1)], [("a", 1)], [("b", 2)],
        ]
        let asked = try await ScriptedGateway.with(.init { number, _ in script[min(number, script.count - 1)] }) {
            gateway in
            let clock = TurnedClock()
            let store = try EtcdCarrier(EtcdOptions(endpoints: [gateway.url]), namespace: "web", clock: clock)
            for (number, nodes) in expected.enumerated() {
                if number == 3 { try await clock.sleep(until: .seconds(31)) }
                let reports = try await store.statuses()
                #expect(reports.map(\.status.node) == nodes.map(\.node))
                #expect(reports.map(\.status.sequence) == nodes.map(\.sequence))
            }
            return gateway.requests.map(\.body)
        }
        let changes = asked.map { body in
            body.firstMatch(of: /"min_mod_revision":"(\d+)"/).flatMap { Int($0.1) }
        }
        #expect(changes == [nil, nil, nil, 8, nil, 10, nil, nil, nil, nil, 12, nil])
    }

    @Test(
        "A new reader sees the same as one that has watched, whatever nodes report",
        .enabled(if: EtcdProcess.executable != nil, "etcd is not installed")
    )
    func changes() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        try await fleet.publish(201, store)
        let client = EtcdClient(fleet.options)
        var random = SeededGenerator(seed: 7)
        for round in 0..<60 {
            var operations: [EtcdOperation] = []
            for node in Set((0...random.below(4)).map { _ in "edge-\(random.below(9))" }).sorted() {
                let status = Self.status(node, 1 + random.below(2), random.pick([.loading, .applied]))
                let keys = [
                    "/shunt/web/nodes/\(random.below(20) == 0 ? "of-" : "")\(node)",
                    "/shunt/web/acks/000000000\(status.sequence)/\(node)",
                ]
                for key in keys where random.below(3) > 0 {
                    operations.append(random.below(3) == 0 ? .delete(key) : .put(key, status.encoded))
                }
            }
            _ = try await client.transact(EtcdTransaction(success: operations))
            if round == 30 { try await fleet.publish(202, store) }
            #expect(try await store.statuses() == fleet.carrier().statuses())
        }
        #expect(try await store.statuses().contains(where: \.isAlive))
    }
}

extension Base64 {
    fileprivate static func text(_ text: String) -> String { encode(Array(text.utf8)) }
}
#endif
