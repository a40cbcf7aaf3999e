#if Fleet
public import ShuntCore
public import ShuntRelease

/// A carrier that publishers and conductors write to.
public protocol ReleaseStore: FleetCarrier {
    /// The pointer with the version that it has in the store; nil where there is none yet.
    ///
    /// - Throws: Where there is one that cannot be read.
    func current() async throws -> StoredPointer?

    /// Writes what a set consists of: its blobs, then its manifest.
    ///
    /// What is there already counts as new from now on, so that nobody cleans it up before a pointer names it.
    func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]]) async throws

    /// Puts a pointer in the place of the one of a version, and an entry into the history with it.
    ///
    /// - Parameters:
    ///   - version: The version of the pointer that it comes after; nil: it is only written where there is none.
    ///   - pointer: The new pointer; what it names has to be written before.
    ///   - entry: What was done.
    /// - Returns: False where somebody else was first; nothing is written then.
    /// - Throws: Where the store cannot be written; the pointer is as it was then, unless the answer alone was lost.
    func replace(_ version: UInt64?, with pointer: ReleasePointer, entry: HistoryEntry) async throws -> Bool

    /// Puts an entry into the history alone.
    func record(_ entry: HistoryEntry) async throws

    /// What each node said last, in the order of their names.
    func statuses() async throws -> [NodeReport]

    /// What nodes said last of a release, where the store still knows it: when they came to it.
    func said(of release: Int) async throws -> [NodeStatus]

    /// The last entries of the history, the newest last.
    func history(last: Int) async throws -> [HistoryEntry]

    /// The right to move the pointer forward for as long as the lease is kept; nil where somebody else has it.
    func conductorLease(_ owner: String) async throws -> (any ConductorLease)?

    /// The manifests and blobs that there are.
    func contents() async throws -> [StoredContent]

    /// Removes a manifest or blob.
    func remove(_ content: StoredContent) async throws
}

extension ReleaseStore {
    /// What those nodes said whose last word it was.
    public func said(of release: Int) async throws -> [NodeStatus] {
        try await statuses().map(\.status).filter { $0.sequence == release }
    }
}

/// The pointer as it is in a store.
public struct StoredPointer: Sendable, Hashable {
    /// The pointer.
    public var pointer: ReleasePointer
    /// What tells it from every other pointer that the store had or has.
    public var version: UInt64

    /// Makes a pointer with its version.
    public init(pointer: ReleasePointer, version: UInt64) {
        self.pointer = pointer
        self.version = version
    }

    /// The pointer, if its releases are signed.
    ///
    /// - Parameter keys: The key file that nodes were given first.
    /// - Returns: The pointer with its releases.
    /// - Throws: If one of the releases is not signed as the keys ask.
    public func trusted(by keys: KeyFile) throws(FleetFailure) -> TrustedPointer {
        do {
            return try TrustedPointer(pointer, keys: keys, Ed25519())
        } catch {
            throw FleetFailure.refusal("\(error); shunt fleet rollback --to NUMBER puts a signed one in its place")
        }
    }
}

/// What a node said last.
public struct NodeReport: Sendable, Hashable {
    /// What it said.
    public var status: NodeStatus
    /// Whether it was heard of a short time ago.
    public var isAlive: Bool
    /// How long ago it was heard of; nil where the store does not know.
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
    /// What it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The files of a set.
        case manifest = "sets"
        /// A piece of a file.
        case blob = "blobs"
    }

    /// What it is.
    public var kind: Kind
    /// Its name.
    public var name: ContentName
    /// It was written at this time or before; nil where the store cannot tell that it is not new.
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
    /// Keeps it for some more seconds; to be called every 5.
    ///
    /// - Returns: False where it is lost.
    func renew() async throws -> Bool

    /// Gives it up, so that somebody else may have it at once.
    func end() async
}
#endif
