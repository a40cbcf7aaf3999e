#if Fleet
import Foundation
import SeededRandom
import Shunt
import ShuntFleet
import Testing
import TestSettings

/// Many nodes in one process.
///
/// How many is in `SHUNT_ETCD_NODES`, how often etcd crashes in `SHUNT_ETCD_CRASHES`, and how many
/// releases are made meanwhile in `SHUNT_ETCD_RELEASES`; what was measured is printed where one of them is given.
@Suite(
    "Many nodes at a real etcd",
    .serialized,
    .enabled(if: EtcdProcess.executable != nil, "etcd is not installed")
)
struct EtcdScaleTests {
    /// A limit of time, which holds where the machine does nothing else.
    static func limit(_ seconds: Int) -> Duration { .seconds(isMeasured ? seconds : 6 * seconds) }

    static var isMeasured: Bool {
        [TestSettings.etcdNodes, TestSettings.etcdRounds, TestSettings.etcdCrashes, TestSettings.etcdReleases]
            .contains { $0 != nil }
    }

    static func tell(_ text: String) {
        if isMeasured { print(text) }
    }

    /// The usual stages without a pause.
    static let quick = RolloutPlan(bakeSeconds: [0, 0, 0], spreadMilliseconds: 0)

    /// So many nodes at a separate etcd, which have all reported that they serve its first release.
    static func serving(_ count: Int) async throws -> (EtcdFleet, EtcdCarrier, Nodes) {
        let fleet = try await EtcdFleet(interval: .seconds(30))
        let store = try fleet.carrier()
        try await fleet.publish(201, store)
        let nodes = try await Nodes(fleet, count: count)
        try await eventually {
            try await store.statuses().filter { $0.isAlive && $0.status.state == .applied }.count == count
        }
        return (fleet, store, nodes)
    }

    /// Nodes that run, and what they serve.
    struct Nodes {
        var stores: [RuleStore] = []
        var tasks: [Task<Void, Never>] = []

        init(_ fleet: EtcdFleet, count: Int) async throws {
            for number in 0..<count {
                let node = fleet.node("node-\(number)", try fleet.carrier())
                stores.append(try await node.open())
                tasks.append(Task { await node.run() })
            }
        }

        func all(serve status: Int) -> Bool { stores.allSatisfy { ReleasedFleet.status($0) == status } }

        func end() async {
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
    }

    @Test("A release goes through its stages to all nodes, within ten seconds for a thousand")
    func stages() async throws {
        let count = TestSettings.etcdNodes ?? 12
        let (fleet, store, nodes) = try await Self.serving(count)
        var order = fleet.released.order()
        order.rollout = Self.quick
        // What the nodes answer meanwhile, a few at a time.
        let asking = Task {
            var others: [Int?] = []
            while !Task.isCancelled {
                for _ in 0..<20 {
                    let status = nodes.stores.randomElement().flatMap { ReleasedFleet.status($0) }
                    if status != 201, status != 202 { others.append(status) }
                }
                try? await Task.sleep(for: .milliseconds(10))
            }
            return others
        }
        let start = ContinuousClock.now
        let rules = try ReleasedFleet.rules(ReleasedFleet.answer(202))
        let release = try await ReleasePublisher(store).publish(rules, order).release
        let progress = try await Self.conduct(release, store, fleet) { look in
            let place = look.waiting.isEmpty ? "stage \(look.pointer.progress.stage + 1) begins" : look.waiting
            Self.tell("\(ContinuousClock.now - start): \(place)")
        }
        let time = ContinuousClock.now - start
        asking.cancel()
        #expect(await asking.value == [])
        #expect(progress.state == .done, "\(progress.reason)")
        #expect(nodes.all(serve: 202))
        let memory = fleet.etcd.residentBytes >> 20
        Self.tell("\(count) nodes: a release through four stages in \(time), etcd has \(memory) MiB")
        #expect(time < Self.limit(10))
        #expect(memory < 400)
        await nodes.end()
    }

    static func conduct(
        _ release: Release,
        _ store: EtcdCarrier,
        _ fleet: EtcdFleet,
        tell: (ConductorRun.Look) -> Void = { _ in }
    ) async throws -> RolloutProgress {
        var conductor = ConductorRun(store, trusted: fleet.released.keys, name: "conductor")
        return try await conductor.run(until: release.sequence, tell: tell, note: { Self.tell($0) })
    }

    @Test("From rules to the answers of the last node, at once and in stages, within two seconds for a thousand")
    func effect() async throws {
        let count = TestSettings.etcdNodes ?? 6
        let rounds = TestSettings.etcdRounds ?? 2
        let (fleet, store, nodes) = try await Self.serving(count)
        for plan in [RolloutPlan.atOnce, Self.quick] {
            var times: [Duration] = []
            for round in 1...rounds {
                let status = 300 + (plan.stages.count * rounds + round) % 200
                var order = fleet.released.order()
                order.rollout = plan
                let start = ContinuousClock.now
                let rules = try ReleasedFleet.rules(ReleasedFleet.answer(status))
                let release = try await ReleasePublisher(store).publish(rules, order).release
                async let end = Self.conduct(release, store, fleet)
                try await eventually { nodes.all(serve: status) }
                times.append(ContinuousClock.now - start)
                #expect(try await end.state == .done)
            }
            times.sort()
            let (middle, last) = (times[rounds / 2], times[min(rounds - 1, rounds * 99 / 100)])
            Self.tell("\(count) nodes, \(plan.stages.count) stages: p50 \(middle), p99 \(last) of \(rounds)")
            #expect(last < Self.limit(plan == .atOnce ? 2 : 5))
        }
        await nodes.end()
    }

    @Test("Every node of a thousand that is not in order is named within a second, with the reason and the age")
    func status() async throws {
        let count = TestSettings.etcdNodes ?? 1000
        let fleet = try await EtcdFleet()
        let release = try await fleet.publish(201, fleet.carrier())
        let client = EtcdClient(fleet.options)
        // One of ten is not in order, and of these one of ten is heard of no more.
        for first in stride(from: 0, to: count, by: 60) {
            var operations: [EtcdOperation] = []
            for number in first..<min(count, first + 60) {
                let status = NodeStatus(
                    node: "edge-\(number)",
                    sequence: release.sequence,
                    set: release.set,
                    state: number % 10 == 0 ? .rejected : .applied,
                    serving: number % 10 == 0 ? 0 : release.sequence,
                    at: .now(),
                    error: number % 10 == 0 ? "10-app.conf:1:1: error" : nil
                )
                operations.append(.put("/shunt/web/acks/0000000001/\(status.node)", status.encoded))
                guard number % 100 != 0 else { continue }
                operations.append(.put("/shunt/web/nodes/\(status.node)", status.encoded))
            }
            _ = try await client.transact(EtcdTransaction(success: operations))
        }
        let start = ContinuousClock.now
        let report = try await FleetReport(of: fleet.carrier(), trusted: fleet.released.keys)
        let encoded = report.encoded
        let time = ContinuousClock.now - start
        #expect(report.nodes.count == count)
        #expect(Set(report.outOfOrder.map(\.name)) == Set(stride(from: 0, to: count, by: 10).map { "edge-\($0)" }))
        #expect(report.outOfOrder.count { !$0.isAlive } == (count + 99) / 100)
        #expect(report.outOfOrder.allSatisfy { $0.reason == "10-app.conf:1:1: error" })
        Self.tell("the status of \(count) nodes, \(encoded.count) bytes: \(time)")
        #expect(time < Self.limit(1))
    }

    /// Makes one release after the other, and returns the numbers of those that etcd has confirmed.
    static func publish(_ numbers: ClosedRange<Int>, _ fleet: EtcdFleet, _ store: EtcdCarrier) async throws -> [Int] {
        var made: [Int] = []
        for number in numbers {
            // One that was not made, or whose result is unknown, is made again.
            while true {
                do {
                    made.append(try await fleet.publish(200 + number % 300, store).sequence)
                    break
                } catch {
                    try? await fleet.settle(store)
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        return made
    }

    @Test("Crashes of etcd during releases: no release that was made is lost, and all nodes come back to the last one")
    func crashes() async throws {
        let count = TestSettings.etcdNodes ?? 6
        let crashes = TestSettings.etcdCrashes ?? 2
        let releases = TestSettings.etcdReleases ?? 8
        let fleet = try await EtcdFleet(interval: .seconds(30))
        let store = try fleet.carrier()
        try await fleet.publish(201, store)
        let nodes = try await Nodes(fleet, count: count)
        var made: [Int] = []
        var random = SeededGenerator(seed: 42)
        var times: [Duration] = []
        var status = 201
        for crash in 1...crashes {
            let first = status + 1
            status += max(1, releases / crashes)
            let last = status
            let publishing = Task { try await Self.publish(first...last, fleet, store) }
            try await Task.sleep(for: .milliseconds(random.below(200)))
            fleet.etcd.kill()
            try fleet.etcd.start()
            try await EtcdProcess.ready(fleet.options)
            made += try await publishing.value
            let start = ContinuousClock.now
            try await eventually { nodes.all(serve: 200 + last % 300) }
            times.append(ContinuousClock.now - start)
            // Each release that its publisher got a confirmation of, those before the crash and those after it.
            let history = Set(try await store.history(last: 500).map(\.sequence))
            #expect(made.suffix(150).allSatisfy { history.contains($0) })
            Self.tell("crash \(crash): all nodes have the last release \(times[crash - 1]) after it was made")
        }
        times.sort()
        let slow = times[min(times.count - 1, times.count * 99 / 100)]
        Self.tell("\(crashes) crashes, \(count) nodes, \(made.count) releases: p99 \(slow)")
        #expect(slow < Self.limit(5), "\(times)")
        await nodes.end()
    }
}
#endif
