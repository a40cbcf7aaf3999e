#if Fleet
import Shunt
import ShuntCore
import ShuntFleet
import Synchronization
import TestFolder

/// A tree with releases, keys, and nodes that follow it, each with a separate disk.
final class ReleasedFleet: Sendable {
    let folder: TestFolder
    let tree: ReleaseTree
    let publisherKey = Ed25519.SigningKey()
    let rollbackKey = Ed25519.SigningKey()
    let clock = TurnedClock()

    /// - Parameter inMemory: Whether many nodes are to write at once, who would have their own disks elsewhere.
    /// - Throws: Where there is no place for it.
    init(inMemory: Bool = false) throws {
        folder = try TestFolder(inMemory: inMemory)
        tree = ReleaseTree(folder.path + "/tree")
    }

    var keys: KeyFile {
        KeyFile(
            namespace: "web",
            keys: [
                KeyFile.Key(owner: "alice", publicKey: publisherKey.publicKey, roles: [.publish]),
                KeyFile.Key(owner: "carol", publicKey: rollbackKey.publicKey, roles: [.rollback]),
            ],
            thresholds: [.publish: 1, .rollback: 1]
        )
    }

    func order(_ keys: [Ed25519.SigningKey]? = nil) -> ReleasePublisher.Order {
        var order = ReleasePublisher.Order(
            trusted: self.keys,
            author: "alice",
            message: "a change",
            keys: keys ?? [publisherKey]
        )
        order.rollout = .atOnce
        return order
    }

    static func rules(_ files: [String: String]) throws -> LoadedRules {
        try LoadedRules(compiling: RuleArchive(files))
    }

    static func answer(_ status: Int) -> [String: String] {
        ["10-app.conf": "server { listen 80; location / { return \(status); } }\n"]
    }

    /// Publishes, and lets every node have it at once.
    @discardableResult
    func publish(_ files: [String: String], _ order: ReleasePublisher.Order? = nil) async throws -> Release {
        let order = order ?? self.order()
        let release = try await ReleasePublisher(tree).publish(try Self.rules(files), order).release
        try settle()
        return release
    }

    /// Makes the release that is rolled out the stable one.
    func settle() throws {
        guard var pointer = try tree.current()?.pointer else { return }
        pointer.stable = pointer.release
        pointer.progress.state = .done
        try tree.write(pointer)
    }

    /// Changes how far the rollout is.
    func move(_ change: (inout RolloutProgress) -> Void) throws {
        guard var pointer = try tree.current()?.pointer else { return }
        change(&pointer.progress)
        try tree.write(pointer)
    }

    func node(
        _ name: String = "edge-1",
        carriers: [any FleetCarrier]? = nil,
        storage: any FileStorage = LocalFileStorage()
    ) -> FleetFollower {
        var store = RuleStore.Options()
        store.clock = clock
        var options = FleetFollower.Options()
        options.storage = storage
        return FleetFollower(
            NodeConfiguration(name: name, keys: keys, version: "0.1.0"),
            directory: folder.path + "/" + name,
            carriers: carriers ?? [tree],
            options: options,
            store: store
        )
    }

    static func status(_ store: RuleStore) -> Int? {
        store.snapshot.engine.decide(RuleRequest(url: "http://example.com/")).status
    }
}

/// A clock whose sleepers are woken at once, at the moment that they wait for.
final class TurnedClock: StoreClock {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock { $0 } }
    var date: Timestamp { Timestamp(seconds: 1_800_000_000 + now.components.seconds) }

    func sleep(until moment: Duration) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, moment) }
    }
}

/// A carrier that counts what it is asked, and may lie or be away.
final class CountingCarrier: FleetCarrier {
    let name = "carrier"
    private let tree: ReleaseTree
    private let state = Mutex((blobs: [String](), isAway: false, lies: false))

    init(_ tree: ReleaseTree) { self.tree = tree }

    var blobs: [String] { state.withLock { $0.blobs } }
    func set(isAway: Bool = false, lies: Bool = false) { state.withLock { ($0.isAway, $0.lies) = (isAway, lies) } }

    private func check() throws { if state.withLock({ $0.isAway }) { throw FleetError("carrier: it is away") } }

    func pointer() async throws -> [UInt8] {
        try check()
        return try await tree.pointer()
    }

    func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8] {
        try check()
        return try await tree.manifest(set, limit: limit)
    }

    func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8] {
        try check()
        let lies = state.withLock { state in
            state.blobs.append(blob.hexadecimal)
            return state.lies
        }
        return lies ? Array("return 500;".utf8) : try await tree.blob(blob, limit: limit)
    }
}
#endif
