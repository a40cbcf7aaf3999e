#if Fleet
import Shunt
import ShuntFleet
import TestFolder
import Testing

/// The examples of docs/fleet.md.
@Suite("The page about fleets")
struct DocumentedFleetTests {
    @Test("From a directory of rules to a node that serves them, and back to the release before")
    func wholeWay() async throws {
        let folder = try TestFolder(["rules/10-app.conf": "server { listen 80; return 201; }\n"])
        let directory = folder.path

        // Keys: one that publishes, one that rolls back.
        let publisher = Ed25519.SigningKey()
        let oncall = Ed25519.SigningKey()
        let keys = KeyFile(
            namespace: "web",
            keys: [
                KeyFile.Key(owner: "alice", publicKey: publisher.publicKey, roles: [.publish]),
                KeyFile.Key(owner: "carol", publicKey: oncall.publicKey, roles: [.rollback]),
            ],
            thresholds: [.publish: 1, .rollback: 1]
        )

        // Publish.
        let tree = ReleaseTree(directory + "/releases")
        let rules = try await DirectorySource(directory + "/rules").load()
        var order = ReleasePublisher.Order(trusted: keys, author: "alice", message: "begin", keys: [publisher])
        let release = try await ReleasePublisher(tree).publish(rules, order).release

        // Follow.
        let node = FleetFollower(
            NodeConfiguration(name: "edge-17", keys: keys, version: "0.1.0"),
            directory: directory + "/edge-17",
            carriers: [tree]
        )
        let store = try await node.open()
        let following = Task { await node.run() }
        #expect(ReleasedFleet.status(store) == 201)

        // Change, and go back: a new release with the old set.
        try folder.write("rules/10-app.conf", "server { listen 80; return 202; }\n")
        order.rollout = .atOnce
        let changed = try await DirectorySource(directory + "/rules").load()
        let second = try await ReleasePublisher(tree).publish(changed, order).release
        try await advance(tree, keys)
        await node.look()
        try await eventually { ReleasedFleet.status(store) == 202 }
        let back = ReleasePublisher.Order(trusted: keys, author: "carol", message: "404s", keys: [oncall])
        let third = try await ReleasePublisher(tree).rollBack(to: release.sequence, back).release
        try await advance(tree, keys)
        await node.look()
        try await eventually { ReleasedFleet.status(store) == 201 }
        #expect([second.sequence, third.sequence] == [2, 3])
        following.cancel()
        await following.value
    }

    /// Lets a conductor bring a rollout to its end; no node reports here, so that only the time counts.
    func advance(_ tree: ReleaseTree, _ keys: KeyFile) async throws {
        var conductor = FleetConductor(name: "conductor")
        var now = Duration.zero
        while let pointer = try tree.current()?.trusted(by: keys) {
            let view = FleetConductor.View(pointer: pointer, revision: 0, nodes: [], reports: false)
            switch conductor.step(view, at: now, date: pointer.progress.since) {
            case .write(let next, _): try tree.write(next.document)
            case .wait: now += .seconds(1)
            case .over: return
            }
        }
    }
}
#endif
