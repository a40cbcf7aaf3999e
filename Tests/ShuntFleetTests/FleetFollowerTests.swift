#if Fleet
import Shunt
import ShuntCore
import ShuntFleet
import TestFolder
import Testing

@Suite("A node that follows releases")
struct FleetFollowerTests {
    @Test("From a rule file to the new answer, and a restart without the carrier serves the same")
    func wholeWay() async throws {
        let fleet = try ReleasedFleet()
        let first = try await fleet.publish(ReleasedFleet.answer(201))
        #expect(first.content.hexadecimal == (try ReleasedFleet.rules(ReleasedFleet.answer(201))).ruleSet.contentHash)
        let carrier = CountingCarrier(fleet.tree)
        let node = fleet.node(carriers: [carrier])
        let store = try await node.open()
        #expect(ReleasedFleet.status(store) == 201)
        #expect(await node.status?.state == .applied)
        try await fleet.publish(ReleasedFleet.answer(202))
        await node.look()
        #expect(ReleasedFleet.status(store) == 202)
        carrier.set(isAway: true)
        let again = fleet.node(carriers: [carrier])
        let restarted = try await again.open()
        #expect(ReleasedFleet.status(restarted) == 202)
        await again.look()
        #expect(await again.condition == "carrier: it is away")
        #expect(restarted.status.sourceCondition == "carrier: it is away")
        #expect(ReleasedFleet.status(restarted) == 202)
    }

    @Test("Without a copy and without a carrier a start fails after its patience, and reports where it tried")
    func nothing() async throws {
        let fleet = try ReleasedFleet()
        let node = fleet.node()
        let error = await #expect(throws: FleetError.self) { try await node.open() }
        #expect(error?.description.hasPrefix("no rules from \(fleet.tree.path): ") == true)
        #expect(fleet.clock.now == .seconds(30))
    }

    @Test("A node that has all blobs but one fetches exactly one, and none is served that does not fit its name")
    func blobs() async throws {
        let fleet = try ReleasedFleet()
        var files = ReleasedFleet.answer(201)
        for number in 0..<20 { files["lists/\(number).txt"] = "host-\(number).example\n" }
        files["20-lists.conf"] = (0..<20).map { "blocklist lists/\($0).txt;\n" }.joined()
        try await fleet.publish(files)
        let lying = CountingCarrier(fleet.tree)
        lying.set(lies: true)
        let honest = CountingCarrier(fleet.tree)
        let node = fleet.node(carriers: [lying, honest])
        let store = try await node.open()
        #expect(honest.blobs.count == 22)
        files["lists/7.txt"] = "other.example\n"
        try await fleet.publish(files)
        await node.look()
        #expect(honest.blobs.count == 23)
        #expect(lying.blobs == honest.blobs)
        #expect(store.snapshot.archive.entries["rules/lists/7.txt"] == .file(Array("other.example\n".utf8)))
        // A carrier that only lies changes nothing.
        try await fleet.publish(ReleasedFleet.answer(503))
        let alone = fleet.node(carriers: [lying])
        let served = try await alone.open()
        await alone.look()
        #expect(ReleasedFleet.status(served) == 201)
        #expect(await alone.status?.error?.contains("the SHA-256 of blob") == true)
    }

    @Test("Rules with errors are refused with the place, and the set before serves")
    func wrongRules() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node()
        let store = try await node.open()
        // What a publisher of another version may take for right.
        let cut = try Manifest.cut(["10-app.conf": Array("server {\n    retrun 200;\n}\n".utf8)])
        try fleet.tree.write(cut.manifest, cut.blobs)
        var pointer = try #require(try fleet.tree.current()?.pointer)
        var release = try Release(decoding: pointer.release.payload)
        (release.sequence, release.parent, release.set) = (2, 1, cut.manifest.name)
        var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        let signature = try fleet.publisherKey.sign(envelope.signedBytes)
        envelope.signatures = [
            Envelope.Signature(key: KeyFile.identifier(of: fleet.publisherKey.publicKey), bytes: signature)
        ]
        (pointer.release, pointer.stable) = (envelope, envelope)
        try fleet.tree.write(pointer)
        await node.look()
        #expect(ReleasedFleet.status(store) == 201)
        let status = try #require(await node.status)
        #expect(status.state == .rejected)
        #expect(status.error?.contains("rules/10-app.conf:2:5") == true)
        #expect(status.error?.contains("retrun 200;") == true)
        // Rules that are right, but others than were signed for.
        let other = try Manifest.cut(["10-app.conf": Array("server { return 204; }\n".utf8)])
        try fleet.tree.write(other.manifest, other.blobs)
        (release.sequence, release.parent, release.set) = (3, 2, other.manifest.name)
        envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        envelope.signatures = [
            Envelope.Signature(
                key: KeyFile.identifier(of: fleet.publisherKey.publicKey),
                bytes: try fleet.publisherKey.sign(envelope.signedBytes)
            )
        ]
        (pointer.release, pointer.stable) = (envelope, envelope)
        try fleet.tree.write(pointer)
        await node.look()
        #expect(ReleasedFleet.status(store) == 201)
        #expect(await node.status?.error?.contains("is not the one of release 3") == true)
    }

    @Test("A release that changes more than its budget is refused")
    func budget() async throws {
        let fleet = try ReleasedFleet()
        func files(_ count: Int) -> [String: String] {
            ["10-app.conf": (0..<count).map { "block host a\($0).example;\n" }.joined()]
        }
        try await fleet.publish(files(100))
        let node = fleet.node()
        let store = try await node.open()
        try await fleet.publish(files(80))
        await node.look()
        #expect(store.snapshot.ruleCount == 100)
        #expect(await node.status?.error?.contains("20 of 100 rules are removed, and the budget is 10 %") == true)
        try await fleet.publish(files(95))
        await node.look()
        #expect(store.snapshot.ruleCount == 95)
    }

    @Test("The budget of a release applies after a failed one, too", arguments: [true, false])
    func budgetAfterAbort(isAbortSeen: Bool) async throws {
        let fleet = try ReleasedFleet()
        func rules(_ count: Int) throws -> LoadedRules {
            try ReleasedFleet.rules(["10-app.conf": (0..<count).map { "block host a\($0).example;\n" }.joined()])
        }
        let publisher = ReleasePublisher(fleet.tree)
        try await publisher.publish(try rules(100), fleet.order())
        let node = fleet.node()
        let store = try await node.open()
        try await publisher.publish(try rules(99), fleet.order())
        try fleet.move { $0.threshold = .max }
        await node.look()
        #expect(store.snapshot.ruleCount == 99)
        try fleet.move { ($0.state, $0.threshold) = (.aborted, nil) }
        if isAbortSeen {
            await node.look()
            #expect(store.snapshot.ruleCount == 100)
        }
        try await publisher.publish(try rules(80), fleet.order())
        try fleet.move { $0.threshold = .max }
        await node.look()
        #expect(await node.status?.state == .rejected)
        #expect(await node.status?.error?.contains("20 of 100 rules are removed, and the budget is 10 %") == true)
        #expect(store.snapshot.ruleCount == 100)
    }

    @Test(
        "Nodes that are new, or that were away, take a rollback to what was stable, and no other that its key alone signs"
    )
    func rollbackOfNewNodes() async throws {
        let fleet = try ReleasedFleet()
        let publisher = ReleasePublisher(fleet.tree)
        let back = fleet.order([fleet.rollbackKey])
        let first = try await fleet.publish(ReleasedFleet.answer(201))
        try await fleet.publish(ReleasedFleet.answer(202))
        let late = fleet.node("late")
        let lateStore = try await late.open()
        try await publisher.rollBack(to: first.sequence, back)
        try fleet.settle()
        #expect(try await ReleaseVerification(fleet.tree, trusted: fleet.keys).run().problems == [])
        await late.look()
        #expect(ReleasedFleet.status(lateStore) == 201)
        #expect(ReleasedFleet.status(try await fleet.node("new").open()) == 201)
        // One that was aborted was never stable.
        let bad = try await publisher.publish(try ReleasedFleet.rules(ReleasedFleet.answer(503)), fleet.order())
        try fleet.move { ($0.state, $0.threshold) = (.aborted, nil) }
        try await publisher.rollBack(to: bad.release.sequence, back)
        try fleet.settle()
        await late.look()
        #expect(ReleasedFleet.status(lateStore) == 201)
        #expect(await late.condition?.contains("no publisher has signed that it was stable") == true)
    }

    @Test("A rollback is a new release of an old set, by the key for it; one of that key for another set is nothing")
    func rollback() async throws {
        let fleet = try ReleasedFleet()
        let first = try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node()
        let store = try await node.open()
        let second = try await fleet.publish(ReleasedFleet.answer(202))
        await node.look()
        for (earlier, status) in [(first, 201), (second, 202)] {
            let order = fleet.order([fleet.rollbackKey])
            let release = try await ReleasePublisher(fleet.tree).rollBack(to: earlier.sequence, order).release
            #expect(release.set == earlier.set)
            try fleet.settle()
            await node.look()
            #expect(ReleasedFleet.status(store) == status)
            #expect(await node.status?.sequence == release.sequence)
        }
        let publisher = ReleasePublisher(fleet.tree)
        let other = try ReleasedFleet.rules(ReleasedFleet.answer(203))
        await #expect(throws: FleetError.self) {
            try await publisher.publish(other, fleet.order([fleet.rollbackKey]))
        }
        var pointer = try #require(try fleet.tree.current()).pointer
        let release = try await publisher.publish(other, fleet.order()).release
        var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        try envelope.sign(with: [fleet.rollbackKey])
        pointer.stable = envelope
        try fleet.tree.write(pointer)
        await node.look()
        #expect(ReleasedFleet.status(store) == 202)
        #expect(await node.condition?.contains("lacks the signatures") == true)
    }

    @Test("An interrupted publish leaves the pointer as it was, at each write, and the next one succeeds")
    func interruptedPublish() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let before = try await fleet.tree.pointer()
        var failures = 0
        // Blob, manifest, history and pointer are each written and renamed. Each time it is another set, so that all is written.
        while failures < 20 {
            let publisher = ReleasePublisher(ReleaseTree(fleet.tree.path, storage: FailingStorage(after: failures)))
            let rules = try ReleasedFleet.rules(ReleasedFleet.answer(202 + failures))
            do {
                _ = try await publisher.publish(rules, fleet.order())
                break
            } catch {
                failures += 1
                #expect(try await fleet.tree.pointer() == before)
            }
        }
        #expect(failures == 8)
        try fleet.settle()
        let node = fleet.node()
        let store = try await node.open()
        #expect(ReleasedFleet.status(store) == 210)
    }

    @Test("With a full disk a release is used and never reported as applied")
    func fullDisk() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node(storage: FailingStorage(after: 0))
        let store = try await node.open()
        #expect(ReleasedFleet.status(store) == 201)
        #expect(await node.status?.state == .unkept)
    }

    @Test("A file that is not a release is refused before anything is written")
    func refusals() async throws {
        let fleet = try ReleasedFleet()
        await #expect(throws: FleetError.refusal("there are no rules")) {
            try await fleet.publish(["10-app.conf": "# nothing\n"])
        }
        try await fleet.publish(ReleasedFleet.answer(201))
        var order = fleet.order()
        order.trusted.namespace = "shop"
        await #expect(throws: FleetError.self) { try await fleet.publish(ReleasedFleet.answer(202), order) }
        _ = try await ReleasePublisher(fleet.tree)
            .publish(try ReleasedFleet.rules(ReleasedFleet.answer(202)), fleet.order())
        await #expect(throws: FleetError.refusal("release 2 is still running")) {
            try await fleet.publish(ReleasedFleet.answer(203))
        }
    }

    @Test("Sets that nothing needs any more leave the disk")
    func disk() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let node = fleet.node()
        _ = try await node.open()
        for status in 202...206 {
            try await fleet.publish(ReleasedFleet.answer(status))
            await node.look()
        }
        let there = try LocalFileSystem().list(fleet.folder.path + "/edge-1/sets", limit: 100)
        #expect(there.count == NodeMemory.mostKept)
    }
}

/// A disk that refuses everything after some writes.
struct FailingStorage: FileStorage {
    private let local = LocalFileStorage()
    private let left: Counter

    init(after writes: Int) { left = Counter(writes) }

    private func count() throws(FileError) { if !left.take() { throw FileError(.accessDenied) } }

    func write(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        try count()
        try local.write(path, bytes)
    }

    func rename(_ path: String, to other: String) throws(FileError) {
        try count()
        try local.rename(path, to: other)
    }

    func synchronize(directory: String) throws(FileError) { try local.synchronize(directory: directory) }
    func remove(_ path: String) throws(FileError) { try local.remove(path) }
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try local.read(path, limit: limit) }
}
#endif
