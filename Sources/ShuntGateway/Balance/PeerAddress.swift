#if Gateway
/// The place where a server of an upstream group is asked.
struct PeerAddress: Sendable, Hashable {
    let place: UpstreamEndpoint.Place
    /// The name that the rules have for it, which certificates are checked for.
    let name: String

    /// The beginning of a URL of it, as logs have it.
    func base(scheme: String) -> String { "\(scheme)://\(place)" }
}
#endif
