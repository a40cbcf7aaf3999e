#if Fleet
import ShuntCore

/// The releases of a store that are signed: everything else in its pointer and its history is passed over.
public struct SignedReleases: Sendable {
    private struct Signed: Sendable {
        var release: Release
        var envelope: Envelope
        /// True if the pointer or the history has it as the stable one.
        var wasStable = false
    }

    /// Those with all signatures and without a jump of the number, the newest first.
    private var complete: [Signed] = []
    private let pointer: ReleasePointer
    private let entries: [HistoryEntry]
    private let trusted: KeyFile

    /// Checks what a store has: its pointer and its history, the newest last.
    public init(_ pointer: ReleasePointer, entries: [HistoryEntry], trusted: KeyFile) {
        (self.pointer, self.entries, self.trusted) = (pointer, entries, trusted)
        var files = [trusted]
        for envelope in pointer.keys {
            if let next = try? files[files.count - 1].successor(envelope, Ed25519()) { files.append(next) }
        }
        let done = Set(entries.filter { $0.action == .done }.map(\.sequence))
        var seen: Set<Envelope> = []
        for envelope in [pointer.release, pointer.stable] + entries.reversed().compactMap(\.envelope)
        where seen.insert(envelope).inserted {
            let release = try? TrustedPointer.release(envelope, name: "earlier", keyFiles: files, verifier: Ed25519())
            guard let release else { continue }
            let wasStable = envelope == pointer.stable || done.contains(release.sequence) || release.parent == 0
            complete.append(Signed(release: release, envelope: envelope, wasStable: wasStable))
        }
        let furthest = Release.furthest(from: complete.filter(\.wasStable).map(\.release.sequence).max() ?? 0)
        complete.removeAll { $0.release.sequence > furthest }
    }

    /// The release of a number, one that waits for a signature only if `orWaiting` is true; throws if there is none.
    public func release(
        _ sequence: Int,
        orWaiting: Bool = false,
        in store: any ReleaseStore
    ) throws(FleetError) -> Release {
        if let found = complete.first(where: { $0.release.sequence == sequence }) { return found.release }
        if orWaiting, let envelope = Self.waiting(sequence, entries: entries, keys: trusted),
            let release = try? Release(decoding: envelope.payload)
        {
            return release
        }
        throw FleetError.refusal("\(store.name) has no release \(sequence) that is signed as the keys require")
    }

    /// The last release of a number that waits, if one of the keys has signed it: no one is to sign first what a store has.
    static func waiting(_ sequence: Int, entries: [HistoryEntry], keys: KeyFile) -> Envelope? {
        entries.last { entry in
            entry.action == .waiting && entry.sequence == sequence && entry.release?.sequence == sequence
                && entry.envelope.map { keys.hasSigned($0, Ed25519()) } ?? false
        }?
        .envelope
    }

    /// The longest witness, in bytes, so that two rollbacks still fit into a pointer.
    private static let longestWitness = 8 << 10

    /// Returns the proof for nodes without a set that a rollback to it is allowed: a release published while the set
    /// was stable, or else the release that published it.
    func witness(of set: ContentName) -> Envelope? {
        let published = complete.filter {
            $0.release.kind == .publish && $0.envelope.encoded.count <= Self.longestWitness
        }
        let witness = published.first { $0.release.base == set } ?? published.first { $0.release.set == set }
        return witness?.envelope
    }

    /// A pointer in the place of one that is not signed: the newest release, and the newest that was stable.
    func pointer(by author: String, _ date: Timestamp) throws -> TrustedPointer {
        let ordered = complete.sorted { $0.release.sequence < $1.release.sequence }
        guard let newest = ordered.last, let stable = ordered.last(where: \.wasStable) else {
            throw FleetError.refusal("the history has no release that is signed")
        }
        var restored = pointer
        (restored.release, restored.stable) = (newest.envelope, stable.envelope)
        restored.progress = RolloutProgress(state: .done, since: date, by: author)
        return try TrustedPointer(restored, keys: trusted, Ed25519())
    }
}
#endif
