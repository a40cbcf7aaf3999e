#if Fleet
public import Shunt
public import ShuntCore
public import ShuntRelease

/// Makes releases in a tree.
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

        /// Makes an order.
        public init(namespace: String, author: String, message: String, keys: [Ed25519.SigningKey]) {
            self.namespace = namespace
            self.author = author
            self.message = message
            self.keys = keys
        }
    }

    /// Where releases go.
    public let tree: ReleaseTree

    /// Makes a publisher for a tree.
    public init(_ tree: ReleaseTree) { self.tree = tree }

    /// Publishes a rule set as the next release; the pointer is written last.
    ///
    /// The first release of a tree is stable at once: there is nothing to go back to. Another one begins with no node at
    /// all, and a conductor or a person moves it forward.
    ///
    /// - Parameters:
    ///   - rules: The rules, loaded and so without errors.
    ///   - order: Who and what for.
    ///   - date: The calendar time.
    /// - Returns: The release.
    /// - Throws: Where a rollout goes on, there are no rules, or the tree cannot be written.
    public func publish(_ rules: LoadedRules, _ order: Order, date: Timestamp = .now()) throws -> Release {
        guard order.allowsEmpty || !rules.ruleSet.isEmpty else { throw FleetFailure("there are no rules") }
        if let problem = order.rollout.problem { throw FleetFailure(problem) }
        let (manifest, blobs) = try Manifest.cut(RuleFiles.contents(of: rules.archive))
        guard let content = ContentName(rules.ruleSet.contentHash) else {
            throw FleetFailure("the rules have no content hash")
        }
        var release = Release(
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
        let current = try settled(order.namespace)
        try tree.write(manifest, blobs)
        try put(&release, order, after: current, date)
        return release
    }

    /// Publishes a set that the fleet has had as the next release.
    ///
    /// - Parameters:
    ///   - earlier: The release that had the set.
    ///   - order: Who and what for; keys of the role `rollback` are enough for nodes that have had it.
    ///   - date: The calendar time.
    /// - Returns: The release.
    /// - Throws: Where the set is not in the tree any more, or the tree cannot be written.
    public func rollBack(to earlier: Release, _ order: Order, date: Timestamp = .now()) async throws -> Release {
        if let problem = order.rollout.problem { throw FleetFailure(problem) }
        _ = try await tree.manifest(earlier.set, limit: Manifest.Limits().manifestBytes)
        guard let current = try tree.currentPointer() else { throw FleetFailure("\(tree.path) has no releases") }
        var release = earlier
        release.kind = .rollback
        release.created = date
        release.expires = nil
        release.author = order.author
        release.message = order.message
        release.rollout = order.rollout
        try put(&release, order, after: current, date)
        return release
    }

    /// The pointer, where no rollout goes on.
    private func settled(_ namespace: String) throws -> ReleasePointer? {
        guard let pointer = try tree.currentPointer() else { return nil }
        let release = try Release(decoding: pointer.release.payload)
        guard release.namespace == namespace else {
            throw FleetFailure("\(tree.path) has the releases of \"\(release.namespace)\"")
        }
        guard [.done, .aborted].contains(pointer.progress.state) else {
            throw FleetFailure("release \(release.sequence) is still \(pointer.progress.state.rawValue)")
        }
        return pointer
    }

    private func put(_ release: inout Release, _ order: Order, after: ReleasePointer?, _ date: Timestamp) throws {
        if let after {
            release.parent = try Release(decoding: after.release.payload).sequence
            release.sequence = release.parent + 1
        }
        var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        for key in order.keys {
            let identifier = KeyFile.identifier(of: key.publicKey)
            envelope.signatures.append(
                Envelope.Signature(key: identifier, bytes: try key.sign(envelope.signedBytes))
            )
        }
        let progress = RolloutProgress(
            state: after == nil ? .done : .running,
            since: date,
            by: order.author,
            reason: order.message
        )
        var pointer = ReleasePointer(release: envelope, stable: after?.stable ?? envelope, progress: progress)
        pointer.poison = after?.poison
        pointer.keys = after?.keys ?? []
        try tree.write(pointer)
    }
}
#endif
