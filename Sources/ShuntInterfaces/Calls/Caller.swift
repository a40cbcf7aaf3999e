/// The caller.
///
/// The door names it, never the URL.
public struct Caller: Sendable, Hashable {
    /// The door that a call came through.
    @nonexhaustive public enum Kind: String, Sendable, Hashable {
        /// Code of the same process.
        case code
        /// A URL that the system handed over.
        case link
        /// A web page that the program shows.
        case web
        /// The network.
        case network
    }

    /// The door.
    public var kind: Kind
    /// The module, app, page or peer, as far as the platform vouches for it; nil when no one does.
    public var name: String?

    /// Makes a caller.
    public init(_ kind: Kind, name: String? = nil) {
        self.kind = kind
        self.name = name
    }
}
