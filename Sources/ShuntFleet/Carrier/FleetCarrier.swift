#if Fleet
public import ShuntRelease

/// What brings releases to nodes: it is trusted with nothing but carrying bytes.
///
/// Whoever receives what it brings looks at its SHA-256 or its signatures.
public protocol FleetCarrier: Sendable {
    /// What it is, for people.
    var name: String { get }

    /// The pointer as it stands now.
    func pointer() async throws -> [UInt8]

    /// The manifest of a set, of at most `limit` bytes.
    func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8]

    /// A blob, of at most `limit` bytes.
    func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8]

    /// Tells what a node says about itself, where the carrier can.
    func report(_ status: NodeStatus) async throws
}

extension FleetCarrier {
    /// Tells nobody.
    public func report(_ status: NodeStatus) async throws {}
}
#endif
