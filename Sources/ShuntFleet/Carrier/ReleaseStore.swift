#if Fleet
public import ShuntCore

/// A carrier that publishers and conductors write to.
public protocol ReleaseStore: FleetCarrier {
    /// The pointer with the version that it has in the store, nil where there is none yet; throws if it cannot be read.
    func current() async throws -> StoredPointer?

    /// Writes what a set consists of: its blobs, then its manifest.
    ///
    /// What is there already counts as new from now on, so that no one cleans it up before a pointer names it.
    func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]]) async throws

    /// Puts a pointer in the place of the one of a version, and an entry into the history with it.
    ///
    /// - Parameters:
    ///   - version: The version of the pointer that it comes after; nil: it is only written where there is none.
    ///   - pointer: The new pointer; what it names has to be written before.
    ///   - entry: What was done.
    /// - Returns: False where someone else was first; nothing is written then.
    /// - Throws: Where the store cannot be written; the pointer is as it was then, unless the answer alone was lost.
    func replace(_ version: UInt64?, with pointer: ReleasePointer, entry: HistoryEntry) async throws -> Bool

    /// Puts an entry into the history alone.
    func record(_ entry: HistoryEntry) async throws

    /// Returns the last status of each node, in the order of their names.
    func statuses() async throws -> [NodeReport]

    /// Returns the last statuses about a release as far as the store keeps them: when nodes got it.
    func said(of release: Int) async throws -> [NodeStatus]

    /// The last entries of the history, the newest last.
    func history(last: Int) async throws -> [HistoryEntry]

    /// The right to move the pointer forward for as long as the lease is kept; nil where someone else has it.
    func conductorLease(_ owner: String) async throws -> (any ConductorLease)?

    /// The manifests and blobs that there are.
    func contents() async throws -> [StoredContent]

    /// Removes a manifest or blob.
    func remove(_ content: StoredContent) async throws
}

extension ReleaseStore {
    /// Returns the statuses of nodes whose last status is about the release.
    public func said(of release: Int) async throws -> [NodeStatus] {
        try await statuses().map(\.status).filter { $0.sequence == release }
    }
}

/// The pointer as it is in a store.
public struct StoredPointer: Sendable, Hashable {
    /// The pointer.
    public var pointer: ReleasePointer
    /// The version of the pointer, which no other pointer of the store has or had.
    public var version: UInt64

    /// Makes a pointer with its version.
    public init(pointer: ReleasePointer, version: UInt64) {
        self.pointer = pointer
        self.version = version
    }

    /// The pointer; throws if one of its releases is not signed as the first key file of the nodes asks.
    public func trusted(by keys: KeyFile) throws(FleetError) -> TrustedPointer {
        do {
            return try TrustedPointer(pointer, keys: keys, Ed25519())
        } catch {
            throw FleetError.refusal("\(error); shunt fleet rollback --to NUMBER puts a signed one in its place")
        }
    }
}

/// The last status of a node.
public struct NodeReport: Sendable, Hashable {
    /// The status.
    public var status: NodeStatus
    /// True if it was heard of a short time ago.
    public var isAlive: Bool
    /// The time since the node was last heard; nil if the store does not know.
    public var age: Duration?

    /// Makes a report.
    public init(status: NodeStatus, isAlive: Bool, age: Duration? = nil) {
        self.status = status
        self.isAlive = isAlive
        self.age = age
    }
}

/// A manifest or a blob in a store.
public struct StoredContent: Sendable, Hashable {
    /// The kind of entry.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The files of a set.
        case manifest = "sets"
        /// A piece of a file.
        case blob = "blobs"
    }

    /// The kind.
    public var kind: Kind
    /// Its name.
    public var name: ContentName
    /// It was written at this time or before; nil where the store cannot show that it is not new.
    public var date: Timestamp?

    /// Makes a note of content.
    public init(kind: Kind, name: ContentName, date: Timestamp?) {
        self.kind = kind
        self.name = name
        self.date = date
    }
}

/// The right to move a pointer forward.
public protocol ConductorLease: Sendable {
    /// Keeps it for some more seconds, to be called every 5; false where it is lost.
    func renew() async throws -> Bool

    /// Releases it, so that someone else may have it at once.
    func end() async
}
#endif
