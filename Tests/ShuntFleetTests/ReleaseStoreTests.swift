#if Fleet
import Glibc
import Shunt
import ShuntCore
import ShuntFleet
import TestFolder
import Testing

@Suite("A directory that publishers and conductors write to")
struct ReleaseStoreTests {
    @Test("Exactly one of several publishers at once makes the release, and the others get its name")
    func publishersAtOnce() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(200))
        let outcomes = await withTaskGroup(of: String?.self) { group in
            for number in 1...8 {
                group.addTask {
                    var order = fleet.order()
                    order.author = "author-\(number)"
                    do {
                        let rules = try ReleasedFleet.rules(ReleasedFleet.answer(200 + number))
                        try await ReleasePublisher(ReleaseTree(fleet.tree.path)).publish(rules, order)
                        return nil
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        let pointer = try #require(try fleet.tree.current()?.pointer)
        let release = try Release(decoding: pointer.release.payload)
        #expect(release.sequence == 2)
        let losses = outcomes.compactMap(\.self)
        #expect(losses.count == 7)
        let isTold = losses.allSatisfy {
            $0.contains("wrote release 2 of \(release.author), \"a change\"") || $0 == "release 2 is still running"
        }
        #expect(isTold, "\(losses)")
        let history = try await fleet.tree.history(last: 100)
        #expect(history.map(\.sequence) == [1, 2])
        #expect(history.last?.by == release.author)
        #expect(history.last?.release == release)
    }

    @Test("A pointer takes the place of the one that was read, and of no other")
    func comparison() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let stored = try #require(try fleet.tree.current())
        var next = stored.pointer
        next.progress.reason = "first"
        let entry = HistoryEntry(sequence: 1, action: .paused, by: "bob", at: stored.pointer.progress.since)
        #expect(try await fleet.tree.replace(stored.version, with: next, entry: entry))
        next.progress.reason = "second"
        #expect(try await !fleet.tree.replace(stored.version, with: next, entry: entry))
        #expect(try await !fleet.tree.replace(nil, with: next, entry: entry))
        #expect(try fleet.tree.current()?.pointer.progress.reason == "first")
        #expect(try await fleet.tree.history(last: 100).map(\.action) == [.published, .paused])
        #expect(try await fleet.tree.history(last: 1).map(\.action) == [.paused])
    }

    @Test("A release that waits for a signature changes nothing but the history, until it is signed")
    func approval() async throws {
        let fleet = try ReleasedFleet()
        let approver = Ed25519.SigningKey()
        var keys = fleet.keys
        keys.keys.append(KeyFile.Key(owner: "bob", publicKey: approver.publicKey, roles: [.approve]))
        keys.thresholds[.approve] = 1
        var order = fleet.order([fleet.publisherKey, approver])
        order.trusted = keys
        try await fleet.publish(ReleasedFleet.answer(201), order)
        let before = try await fleet.tree.pointer()
        order.keys = [fleet.publisherKey]
        let publisher = ReleasePublisher(fleet.tree)
        let rules = try ReleasedFleet.rules(ReleasedFleet.answer(202))
        let waiting = try await publisher.publish(rules, order)
        #expect(waiting.isWaiting)
        #expect(try await fleet.tree.pointer() == before)
        // The same key again is not enough, and an unknown number is invalid.
        #expect(try await publisher.approve(2, order).isWaiting)
        await #expect(throws: FleetError.refusal("no release 3 waits for a signature")) {
            try await publisher.approve(3, order)
        }
        order.keys = [approver]
        order.author = "bob"
        let approved = try await publisher.approve(2, order)
        #expect(!approved.isWaiting)
        #expect(approved.release == waiting.release)
        let pointer = try #require(try fleet.tree.current()?.pointer)
        #expect(pointer.release == approved.envelope)
        #expect(keys.accepts(pointer.release, as: [.publish, .approve], Ed25519()))
        let actions = try await fleet.tree.history(last: 10).map(\.action)
        #expect(actions == [.published, .waiting, .waiting, .approved])
        try fleet.settle()
        let again = await #expect(throws: FleetError.self) { try await publisher.approve(2, order) }
        #expect(again?.description == "release 2 was created after 1, and the newest is 2")
    }

    @Test("Nodes that were silent for a minute do not live any more")
    func statuses() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let names = ["edge-1", "edge-2"]
        for name in names { _ = try await fleet.node(name).open() }
        var old = [timeval(), timeval()]
        for index in old.indices { old[index].tv_sec = time(nil) - 61 }
        #expect(utimes(fleet.tree.path + "/nodes/edge-2", old) == 0)
        try fleet.folder.write("tree/nodes/edge-3", "{}")
        let reports = try await fleet.tree.statuses()
        #expect(reports.map(\.status.node) == names)
        #expect(reports.map(\.status.state) == [.applied, .applied])
        #expect(reports.map(\.isAlive) == [true, false])
        #expect(reports.last?.age.map { $0 >= .seconds(60) } == true)
    }

    @Test("One conductor at a time")
    func lease() async throws {
        let fleet = try ReleasedFleet()
        let first = try #require(try await fleet.tree.conductorLease("first"))
        #expect(try await fleet.tree.conductorLease("second") == nil)
        #expect(try await first.renew())
        await first.end()
        #expect(try await !first.renew())
        let second = try #require(try await fleet.tree.conductorLease("second"))
        #expect(try await second.renew())
    }

    @Test("A file that is written again counts as new, and a removed one is gone")
    func contents() async throws {
        let fleet = try ReleasedFleet()
        let cut = try Manifest.cut(["10-app.conf": Array("server { return 204; }\n".utf8)])
        try fleet.tree.write(cut.manifest, cut.blobs)
        let old = [timeval(), timeval()]
        let place = "\(fleet.tree.path)/sets/\(cut.manifest.name)"
        #expect(utimes(place, old) == 0)
        var contents = try await fleet.tree.contents()
        #expect(contents.map(\.kind) == [.manifest, .blob])
        #expect(contents.first?.date == Timestamp(seconds: 0))
        try fleet.tree.write(cut.manifest, cut.blobs)
        contents = try await fleet.tree.contents()
        let date = try #require(contents.first?.date)
        #expect(Timestamp.now().seconds - date.seconds < 60)
        for content in contents { try await fleet.tree.remove(content) }
        #expect(try await fleet.tree.contents().isEmpty)
    }

    @Test("An entry of the history is read as it was written, and an invalid one is refused", arguments: [nil, 2])
    func entry(stage: Int?) throws {
        let envelope = stage == nil ? nil : Envelope(payloadType: "x", payload: [1, 2, 3])
        let entry = HistoryEntry(
            sequence: 41,
            action: .rolledBack,
            stage: stage,
            envelope: envelope,
            by: "carol",
            at: Timestamp(seconds: 1_800_000_000),
            reason: "404s"
        )
        #expect(try HistoryEntry(decoding: entry.encoded) == entry)
        #expect(throws: DocumentError.self) { try HistoryEntry(decoding: Array(entry.encoded.dropLast())) }
    }
}
#endif
