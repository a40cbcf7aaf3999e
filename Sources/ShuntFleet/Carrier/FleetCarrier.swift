#if Fleet

/// A carrier of releases to nodes: it is trusted with nothing but carrying bytes.
///
/// The receiver of its content checks the SHA-256 or the signatures.
public protocol FleetCarrier: Sendable {
    /// The name, for people.
    var name: String { get }

    /// The current pointer.
    func pointer() async throws -> [UInt8]

    /// Waits until there may be another pointer than one that was seen; nil: than none.
    ///
    /// A carrier without events for changes waits until the task is cancelled, and the pointer is read from time to
    /// time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func changed(since seen: [UInt8]?) async throws

    /// The manifest of a set, of at most `limit` bytes.
    func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8]

    /// A blob, of at most `limit` bytes.
    func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8]

    /// Passes on what a node reports about itself, where the carrier can.
    func report(_ status: NodeStatus) async throws
}

extension FleetCarrier {
    /// Waits until the task is cancelled.
    public func changed(since seen: [UInt8]?) async throws {
        while true { try await Task.sleep(for: .seconds(86_400)) }
    }

    /// Reports to no one.
    public func report(_ status: NodeStatus) async throws {}
}
#endif
