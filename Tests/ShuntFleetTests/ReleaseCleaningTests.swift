#if Fleet
import ShuntCore
import ShuntFleet
import TestFolder
import Testing

@Suite("Files without a reference")
struct ReleaseCleaningTests {
    @Test("It goes when it is a day old; pointer, ten releases and nodes keep theirs")
    func cleaning() async throws {
        let fleet = try ReleasedFleet()
        var releases: [Release] = []
        for status in 200..<215 { releases.append(try await fleet.publish(ReleasedFleet.answer(status))) }
        // A node that has stayed behind.
        let node = NodeStatus(
            node: "edge-1",
            sequence: 2,
            set: releases[1].set,
            state: .applied,
            serving: 2,
            at: Timestamp.now()
        )
        try await fleet.tree.report(node)
        let cleaning = ReleaseCleaning(fleet.tree)
        #expect(try await cleaning.unused().isEmpty)
        let later = Timestamp(seconds: Timestamp.now().seconds + ReleaseCleaning.leastAge + 60)
        let removed = try await cleaning.clean(later)
        // Of fifteen, five are older than the ten last, and one of these is a node's; each has a manifest and a blob.
        let manifests = Set(removed.filter { $0.kind == .manifest }.map(\.name))
        #expect(manifests == Set([0, 2, 3, 4].map { releases[$0].set }))
        #expect(removed.count == 8)
        #expect(try await cleaning.unused(later).isEmpty)
        let found = try await ReleaseVerification(fleet.tree, trusted: fleet.keys).run()
        #expect(found.problems == [])
    }

    @Test("Without a pointer nothing is removed")
    func noPointer() async throws {
        let fleet = try ReleasedFleet()
        let cut = try Manifest.cut(["10-app.conf": Array("server { return 204; }\n".utf8)])
        try fleet.tree.write(cut.manifest, cut.blobs)
        let later = Timestamp(seconds: Timestamp.now().seconds + 2 * ReleaseCleaning.leastAge)
        await #expect(throws: FleetError.self) { try await ReleaseCleaning(fleet.tree).clean(later) }
        #expect(try await fleet.tree.contents().count == 2)
    }

    @Test("A blob that is another one, and one that is not there, are found")
    func verification() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let verification = ReleaseVerification(fleet.tree, trusted: fleet.keys)
        #expect(try await verification.run().lines.count == 1)
        let blob = try #require(try await fleet.tree.contents().first { $0.kind == .blob })
        try fleet.folder.write("tree/blobs/\(blob.name)", "server { return 500; }\n")
        #expect(try await verification.run().problems == ["release 1: the blob \(blob.name) is different"])
        try await fleet.tree.remove(blob)
        #expect(try await verification.run().problems.count == 1)
    }
}
#endif
