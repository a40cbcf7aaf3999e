#if Fleet
public import ShuntCore

/// Removes manifests and blobs that nothing refers to any more.
///
/// What the pointer, the ten last releases of the history, one that waits for a signature or any node names stays, and so does
/// what is younger than a day: a publisher may just be writing it.
public struct ReleaseCleaning: Sendable {
    /// The number of releases of the history that keep their sets.
    public static let keptReleases = 10
    /// The least age of content that is removed, in seconds.
    public static let leastAge: Int64 = 86_400

    private let store: any ReleaseStore

    /// Makes a cleaner for a store.
    public init(_ store: any ReleaseStore) { self.store = store }

    /// The contents that would be removed now, the manifests first.
    ///
    /// - Throws: If it is unknown what is referred to: nothing is removed then.
    public func unused(_ date: Timestamp = .now()) async throws -> [StoredContent] {
        // Read before what is referred to, so that a release that comes meanwhile is younger than all of it.
        let contents = try await store.contents()
        var sets = try await referredSets()
        let manifests = Set(contents.filter { $0.kind == .manifest }.map(\.name))
        let old = contents.filter { content in
            content.date.map { date.seconds - $0.seconds >= Self.leastAge } ?? false
        }
        // A young manifest may belong to a release that is just made.
        sets.formUnion(manifests.subtracting(old.filter { $0.kind == .manifest }.map(\.name)))
        var blobs: Set<ContentName> = []
        for set in sets where manifests.contains(set) {
            let bytes = try await store.manifest(set, limit: Manifest.Limits().manifestBytes)
            blobs.formUnion(try Manifest(decoding: bytes).blobs)
        }
        return old.filter { content in
            switch content.kind {
            case .manifest: !sets.contains(content.name)
            case .blob: !blobs.contains(content.name)
            }
        }
    }

    /// Removes what is not referred to, and returns it.
    public func clean(_ date: Timestamp = .now()) async throws -> [StoredContent] {
        let unused = try await unused(date)
        for content in unused { try await store.remove(content) }
        return unused
    }

    private func referredSets() async throws -> Set<ContentName> {
        guard let pointer = try await store.current()?.pointer else {
            throw FleetError("\(store.name) has no pointer, so it is not known what is unused")
        }
        var sets: Set<ContentName> = []
        for envelope in [pointer.release, pointer.stable] { sets.insert(try Release(decoding: envelope.payload).set) }
        var kept: Set<Int> = []
        for entry in try await store.history(last: ReleasePublisher.longestHistory).reversed() {
            guard let release = entry.release else { continue }
            let isRecent = kept.contains(release.sequence) || kept.count < Self.keptReleases
            guard isRecent else { break }
            kept.insert(release.sequence)
            sets.insert(release.set)
        }
        for report in try await store.statuses() { sets.insert(report.status.set) }
        return sets
    }
}
#endif
