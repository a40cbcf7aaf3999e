#if Gateway
/// The place where a server of an upstream group is asked.
struct PeerAddress: Sendable, Hashable {
    let place: UpstreamEndpoint.Place
    /// The name that the rules have for it, which certificates are checked for.
    let name: String
}
#endif
