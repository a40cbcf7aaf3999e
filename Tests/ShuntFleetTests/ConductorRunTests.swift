#if Fleet
import Shunt
import ShuntCore
import ShuntFleet
import Synchronization
import Testing

@Suite("A rollout over a directory")
struct ConductorRunTests {
    static let stages = RolloutPlan(
        stages: [.nodes(1), .percent(50), .percent(100)],
        bakeSeconds: [0, 0],
        spreadMilliseconds: 0
    )

    /// Lets a conductor look until it is over, and the nodes after each look.
    static func conduct(
        _ fleet: ReleasedFleet,
        _ nodes: [FleetFollower],
        until sequence: Int
    ) async throws -> (progress: RolloutProgress, looks: [String]) {
        var run = ConductorRun(fleet.tree, trusted: fleet.keys, name: "conductor", clock: fleet.clock)
        let looks = Mutex<[String]>([])
        let progress = try await run.run(until: sequence) { look in
            let stage = look.pointer.progress.stage
            if look.waiting.isEmpty { looks.withLock { $0.append("\(look.pointer.progress.state) \(stage)") } }
            for node in nodes { await node.look() }
        } note: { problem in
            Issue.record("\(problem)")
        }
        return (progress, looks.withLock { $0 })
    }

    static func nodes(_ fleet: ReleasedFleet, _ count: Int) async throws -> [FleetFollower] {
        var nodes: [FleetFollower] = []
        for number in 1...count {
            nodes.append(fleet.node("edge-\(number)"))
            _ = try await nodes.last?.open()
        }
        return nodes
    }

    @Test("Stage after stage to every node, and the history has it")
    func done() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let nodes = try await Self.nodes(fleet, 4)
        var order = fleet.order()
        order.rollout = Self.stages
        try await ReleasePublisher(fleet.tree).publish(try ReleasedFleet.rules(ReleasedFleet.answer(202)), order)
        let (progress, looks) = try await Self.conduct(fleet, nodes, until: 2)
        #expect(progress.state == .done)
        #expect(looks == ["running 0", "running 1", "running 2", "done 2"])
        for node in nodes { #expect(await node.status?.serving == 2) }
        let history = try await fleet.tree.history(last: 10)
        #expect(history.map(\.action) == [.published, .published, .stage, .stage, .stage, .done])
        #expect(history.map(\.stage) == [nil, nil, 0, 1, 2, nil])
        // Another conductor may begin at once.
        let lease = try #require(try await fleet.tree.conductorLease("next"))
        await lease.end()
    }

    @Test("One node that refuses aborts the rollout, and no other ever loads the set")
    func aborted() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(["10-app.conf": (0..<100).map { "block host a\($0).example;\n" }.joined()])
        let nodes = try await Self.nodes(fleet, 4)
        var order = fleet.order()
        order.rollout = Self.stages
        try await ReleasePublisher(fleet.tree)
            .publish(try ReleasedFleet.rules(["10-app.conf": "block host a1.example;\n"]), order)
        let (progress, looks) = try await Self.conduct(fleet, nodes, until: 2)
        #expect(progress.state == .aborted)
        #expect(progress.reason.contains("99 of 100 rules are removed, and the budget is 10 %"))
        #expect(looks == ["running 0", "aborted 0"])
        var refused = 0
        for node in nodes {
            let status = try #require(await node.status)
            #expect(status.serving == 1)
            if status.state == .rejected { refused += 1 }
        }
        #expect(refused == 1)
        let report = try await FleetReport(of: fleet.tree, trusted: fleet.keys)
        #expect(report.counts.map(\.sequence) == [1])
        #expect(report.outOfOrder.map(\.condition) == ["rejected"])
        #expect(report.outOfOrder.first?.wanted == 1)
    }

    @Test("A person pauses, leaves a node out, resumes and aborts; what cannot be is refused")
    func steering() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let steering = FleetSteering(fleet.tree, trusted: fleet.keys, by: "bob", reason: "lunch")
        await #expect(throws: FleetError.refusal("release 1 is done")) { try await steering.pause() }
        var order = fleet.order()
        order.rollout = Self.stages
        try await ReleasePublisher(fleet.tree).publish(try ReleasedFleet.rules(ReleasedFleet.answer(202)), order)
        await #expect(throws: FleetError.refusal("release 2 is running")) { try await steering.resume() }
        try await steering.pause()
        var run = ConductorRun(fleet.tree, trusted: fleet.keys, name: "conductor", clock: fleet.clock)
        #expect(try await run.look()?.waiting == "paused")
        try await steering.exclude(["edge-9"])
        #expect(try fleet.tree.current()?.pointer.progress.excluded == ["edge-9"])
        try await steering.exclude(["edge-9"], isUndone: true)
        #expect(try fleet.tree.current()?.pointer.progress.excluded == [])
        try await steering.resume()
        #expect(try await run.look()?.pointer.progress.stage == 0)
        let pointer = try await steering.abort()
        #expect(pointer.progress.state == .aborted)
        #expect(pointer.progress.by == "bob")
        #expect(pointer.progress.reason == "lunch")
        #expect(try await run.look()?.waiting == "aborted")
        let actions = try await fleet.tree.history(last: 10).map(\.action)
        #expect(actions == [.published, .published, .paused, .excluded, .excluded, .resumed, .stage, .aborted])
    }

    @Test("A release for all at once waits for no conductor, and one in stages does")
    func atOnce() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let nodes = try await Self.nodes(fleet, 3)
        for (status, plan) in [(202, RolloutPlan.atOnce), (203, Self.stages)] {
            var order = fleet.order()
            order.rollout = plan
            try await ReleasePublisher(fleet.tree).publish(try ReleasedFleet.rules(ReleasedFleet.answer(status)), order)
            for node in nodes { await node.look() }
            for node in nodes { #expect(await node.status?.serving == 2) }
            guard status == 202 else { continue }
            let (progress, _) = try await Self.conduct(fleet, nodes, until: 2)
            #expect(progress.state == .done)
        }
    }

    @Test("While another conductor runs it is only looked on")
    func anotherOne() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        try await ReleasePublisher(fleet.tree)
            .publish(try ReleasedFleet.rules(ReleasedFleet.answer(202)), fleet.order())
        var first = ConductorRun(fleet.tree, trusted: fleet.keys, name: "first", clock: fleet.clock)
        var second = ConductorRun(fleet.tree, trusted: fleet.keys, name: "second", clock: fleet.clock)
        #expect(try await first.look()?.waiting == "")
        #expect(try await second.look()?.waiting == "another conductor runs")
        await first.end()
        #expect(try await second.look()?.pointer.progress.state == .done)
    }

    @Test("A list of poison moves nodes off a set, and only the key for it makes one")
    func poison() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node()
        let store = try await node.open()
        let second = try await fleet.publish(ReleasedFleet.answer(202))
        await node.look()
        #expect(ReleasedFleet.status(store) == 202)
        let steering = FleetSteering(fleet.tree, trusted: fleet.keys, by: "carol", reason: "it burns")
        await #expect(throws: DocumentError.self) {
            try await steering.poison([second.set], keys: [fleet.publisherKey])
        }
        try await steering.poison([second.set], keys: [fleet.rollbackKey])
        await node.look()
        #expect(ReleasedFleet.status(store) == 201)
        await #expect(throws: FleetError.self) { try await fleet.publish(ReleasedFleet.answer(202)) }
        let list = try await steering.poison([second.set], isUndone: true, keys: [fleet.rollbackKey])
        #expect(list.number == 2)
        #expect(list.sets.isEmpty)
    }

    @Test("Keys are replaced without touching a node, and a release by the new ones is taken")
    func keys() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node()
        let store = try await node.open()
        let next = Ed25519.SigningKey()
        let file = KeyFile(
            namespace: "web",
            number: 2,
            keys: [KeyFile.Key(owner: "dora", publicKey: next.publicKey, roles: [.publish])],
            thresholds: [.publish: 1]
        )
        var envelope = Envelope(payloadType: KeyFile.payloadType, payload: file.encoded)
        let steering = FleetSteering(fleet.tree, trusted: fleet.keys, by: "alice", reason: "")
        await #expect(throws: DocumentError.self) { try await steering.replaceKeys(envelope) }
        try envelope.sign(with: [fleet.publisherKey])
        #expect(try await steering.replaceKeys(envelope).keys == file.keys)
        try await fleet.publish(ReleasedFleet.answer(202), fleet.order([next]))
        await node.look()
        #expect(ReleasedFleet.status(store) == 202)
        let found = try await ReleaseVerification(fleet.tree, trusted: fleet.keys).run()
        #expect(found.problems == [])
        #expect(found.lines.first == "key file 2 is signed by the one before it")
    }

    @Test("Nodes report that they live and what their requests met, without anything happening")
    func heartbeat() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node()
        _ = try await node.open()
        let before = try #require(try await fleet.tree.statuses().first).status
        await node.look()
        #expect(try await fleet.tree.statuses().first?.status.at == before.at)
        try await fleet.clock.sleep(until: fleet.clock.now + .seconds(20))
        await node.look()
        let after = try #require(try await fleet.tree.statuses().first).status
        #expect(after.at.seconds == before.at.seconds + 20)
        #expect(after.state == .applied)
    }
}
#endif
