#if Fleet
import ShuntCore
public import ShuntRelease

/// What a person does to a rollout: each is one write in the place of the pointer that was read.
public struct FleetSteering: Sendable {
    private let store: any ReleaseStore
    private let by: String
    private let reason: String

    /// How often a write is tried again after somebody else was first.
    private static let attempts = 5

    /// Makes the hand of a person.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - by: Who it is, for the history.
    ///   - reason: Why, for the history.
    public init(_ store: any ReleaseStore, by: String, reason: String) {
        self.store = store
        self.by = by
        self.reason = reason
    }

    /// Stops a rollout where it is.
    ///
    /// - Returns: The pointer that was written.
    /// - Throws: Where no rollout runs.
    @discardableResult
    public func pause() async throws -> ReleasePointer {
        try await change(.paused) { pointer, sequence in
            guard pointer.progress.state == .running else { throw Self.wrong(pointer, sequence) }
            pointer.progress.state = .paused
        }
    }

    /// Lets a rollout go on in its stage, which has to be quiet anew.
    ///
    /// - Returns: The pointer that was written.
    /// - Throws: Where no rollout is paused.
    @discardableResult
    public func resume() async throws -> ReleasePointer {
        try await change(.resumed) { pointer, sequence in
            guard pointer.progress.state == .paused else { throw Self.wrong(pointer, sequence) }
            pointer.progress.state = .running
            pointer.progress.retry += 1
        }
    }

    /// Takes a release back: every node goes to the stable one.
    ///
    /// - Returns: The pointer that was written.
    /// - Throws: Where no rollout is running or paused.
    @discardableResult
    public func abort() async throws -> ReleasePointer {
        try await change(.aborted) { pointer, sequence in
            guard [.running, .paused].contains(pointer.progress.state) else { throw Self.wrong(pointer, sequence) }
            pointer.progress.state = .aborted
            pointer.progress.threshold = nil
            pointer.progress.nodes = []
        }
    }

    /// Leaves nodes out of what is counted in the rollout that goes on, or counts them again.
    ///
    /// - Returns: The pointer that was written.
    /// - Throws: Where no rollout goes on, or there are more nodes than a pointer may name.
    @discardableResult
    public func exclude(_ nodes: [String], isUndone: Bool = false) async throws -> ReleasePointer {
        if let wrong = nodes.first(where: { !FleetName.isValid($0) }) {
            throw FleetFailure.refusal("\"\(wrong)\" is no node")
        }
        return try await change(.excluded, nodes.joined(separator: ", ")) { pointer, sequence in
            guard [.running, .paused].contains(pointer.progress.state) else { throw Self.wrong(pointer, sequence) }
            var excluded = Set(pointer.progress.excluded)
            if isUndone { excluded.subtract(nodes) } else { excluded.formUnion(nodes) }
            guard excluded.count <= RolloutProgress.mostNodes else {
                throw FleetFailure.refusal("more than \(RolloutProgress.mostNodes) nodes would be excluded")
            }
            pointer.progress.excluded = excluded.sorted()
        }
    }

    /// Puts sets on the list of those that no node may use.
    ///
    /// - Parameters:
    ///   - sets: The sets.
    ///   - isUndone: Whether they are taken off the list instead.
    ///   - keys: Keys of the role `rollback`.
    ///   - trusted: The key file that nodes have.
    /// - Returns: The list that was written.
    /// - Throws: Where the keys are not those that nodes ask for, or the list would be too long.
    @discardableResult
    public func poison(
        _ sets: [ContentName],
        isUndone: Bool = false,
        keys: [Ed25519.SigningKey],
        trusted: KeyFile
    ) async throws -> PoisonList {
        var written = PoisonList(namespace: trusted.namespace, number: 1, sets: [])
        try await change(.poisoned, sets.map { String($0.hexadecimal.prefix(12)) }.joined(separator: ", ")) {
            pointer,
            _ in
            var list = written
            if let envelope = pointer.poison {
                list = try PoisonList.verified(envelope, by: trusted, Ed25519())
                list.number += 1
            }
            var listed = Set(list.sets)
            if isUndone { listed.subtract(sets) } else { listed.formUnion(sets) }
            guard listed.count <= PoisonList.mostSets else {
                throw FleetFailure.refusal("the list would have more than \(PoisonList.mostSets) sets")
            }
            list.sets = listed.sorted()
            var envelope = Envelope(payloadType: PoisonList.payloadType, payload: list.encoded)
            try envelope.sign(with: keys)
            _ = try PoisonList.verified(envelope, by: trusted, Ed25519())
            pointer.poison = envelope
            written = list
        }
        return written
    }

    /// Gives nodes the key file that follows the one that they have.
    ///
    /// - Parameters:
    ///   - envelope: The key file, signed by the threshold of the one before it.
    ///   - trusted: The key file that nodes were given first.
    /// - Returns: The key file.
    /// - Throws: Where nodes would not take it.
    @discardableResult
    public func replaceKeys(_ envelope: Envelope, trusted: KeyFile) async throws -> KeyFile {
        var next = trusted
        try await change(.keys) { pointer, _ in
            var keys = trusted
            for known in pointer.keys { keys = (try? keys.successor(known, Ed25519())) ?? keys }
            next = try keys.successor(envelope, Ed25519())
            guard pointer.keys.count < ReleasePointer.mostKeyFiles else {
                throw FleetFailure.refusal(
                    "there are \(ReleasePointer.mostKeyFiles) key files in the pointer: give nodes number \(keys.number) as their first"
                )
            }
            pointer.keys.append(envelope)
        }
        return next
    }

    private static func wrong(_ pointer: ReleasePointer, _ sequence: Int) -> FleetFailure {
        FleetFailure.refusal("release \(sequence) is \(pointer.progress.state.rawValue)")
    }

    @discardableResult
    private func change(
        _ action: HistoryEntry.Action,
        _ what: String = "",
        _ body: (inout ReleasePointer, Int) throws -> Void
    ) async throws -> ReleasePointer {
        for _ in 0..<Self.attempts {
            guard let stored = try await store.current() else { throw FleetFailure("\(store.name) has no releases") }
            var pointer = stored.pointer
            let sequence = try Release(decoding: pointer.release.payload).sequence
            try body(&pointer, sequence)
            let isMoved = pointer.progress.state != stored.pointer.progress.state
            let date = Timestamp.now()
            if isMoved {
                pointer.progress.since = date
                pointer.progress.by = by
                pointer.progress.reason = reason
            }
            let text = [what, reason].filter { !$0.isEmpty }.joined(separator: ": ")
            let entry = HistoryEntry(sequence: sequence, action: action, by: by, at: date, reason: text)
            if try await store.replace(stored.version, with: pointer, entry: entry) { return pointer }
        }
        throw FleetFailure("\(store.name): others wrote \(Self.attempts) times meanwhile")
    }
}
#endif
