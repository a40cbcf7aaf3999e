import ShuntCore

/// The one document of a namespace that changes: which release is rolled out, which is stable, and how far the rollout is.
///
/// It is not signed. A lie in it can hold back, skip stages, or name another release that is signed and above a node's floor.
public struct ReleasePointer: Sendable, Hashable {
    /// The most bytes of its JSON text.
    public static let longest = 64 << 10
    /// The most key files that it carries.
    public static let mostKeyFiles = 4

    /// The release that is being rolled out.
    public var release: Envelope
    /// The release that every node may have.
    public var stable: Envelope
    /// The progress of the rollout.
    public var progress: RolloutProgress
    /// Sets that no node may use, signed.
    public var poison: Envelope?
    /// Key files that follow the first file of nodes, each signed by the one before it.
    public var keys: [Envelope]

    /// Makes a pointer.
    public init(
        release: Envelope,
        stable: Envelope,
        progress: RolloutProgress,
        poison: Envelope? = nil,
        keys: [Envelope] = []
    ) {
        self.release = release
        self.stable = stable
        self.progress = progress
        self.poison = poison
        self.keys = keys
    }

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1,
            "release": release.object,
            "stable": stable.object,
            "progress": progress.object,
            "poison": JSONText(poison?.encoded),
            "keys": keys.map(\.object),
        ]
        return object.bytes
    }

    /// Reads a pointer, any bytes at all; nothing in it is verified.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "pointer", limit: Self.longest)
        release = try Envelope(try fields.object("release"))
        stable = try Envelope(try fields.object("stable"))
        progress = try RolloutProgress(try fields.object("progress"))
        poison = nil
        if let poison = try fields.optionalObject("poison") { self.poison = try Envelope(poison) }
        keys = []
        for envelope in try fields.objects("keys", limit: Self.mostKeyFiles) { keys.append(try Envelope(envelope)) }
    }
}
