#if Fleet
import Shunt
import ShuntFleet
import TestFolder
import Testing

@Suite("Files of an attacker without a key in a store")
struct UnsignedPointerTests {
    static let evil = ContentName(of: Array("evil".utf8))

    /// The pointers that are written, by what an error has to name.
    enum Lie: String, CaseIterable {
        case unsignedStable = "its stable release"
        case borrowedSignatures = "its newest release"
        case lastNumber = "its newest release is not to be trusted"
        case otherNamespace = "it is for \"shop\", not for \"web\""
        case signedJump = "a jump of more than 1000000"

        func write(to fleet: ReleasedFleet) throws {
            var pointer = try #require(try fleet.tree.current()).pointer
            var release = try Release(decoding: pointer.release.payload)
            switch self {
            case .unsignedStable, .borrowedSignatures: release.set = UnsignedPointerTests.evil
            case .lastNumber: release.sequence = (1 << 53) - 1
            case .otherNamespace: release.namespace = "shop"
            case .signedJump: release.sequence = 5_000_000
            }
            release.parent = release.sequence - 1
            var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
            if self == .borrowedSignatures { envelope.signatures = pointer.release.signatures }
            if self == .otherNamespace || self == .signedJump { try envelope.sign(with: [fleet.publisherKey]) }
            if self == .unsignedStable { pointer.stable = envelope } else { pointer.release = envelope }
            try fleet.tree.write(pointer)
        }
    }

    static func fleet() async throws -> ReleasedFleet {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        try await fleet.publish(ReleasedFleet.answer(202))
        return fleet
    }

    @Test(
        "Nothing of it is signed, moved, counted on or shown, and the error names it and the way out",
        arguments: Lie.allCases
    )
    func refused(lie: Lie) async throws {
        let fleet = try await Self.fleet()
        try lie.write(to: fleet)
        let before = try await fleet.tree.pointer()
        let steering = FleetSteering(fleet.tree, trusted: fleet.keys, by: "bob", reason: "")
        let rules = try ReleasedFleet.rules(ReleasedFleet.answer(203))
        let uses: [(String, () async throws -> Void)] = [
            ("publish", { _ = try await ReleasePublisher(fleet.tree).publish(rules, fleet.order()) }),
            ("approve", { _ = try await ReleasePublisher(fleet.tree).approve(3, fleet.order()) }),
            ("pause", { _ = try await steering.pause() }),
            ("resume", { _ = try await steering.resume() }),
            ("abort", { _ = try await steering.abort() }),
            ("exclude", { _ = try await steering.exclude(["edge-1"]) }),
            ("poison", { _ = try await steering.poison([Self.evil], keys: [fleet.rollbackKey]) }),
            ("status", { _ = try await FleetReport(of: fleet.tree, trusted: fleet.keys) }),
            ("status over time", { _ = try await FleetTimeline(of: fleet.tree, trusted: fleet.keys) }),
            (
                "conduct",
                {
                    var run = ConductorRun(fleet.tree, trusted: fleet.keys, name: "conductor", clock: fleet.clock)
                    _ = try await run.look()
                }
            ),
            (
                "publish --wait",
                {
                    var run = ConductorRun(fleet.tree, trusted: fleet.keys, name: "conductor", clock: fleet.clock)
                    _ = try await run.run(until: 3, tell: { _ in }, note: { _ in })
                }
            ),
        ]
        for (name, use) in uses {
            let error = await #expect(throws: FleetError.self, "\(name)") { try await use() }
            #expect(error?.isRefusal == true, "\(name)")
            #expect(error?.description.contains(lie.rawValue) == true, "\(name): \(error?.description ?? "")")
            #expect(error?.description.contains("shunt fleet rollback --to NUMBER") == true, "\(name)")
        }
        let found = try await ReleaseVerification(fleet.tree, trusted: fleet.keys).run()
        #expect(!found.problems.isEmpty)
        #expect(try await fleet.tree.pointer() == before)
    }

    @Test("A rollback puts a signed pointer in its place, which nodes follow", arguments: Lie.allCases)
    func repaired(lie: Lie) async throws {
        let fleet = try await Self.fleet()
        let node = fleet.node()
        let store = try await node.open()
        try lie.write(to: fleet)
        let release = try await ReleasePublisher(fleet.tree).rollBack(to: 1, fleet.order([fleet.rollbackKey])).release
        #expect(release.sequence == 3)
        try fleet.settle()
        await node.look()
        #expect(ReleasedFleet.status(store) == 201)
        let next = try await fleet.publish(ReleasedFleet.answer(204))
        #expect(next.sequence == 4)
        #expect(next.base == release.set)
        await node.look()
        #expect(ReleasedFleet.status(store) == 204)
    }

    @Test("A rollback signs no set that only the history names, and an approval none that no key has signed")
    func history() async throws {
        let fleet = try await Self.fleet()
        var keys = fleet.keys
        keys.thresholds[.approve] = 1
        keys.keys[1].roles = [.rollback, .approve, .publish]
        let stored = try #require(try fleet.tree.current())
        for (number, action) in [(1, HistoryEntry.Action.published), (3, .waiting)] {
            var release = try Release(decoding: stored.pointer.release.payload)
            (release.set, release.sequence, release.parent) = (Self.evil, number, number - 1)
            let envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
            let date = stored.pointer.progress.since
            let entry = HistoryEntry(sequence: number, action: action, envelope: envelope, by: "eve", at: date)
            try await fleet.tree.record(entry)
        }
        let back = try await ReleasePublisher(fleet.tree).rollBack(to: 1, fleet.order([fleet.rollbackKey])).release
        #expect(back.set != Self.evil)
        try fleet.settle()
        await #expect(throws: FleetError.refusal("no release 3 waits for a signature")) {
            var order = fleet.order([fleet.rollbackKey])
            order.trusted.keys = keys.keys
            _ = try await ReleasePublisher(fleet.tree).approve(3, order)
        }
    }

    @Test("Numbers at their ends do not end a program")
    func numbers() async throws {
        let fleet = try await Self.fleet()
        try await ReleasePublisher(fleet.tree)
            .publish(try ReleasedFleet.rules(ReleasedFleet.answer(203)), fleet.order())
        try fleet.move { ($0.state, $0.retry, $0.live, $0.stage) = (.paused, 1 << 53, .max, 31) }
        let pointer = try await FleetSteering(fleet.tree, trusted: fleet.keys, by: "bob", reason: "").resume()
        #expect(pointer.progress.retry == 0)
        try fleet.folder.write("tree/history/9223372036854775807", "{}")
        try await FleetSteering(fleet.tree, trusted: fleet.keys, by: "bob", reason: "").pause()
        #expect(try await fleet.tree.history(last: 1).map(\.action) == [.paused])
        // The last number is signed: there is none after it.
        var release = try Release(decoding: pointer.document.release.payload)
        (release.sequence, release.parent) = (1 << 53, (1 << 53) - 1)
        var last = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        try last.sign(with: [fleet.publisherKey])
        try fleet.tree.write(
            ReleasePointer(release: last, stable: last, progress: RolloutProgress(state: .done, since: release.created))
        )
        let error = await #expect(throws: DocumentError.self) { try await fleet.publish(ReleasedFleet.answer(204)) }
        #expect(error?.problem == "the numbers of \"web\" are used up: begin another namespace")
    }

    @Test("Key files and a list of poison that are not signed are left out and stand in no way")
    func additions() async throws {
        let fleet = try await Self.fleet()
        var pointer = try #require(try fleet.tree.current()).pointer
        var keys = fleet.keys
        keys.number = 9
        let junk = Envelope(payloadType: KeyFile.payloadType, payload: keys.encoded)
        pointer.keys = Array(repeating: junk, count: ReleasePointer.mostKeyFiles)
        let list = PoisonList(namespace: "web", number: 1 << 53, sets: [Self.evil])
        pointer.poison = Envelope(payloadType: PoisonList.payloadType, payload: list.encoded)
        try fleet.tree.write(pointer)
        let steering = FleetSteering(fleet.tree, trusted: fleet.keys, by: "bob", reason: "")
        #expect(try await steering.poison([Self.evil], keys: [fleet.rollbackKey]).number == 1)
        keys.number = 2
        var next = Envelope(payloadType: KeyFile.payloadType, payload: keys.encoded)
        try next.sign(with: [fleet.publisherKey])
        #expect(try await steering.replaceKeys(next).number == 2)
        #expect(try fleet.tree.current()?.pointer.keys == [next])
    }
}
#endif
