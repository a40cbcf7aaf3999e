#if Fleet
public import Shunt
public import ShuntCore
public import ShuntRelease

/// Makes releases in a store.
public struct ReleasePublisher: Sendable {
    /// Who signs, and what for.
    public struct Order: Sendable {
        /// The namespace.
        public var namespace: String
        /// Who makes it, for people.
        public var author: String
        /// Why, for people.
        public var message: String
        /// How it is brought to the nodes.
        public var rollout = RolloutPlan()
        /// How much may change.
        public var budget = ChangeBudget()
        /// Whether a set without rules may be released.
        public var allowsEmpty = false
        /// The keys that sign.
        public var keys: [Ed25519.SigningKey]
        /// The key file that nodes have.
        ///
        /// A release without all the signatures that it asks for goes into the history, where it
        /// waits for them; nil: it goes to the nodes whatever they will say of it.
        public var trusted: KeyFile?

        /// Makes an order.
        public init(namespace: String, author: String, message: String, keys: [Ed25519.SigningKey]) {
            self.namespace = namespace
            self.author = author
            self.message = message
            self.keys = keys
        }
    }

    /// A release that was made.
    public struct Publication: Sendable, Hashable {
        /// The release.
        public var release: Release
        /// What was signed.
        public var envelope: Envelope
        /// Whether it waits in the history for more signatures; the pointer is as it was.
        public var isWaiting: Bool
    }

    /// Where releases go.
    public let store: any ReleaseStore

    /// Makes a publisher for a store.
    public init(_ store: any ReleaseStore) { self.store = store }

    /// Publishes a rule set as the next release; the pointer is written last.
    ///
    /// The first release of a store is stable at once: there is nothing to go back to. Another one whose only stage is every node
    /// begins with every node, any other with no node at all, and a conductor or a person moves it forward.
    ///
    /// - Parameters:
    ///   - rules: The rules, loaded and so without errors.
    ///   - order: Who and what for.
    ///   - date: The calendar time.
    /// - Returns: The release.
    /// - Throws: Where a rollout goes on, there are no rules, the store cannot be written, or somebody else was first.
    @discardableResult
    public func publish(
        _ rules: LoadedRules,
        _ order: Order,
        date: Timestamp = .now()
    ) async throws -> Publication {
        let (manifest, blobs, release) = try Self.prepare(rules, order, date)
        let current = try await settled(order.namespace)
        try await store.write(manifest, blobs)
        return try await put(release, order, after: current, .published, date)
    }

    /// The release that would be published, without a number, and what it consists of.
    private static func prepare(
        _ rules: LoadedRules,
        _ order: Order,
        _ date: Timestamp
    ) throws -> (manifest: Manifest, blobs: [ContentName: [UInt8]], release: Release) {
        guard order.allowsEmpty || !rules.ruleSet.isEmpty else { throw FleetFailure.refusal("there are no rules") }
        if let problem = order.rollout.problem { throw FleetFailure.refusal(problem) }
        let (manifest, blobs) = try Manifest.cut(RuleFiles.contents(of: rules.archive))
        guard let content = ContentName(rules.ruleSet.contentHash) else {
            throw FleetFailure("the rules have no content hash")
        }
        let release = Release(
            namespace: order.namespace,
            sequence: 1,
            set: manifest.name,
            content: content,
            rules: rules.ruleSet.ruleCount,
            bytes: manifest.byteCount,
            parent: 0,
            created: date,
            author: order.author,
            message: order.message,
            budget: order.budget,
            rollout: order.rollout
        )
        return (manifest, blobs, release)
    }

    /// Publishes a set that the fleet has had as the next release; a rollout that goes on is over with it.
    ///
    /// - Parameters:
    ///   - earlier: The release that had the set.
    ///   - order: Who and what for; keys of the role `rollback` are enough for nodes that have had it.
    ///   - date: The calendar time.
    /// - Returns: The release.
    /// - Throws: Where the set is not in the store any more, the store cannot be written, or somebody else was first.
    @discardableResult
    public func rollBack(
        to earlier: Release,
        _ order: Order,
        date: Timestamp = .now()
    ) async throws -> Publication {
        if let problem = order.rollout.problem { throw FleetFailure.refusal(problem) }
        _ = try await store.manifest(earlier.set, limit: Manifest.Limits().manifestBytes)
        guard let current = try await store.current() else { throw FleetFailure("\(store.name) has no releases") }
        var release = earlier
        release.kind = .rollback
        release.created = date
        release.expires = nil
        release.author = order.author
        release.message = order.message
        release.rollout = order.rollout
        release.witness = try await witness(of: earlier.set, current.pointer, order.trusted)
        return try await put(release, order, after: current, .rolledBack, date)
    }

    /// The longest witness, in bytes, so that two rollbacks still fit into a pointer.
    private static let longestWitness = 8 << 10

    /// What shows nodes that have not had a set that it may be gone back to: a release that was made while the set was
    /// stable, or else the one that published it.
    private func witness(of set: ContentName, _ pointer: ReleasePointer, _ trusted: KeyFile?) async throws -> Envelope?
    {
        let entries = try await store.history(last: Self.longestHistory).filter { $0.action != .waiting }
        let published = ([pointer.release, pointer.stable] + entries.reversed().compactMap(\.envelope))
            .compactMap { envelope in
                (try? Release(decoding: envelope.payload)).map { (release: $0, envelope: envelope) }
            }
            .filter { $0.release.kind == .publish && $0.envelope.encoded.count <= Self.longestWitness }
            .filter { trusted?.accepts($0.release, $0.envelope) ?? true }
        let witness = published.first { $0.release.base == set } ?? published.first { $0.release.set == set }
        return witness?.envelope
    }

    /// Signs a release that waits, and puts it into the pointer where it has all signatures then.
    ///
    /// - Parameters:
    ///   - sequence: The number of the release; where several were made of that number, the last.
    ///   - order: Who signs. Of the rest of it only the namespace counts.
    ///   - date: The calendar time.
    /// - Returns: The release.
    /// - Throws: Where none of that number waits, another one has come meanwhile, or the store cannot be written.
    @discardableResult
    public func approve(_ sequence: Int, _ order: Order, date: Timestamp = .now()) async throws -> Publication {
        let current = try await settled(order.namespace)
        let entries = try await store.history(last: Self.longestHistory)
        guard let entry = entries.last(where: { $0.action == .waiting && $0.sequence == sequence }),
            let envelope = entry.envelope, let release = entry.release, release.namespace == order.namespace
        else { throw FleetFailure.refusal("no release \(sequence) waits for a signature") }
        let parent = try current.map { try Release(decoding: $0.pointer.release.payload).sequence } ?? 0
        guard release.parent == parent else {
            throw FleetFailure.refusal(
                "release \(sequence) was made after \(release.parent), and the newest is \(parent)"
            )
        }
        _ = try await store.manifest(release.set, limit: Manifest.Limits().manifestBytes)
        return try await put(release, envelope, order, after: current, .approved, date)
    }

    /// How far back a release that waits is looked for.
    static let longestHistory = 1000

    /// The pointer, where no rollout goes on.
    private func settled(_ namespace: String) async throws -> StoredPointer? {
        guard let current = try await store.current() else { return nil }
        let pointer = current.pointer
        let release = try Release(decoding: pointer.release.payload)
        guard release.namespace == namespace else {
            throw FleetFailure.refusal("\(store.name) has the releases of \"\(release.namespace)\"")
        }
        guard [.done, .aborted].contains(pointer.progress.state) else {
            throw FleetFailure.refusal("release \(release.sequence) is still \(pointer.progress.state.rawValue)")
        }
        return current
    }

    private func put(
        _ release: Release,
        _ order: Order,
        after: StoredPointer?,
        _ action: HistoryEntry.Action,
        _ date: Timestamp
    ) async throws -> Publication {
        var release = release
        if let after {
            release.parent = try Release(decoding: after.pointer.release.payload).sequence
            release.base = try Release(decoding: after.pointer.stable.payload).set
        }
        release.sequence = release.parent + 1
        let envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        return try await put(release, envelope, order, after: after, action, date)
    }

    private func put(
        _ release: Release,
        _ unsigned: Envelope,
        _ order: Order,
        after: StoredPointer?,
        _ action: HistoryEntry.Action,
        _ date: Timestamp
    ) async throws -> Publication {
        var envelope = unsigned
        try envelope.sign(with: order.keys)
        var entry = HistoryEntry(
            sequence: release.sequence,
            action: action,
            envelope: envelope,
            by: order.author,
            at: date,
            reason: order.message
        )
        if let trusted = order.trusted, !trusted.accepts(release, envelope) {
            entry.action = .waiting
            try await store.record(entry)
            return Publication(release: release, envelope: envelope, isWaiting: true)
        }
        let progress = RolloutProgress(
            state: after == nil ? .done : .running,
            // Where there is one stage a conductor has nothing to choose, and every node is spared a pointer.
            threshold: after != nil && release.rollout.stages.count == 1 ? .max : nil,
            // By it nodes know how far apart they have to come back to a store that was away.
            live: after?.pointer.progress.live ?? 0,
            since: date,
            by: order.author,
            reason: order.message
        )
        var pointer = ReleasePointer(
            release: envelope,
            stable: after?.pointer.stable ?? envelope,
            progress: progress
        )
        pointer.poison = after?.pointer.poison
        pointer.keys = after?.pointer.keys ?? []
        guard try await store.replace(after?.version, with: pointer, entry: entry) else {
            throw FleetFailure.refusal("release \(release.sequence) was not made: \(try await Self.newest(in: store))")
        }
        return Publication(release: release, envelope: envelope, isWaiting: false)
    }

    /// What another publisher or conductor has just written, in words.
    static func newest(in store: any ReleaseStore) async throws -> String {
        guard let pointer = try await store.current()?.pointer else { return "the pointer was removed meanwhile" }
        let release = try Release(decoding: pointer.release.payload)
        let message = release.message.isEmpty ? "" : ", \"\(release.message)\""
        return
            "meanwhile \(pointer.progress.by) wrote release \(release.sequence) of \(release.author)\(message), \(pointer.progress.state.rawValue)"
    }
}
#endif
