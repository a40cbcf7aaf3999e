#if Fleet
public import Shunt

/// Makes releases in a store.
public struct ReleasePublisher: Sendable {
    /// The signer, and the order to sign.
    public struct Order: Sendable {
        /// The author's name.
        public var author: String
        /// The reason, for people.
        public var message: String
        /// The plan of the rollout.
        public var rollout = RolloutPlan()
        /// The limits for changes.
        public var budget = ChangeBudget()
        /// True if a set without rules may be released.
        public var allowsEmpty = false
        /// The keys that sign.
        public var keys: [Ed25519.SigningKey]
        /// The key file that nodes got first, with the namespace.
        ///
        /// What the store has is used only if it is signed as the keys ask. A release without all the signatures that they
        /// ask for goes into the history, where it waits for them.
        public var trusted: KeyFile

        /// Creates an order.
        public init(trusted: KeyFile, author: String, message: String, keys: [Ed25519.SigningKey]) {
            self.trusted = trusted
            self.author = author
            self.message = message
            self.keys = keys
        }
    }

    /// A release that was made.
    public struct Publication: Sendable, Hashable {
        /// The release.
        public var release: Release
        /// The signed envelope.
        public var envelope: Envelope
        /// True if it waits in the history for more signatures; the pointer is as it was.
        public var isWaiting: Bool
    }

    /// The place where releases go.
    public let store: any ReleaseStore

    /// Makes a publisher for a store.
    public init(_ store: any ReleaseStore) { self.store = store }

    /// Publishes a rule set as the next release; the pointer is written last.
    ///
    /// The first release of a store is stable at once: there is nothing to go back to. Another one whose only stage is every node
    /// begins with every node, any other with no node at all, and a conductor or a person moves it forward.
    ///
    /// - Throws: Where a rollout runs, there are no rules, the store cannot be written, or someone else was first.
    @discardableResult
    public func publish(_ rules: LoadedRules, _ order: Order, date: Timestamp = .now()) async throws -> Publication {
        let (manifest, blobs, release) = try Self.prepare(rules, order: order, at: date)
        let current = try await settled(order.trusted)
        try Self.checkRoles(order.keys, in: current?.pointer.keys ?? order.trusted, for: release)
        try await store.write(manifest, blobs)
        return try await put(release, order: order, after: current, action: .published, at: date)
    }

    /// The release that would be published, without a number, and what it consists of.
    private static func prepare(
        _ rules: LoadedRules,
        order: Order,
        at date: Timestamp
    ) throws -> (manifest: Manifest, blobs: [ContentName: [UInt8]], release: Release) {
        guard order.allowsEmpty || !rules.ruleSet.isEmpty else { throw FleetError.refusal("there are no rules") }
        if let problem = order.rollout.problem { throw FleetError.refusal(problem) }
        let (manifest, blobs) = try Manifest.cut(ReleaseFiles.contents(of: rules.archive))
        guard let content = ContentName(rules.ruleSet.contentHash) else {
            throw FleetError("the rules have no content hash")
        }
        let release = Release(
            namespace: order.trusted.namespace,
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

    /// Publishes a set that the fleet has had as the next release; a rollout in progress is over with it.
    ///
    /// If the store's pointer is not signed, it is put together again from what the history has that is. Keys of the
    /// role `rollback` are enough for nodes that have had the set.
    ///
    /// - Throws: Where no signed release has the number, its set is not in the store any more, the store cannot be written,
    ///   or someone else was first.
    @discardableResult
    public func rollBack(to sequence: Int, _ order: Order, date: Timestamp = .now()) async throws -> Publication {
        if let problem = order.rollout.problem { throw FleetError.refusal(problem) }
        guard let stored = try await store.current() else { throw FleetError("\(store.name) has no releases") }
        let entries = try await store.history(last: Self.longestHistory)
        let releases = SignedReleases(stored.pointer, entries: entries, trusted: order.trusted)
        let earlier = try releases.release(sequence, in: store)
        _ = try await store.manifest(earlier.set, limit: Manifest.Limits().manifestBytes)
        var release = earlier
        release.kind = .rollback
        release.created = date
        release.expires = nil
        release.author = order.author
        release.message = order.message
        release.rollout = order.rollout
        release.witness = releases.witness(of: earlier.set)
        let pointer = try (try? stored.trusted(by: order.trusted)) ?? releases.pointer(by: order.author, date)
        return try await put(release, order: order, after: (pointer, stored.version), action: .rolledBack, at: date)
    }

    /// Signs a release that waits, and puts it into the pointer where it has all signatures then.
    ///
    /// Of several with the number it is the last; of the order only the keys and the key file count.
    ///
    /// - Throws: Where none of that number waits that a key has signed, another one has come meanwhile, or the store cannot
    ///   be written.
    @discardableResult
    public func approve(_ sequence: Int, _ order: Order, date: Timestamp = .now()) async throws -> Publication {
        let current = try await settled(order.trusted)
        let keys = current?.pointer.keys ?? order.trusted
        let entries = try await store.history(last: Self.longestHistory)
        guard let envelope = SignedReleases.waiting(sequence, entries: entries, keys: keys),
            let release = try? Release(decoding: envelope.payload), release.namespace == keys.namespace
        else { throw FleetError.refusal("no release \(sequence) waits for a signature") }
        let parent = current?.pointer.release.sequence ?? 0
        guard release.parent == parent, release.sequence == parent + 1 else {
            throw FleetError.refusal(
                "release \(sequence) was created after \(release.parent), and the newest is \(parent)"
            )
        }
        _ = try await store.manifest(release.set, limit: Manifest.Limits().manifestBytes)
        return try await put(release, unsigned: envelope, order: order, after: current, action: .approved, at: date)
    }

    /// The most releases that are searched for one that waits.
    public static let longestHistory = 1000

    /// A pointer whose releases are signed, and its version in the store.
    private typealias Current = (pointer: TrustedPointer, version: UInt64)

    /// The pointer, where no rollout is in progress.
    private func settled(_ trusted: KeyFile) async throws -> Current? {
        guard let stored = try await store.current() else { return nil }
        let pointer = try stored.trusted(by: trusted)
        guard [.done, .aborted].contains(pointer.progress.state) else {
            throw FleetError.refusal(
                "release \(pointer.release.sequence) is still \(pointer.progress.state.rawValue)"
            )
        }
        return (pointer, stored.version)
    }

    private func put(
        _ release: Release,
        order: Order,
        after current: Current?,
        action: HistoryEntry.Action,
        at date: Timestamp
    ) async throws -> Publication {
        let release = try current?.pointer.next(release) ?? release
        let envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        return try await put(release, unsigned: envelope, order: order, after: current, action: action, at: date)
    }

    private func put(
        _ release: Release,
        unsigned: Envelope,
        order: Order,
        after current: Current?,
        action: HistoryEntry.Action,
        at date: Timestamp
    ) async throws -> Publication {
        if current?.pointer.poison?.sets.contains(release.set) == true {
            throw FleetError.refusal("no node may use the set \(release.set): it is poisoned")
        }
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
        let files = current?.pointer.keyFiles ?? [order.trusted]
        // Nodes ask the key file in force, and the next publisher has to trust the release as well.
        guard files[files.count - 1].accepts(release, envelope),
            (try? TrustedPointer.release(envelope, name: "next", keyFiles: files, verifier: Ed25519())) != nil
        else {
            try Self.checkRoles(order.keys, in: files[files.count - 1], for: release)
            entry.action = .waiting
            try await store.record(entry)
            return Publication(release: release, envelope: envelope, isWaiting: true)
        }
        let after = current?.pointer.document
        let progress = RolloutProgress(
            state: after == nil ? .done : .running,
            // Where there is one stage a conductor has nothing to choose, and every node is spared a pointer.
            threshold: after != nil && release.rollout.stages.count == 1 ? .max : nil,
            // By it nodes know how far apart they have to come back to a store that was away.
            live: after?.progress.live ?? 0,
            since: date,
            by: order.author,
            reason: order.message
        )
        var pointer = ReleasePointer(release: envelope, stable: after?.stable ?? envelope, progress: progress)
        pointer.poison = after?.poison
        pointer.keys = after?.keys ?? []
        guard try await store.replace(current?.version, with: pointer, entry: entry) else {
            throw FleetError.refusal(
                "release \(release.sequence) was not created: \(try await newest(order.trusted))"
            )
        }
        return Publication(release: release, envelope: envelope, isWaiting: false)
    }

    /// Refuses keys of which none counts for a release: it would wait for ever.
    private static func checkRoles(_ keys: [Ed25519.SigningKey], in file: KeyFile, for release: Release) throws {
        let needed: [KeyRole] = release.kind == .rollback ? [.publish, .approve, .rollback] : [.publish, .approve]
        let roles = Set(needed.filter { file.thresholds[$0] ?? 0 > 0 })
        let known = keys.map { KeyFile.identifier(of: $0.publicKey) }
            .map { name in (name, roles: file.keys.first { $0.identifier == name }?.roles) }
        guard !known.contains(where: { $0.roles.map { !$0.isDisjoint(with: roles) } ?? false }) else { return }
        let problems = known.map { name, own in
            guard let own else { return "\(name) is not in the key file" }
            return "\(name) has the role \(own.map(\.rawValue).sorted().joined(separator: ", "))"
        }
        throw FleetError.refusal("no key may sign this release: \(problems.joined(separator: "; "))")
    }

    /// The release that another publisher or conductor has just written, in words.
    private func newest(_ keys: KeyFile) async throws -> String {
        guard let pointer = try await store.current()?.trusted(by: keys) else {
            return "the pointer was removed meanwhile"
        }
        let (release, progress) = (pointer.release, pointer.progress)
        let message = release.message.isEmpty ? "" : ", \"\(release.message)\""
        return
            "meanwhile \(progress.by) wrote release \(release.sequence) of \(release.author)\(message), \(progress.state.rawValue)"
    }
}
#endif
