#if Fleet
import ShuntCore

/// The operations of a person on a rollout: each is one write in place of the pointer that was read.
public struct FleetSteering: Sendable {
    private let store: any ReleaseStore
    private let trusted: KeyFile
    private let by: String
    private let reason: String

    /// The number of times a write is repeated after another writer was first.
    private static let attempts = 5

    /// Makes the hand of a person, with name and reason for the history.
    ///
    /// A pointer that is not signed as the key file that nodes got first requires is not changed.
    public init(_ store: any ReleaseStore, trusted: KeyFile, by: String, reason: String) {
        self.store = store
        self.trusted = trusted
        self.by = by
        self.reason = reason
    }

    /// Stops a rollout where it is; throws where no rollout runs.
    @discardableResult
    public func pause() async throws -> TrustedPointer {
        try await change(.paused) { pointer in
            guard pointer.progress.state == .running else { throw Self.wrong(pointer) }
            pointer.progress.state = .paused
        }
    }

    /// Resumes a paused rollout in its stage, which has to be quiet again; throws where none is paused.
    @discardableResult
    public func resume() async throws -> TrustedPointer {
        try await change(.resumed) { pointer in
            guard pointer.progress.state == .paused else { throw Self.wrong(pointer) }
            pointer.progress.state = .running
            pointer.progress.callAgain()
        }
    }

    /// Takes a release back: every node goes to the stable one; throws where no rollout is running or paused.
    @discardableResult
    public func abort() async throws -> TrustedPointer {
        try await change(.aborted) { pointer in
            guard [.running, .paused].contains(pointer.progress.state) else { throw Self.wrong(pointer) }
            pointer.progress.state = .aborted
            pointer.progress.threshold = nil
            pointer.progress.nodes = []
        }
    }

    /// Leaves nodes out of what is counted in the rollout in progress, or counts them again.
    ///
    /// - Throws: Where no rollout runs, or there are more nodes than a pointer may name.
    @discardableResult
    public func exclude(_ nodes: [String], isUndone: Bool = false) async throws -> TrustedPointer {
        if let wrong = nodes.first(where: { !FleetName.isValid($0) }) {
            throw FleetError.refusal("\"\(wrong)\" is not a node")
        }
        return try await change(.excluded, what: nodes.joined(separator: ", ")) { pointer in
            guard [.running, .paused].contains(pointer.progress.state) else { throw Self.wrong(pointer) }
            var excluded = Set(pointer.progress.excluded)
            if isUndone { excluded.subtract(nodes) } else { excluded.formUnion(nodes) }
            guard excluded.count <= RolloutProgress.mostNodes else {
                throw FleetError.refusal("more than \(RolloutProgress.mostNodes) nodes would be excluded")
            }
            pointer.progress.excluded = excluded.sorted()
        }
    }

    /// Puts sets on the list that no node may use, or takes them off, with keys of the role `rollback`.
    ///
    /// - Throws: Where the keys are not those that nodes ask for, or the list would be too long.
    @discardableResult
    public func poison(
        _ sets: [ContentName],
        isUndone: Bool = false,
        keys: [Ed25519.SigningKey]
    ) async throws -> PoisonList {
        var written = PoisonList(namespace: trusted.namespace, number: 1, sets: [])
        try await change(.poisoned, what: sets.map { String($0.hexadecimal.prefix(12)) }.joined(separator: ", ")) {
            pointer in
            var list = pointer.poison ?? written
            if pointer.poison != nil { list.number += 1 }
            var listed = Set(list.sets)
            if isUndone { listed.subtract(sets) } else { listed.formUnion(sets) }
            guard listed.count <= PoisonList.mostSets else {
                throw FleetError.refusal("the list would have more than \(PoisonList.mostSets) sets")
            }
            list.sets = listed.sorted()
            var envelope = Envelope(payloadType: PoisonList.payloadType, payload: list.encoded)
            try envelope.sign(with: keys)
            written = try pointer.take(poison: envelope, Ed25519())
        }
        return written
    }

    /// Publishes for nodes the key file that follows theirs, signed by the threshold of the one before; throws if they
    /// would refuse it.
    @discardableResult
    public func replaceKeys(_ envelope: Envelope) async throws -> KeyFile {
        try await change(.keys) { pointer in
            guard pointer.document.keys.count < ReleasePointer.mostKeyFiles else {
                throw FleetError.refusal(
                    "the pointer has \(ReleasePointer.mostKeyFiles) key files: install number \(pointer.keys.number) on nodes first"
                )
            }
            try pointer.take(keys: envelope, Ed25519())
        }
        .keys
    }

    private static func wrong(_ pointer: TrustedPointer) -> FleetError {
        FleetError.refusal("release \(pointer.release.sequence) is \(pointer.progress.state.rawValue)")
    }

    @discardableResult
    private func change(
        _ action: HistoryEntry.Action,
        what: String = "",
        _ body: (inout TrustedPointer) throws -> Void
    ) async throws -> TrustedPointer {
        for _ in 0..<Self.attempts {
            guard let stored = try await store.current() else { throw FleetError("\(store.name) has no releases") }
            var pointer = try stored.trusted(by: trusted)
            try body(&pointer)
            let isMoved = pointer.progress.state != stored.pointer.progress.state
            let date = Timestamp.now()
            if isMoved {
                pointer.progress.since = date
                pointer.progress.by = by
                pointer.progress.reason = reason
            }
            let text = [what, reason].filter { !$0.isEmpty }.joined(separator: ": ")
            let entry = HistoryEntry(sequence: pointer.release.sequence, action: action, by: by, at: date, reason: text)
            if try await store.replace(stored.version, with: pointer.document, entry: entry) { return pointer }
        }
        throw FleetError("\(store.name): others wrote \(Self.attempts) times meanwhile")
    }
}
#endif
