#if Fleet
public import Shunt

/// Releases in an etcd, from 3.4 on, over its JSON gateway.
///
/// ```
/// /shunt/NAMESPACE/pointer               the one key that changes
/// /shunt/NAMESPACE/sets/SHA256           manifests; those of more than 1 MiB continue in SHA256/1, SHA256/2 …
/// /shunt/NAMESPACE/blobs/SHA256          pieces of files
/// /shunt/NAMESPACE/dates/…               when a publisher needed them last
/// /shunt/NAMESPACE/history/0000000041/…  who did what and why
/// /shunt/NAMESPACE/nodes/NODE            the report of a node that lives
/// /shunt/NAMESPACE/acks/0000000041/NODE  the last report of a node about a release
/// /shunt/NAMESPACE/conductor             who may move the pointer
/// ```
///
/// Followers of the pointer learn of changes at once by a watch; a read every 30 s finds a watch that is silent.
///
/// Thread safe.
public final class EtcdCarrier: ReleaseStore {
    /// The number of releases before the pointer's whose statuses are kept.
    private static let keptAcknowledgements = 10

    /// The place where it is.
    public let name: String
    private let client: EtcdClient
    private let clock: any StoreClock
    private let keys: EtcdKeys
    private let contentStore: EtcdContents
    private let follower: EtcdFollower
    private let presence: EtcdPresence
    private let said: EtcdStatuses

    /// Makes a carrier, unless the options or the namespace cannot be used; nothing is asked yet.
    public init(
        _ options: EtcdOptions,
        namespace: String,
        clock: any StoreClock = SystemStoreClock()
    ) throws(FleetError) {
        if let problem = options.problem { throw FleetError(problem) }
        guard FleetName.isValid(namespace) else {
            throw FleetError("\(namespace.debugDescription) is not a namespace")
        }
        name = options.endpoints.joined(separator: ",") + "/" + namespace
        // Not all nodes begin with the same member.
        let client = EtcdClient(options, clock: clock, first: Int.random(in: 0..<options.endpoints.count))
        let keys = EtcdKeys(namespace: namespace)
        (self.client, self.keys, self.clock) = (client, keys, clock)
        contentStore = EtcdContents(client: client, keys: keys)
        follower = EtcdFollower(client, key: keys.pointer, interval: options.interval, clock: clock)
        presence = EtcdPresence(client, keys, clock: clock)
        said = EtcdStatuses(client, keys, clock: clock)
    }

    deinit {
        presence.stop()
        let follower = follower
        Task { await follower.stop() }
    }

    // MARK: For nodes

    /// The current pointer: what the watch has reported, where someone waits for changes, else what a read finds.
    public func pointer() async throws -> [UInt8] {
        if let known = await follower.value { return try present(try known.get()) }
        let answer = try await client.range(EtcdRange(keys.pointer), limit: EtcdClient.longestPointer)
        return try present(answer.entries.first?.value)
    }

    private func present(_ pointer: [UInt8]?) throws(FleetError) -> [UInt8] {
        guard let pointer else { throw FleetError("\(name): there is no pointer") }
        return pointer
    }

    /// Waits until the watch has reported another pointer.
    public func changed(since seen: [UInt8]?) async throws {
        await follower.start()
        try await follower.changed(since: seen)
    }

    /// The manifest of a set.
    public func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8] {
        try await contentStore.manifest(set, limit: limit)
    }

    /// A blob.
    public func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8] {
        try await contentStore.blob(blob, limit: limit)
    }

    /// Writes what a node reports about itself from now on, as soon as etcd can be reached, and keeps it alive.
    public func report(_ status: NodeStatus) async throws { presence.report(status) }

    // MARK: For publishers and conductors

    /// The pointer with the revision that changed it last.
    public func current() async throws -> StoredPointer? {
        let answer = try await client.range(EtcdRange(keys.pointer), limit: EtcdClient.longestPointer)
        guard let entry = answer.entries.first else { return nil }
        do {
            let pointer = try ReleasePointer(decoding: entry.value)
            return StoredPointer(pointer: pointer, version: UInt64(clamping: entry.revision))
        } catch {
            throw FleetError.refusal("\(name): \(error)")
        }
    }

    /// Writes blobs, then the manifest.
    public func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]]) async throws {
        try await contentStore.write(manifest, blobs, at: clock.date)
    }

    /// Puts a pointer in the place of another one, and an entry into the history, both or none.
    public func replace(_ version: UInt64?, with pointer: ReleasePointer, entry: HistoryEntry) async throws -> Bool {
        let bytes = pointer.encoded
        guard bytes.count <= ReleasePointer.longest else {
            throw FleetError("the pointer has \(bytes.count) bytes, more than \(ReleasePointer.longest)")
        }
        let comparison: EtcdCompare =
            if let version {
                .unchanged(keys.pointer, since: Int64(clamping: version))
            } else {
                .absent(keys.pointer)
            }
        var operations: [EtcdOperation] = [.put(keys.pointer, bytes), .put(historyKey(entry), entry.encoded)]
        if let oldest = pointer.sequences.min().map({ $0 - Self.keptAcknowledgements }), oldest > 0 {
            let end = keys.acknowledgements(oldest)
            operations.append(.deleteRange(keys.acknowledgements, upTo: end))
        }
        let transaction = EtcdTransaction([comparison], success: operations)
        do throws(EtcdError) {
            return try await client.transact(transaction).succeeded
        } catch {
            // The answer alone may be lost.
            guard error.mayBeDone else { throw error }
            let there = try? await client.range(EtcdRange(keys.pointer), limit: EtcdClient.longestPointer)
            guard there?.entries.first?.value == bytes else { throw error }
            return true
        }
    }

    /// Puts an entry into the history.
    public func record(_ entry: HistoryEntry) async throws {
        _ = try await client.transact(EtcdTransaction(success: [.put(historyKey(entry), entry.encoded)]))
    }

    private func historyKey(_ entry: HistoryEntry) -> String {
        // The revision has the order in which keys were made; the rest is for people, and so that no two are one.
        let unique = String(UInt32.random(in: .min ... .max), radix: 36)
        return keys.history(entry.sequence)
            + "\(entry.at)-\(entry.action.rawValue.split(separator: " ").joined())-\(unique)"
    }

    /// The last entries of the history.
    public func history(last: Int) async throws -> [HistoryEntry] {
        guard last > 0 else { return [] }
        var range = EtcdRange(prefix: keys.history)
        range.isNewestFirst = true
        range.limit = min(last, 500)
        let answer = try await client.range(range)
        return answer.entries.reversed().compactMap { try? HistoryEntry(decoding: $0.value) }
    }

    /// Returns the last statuses: those of living nodes, and of others those about a release of the pointer.
    public func statuses() async throws -> [NodeReport] {
        try await said.reports(about: try await current()?.pointer.sequences ?? [])
    }

    /// Returns the last statuses about a release, in the order of the nodes' names.
    public func said(of release: Int) async throws -> [NodeStatus] {
        var table = EtcdStatusTable(prefix: keys.acknowledgements(release))
        try await table.refresh(client, at: nil, now: clock.now)
        return table.nodes.sorted().compactMap { table.status(of: $0) }
    }

    /// The right to move the pointer, for 15 seconds after each renewal.
    public func conductorLease(_ owner: String) async throws -> (any ConductorLease)? {
        try await EtcdConductorLease(owner, key: keys.conductor, client)
    }

    /// The manifests and blobs that there are.
    public func contents() async throws -> [StoredContent] { try await contentStore.all() }

    /// Removes a manifest or blob, where no publisher has needed it since it was listed.
    public func remove(_ content: StoredContent) async throws { try await contentStore.remove(content) }
}

extension ReleasePointer {
    fileprivate var sequences: Set<Int> {
        Set([release, stable].compactMap { try? Release(decoding: $0.payload).sequence })
    }
}
#endif
