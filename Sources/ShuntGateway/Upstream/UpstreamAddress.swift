#if Gateway
import Shunt

/// The scheme, host and port of an upstream: `http://127.0.0.1:3000`.
public struct UpstreamAddress: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host, with its port where it is not the usual one.
    public let authority: String
    /// The place where connections go.
    let endpoint: UpstreamEndpoint

    /// Reads a URL; nil unless it is `http://HOST[:PORT]` or `https://HOST[:PORT]`, with or without a slash at the end.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let address = ProxyAddress(bytes.span), !address.isSocket,
            bytes[Int(address.end)...].elementsEqual("/".utf8) || address.end == bytes.count,
            let host = HostAndPort(
                bytes.span.extracting(address.authority.indices),
                usualPort: address.isSecure ? 443 : 80
            )
        else { return nil }
        scheme = address.isSecure ? "https" : "http"
        authority = host.description
        let tls = address.isSecure ? UpstreamTLSPeer(host.plainHost, .verified) : nil
        endpoint = UpstreamEndpoint(host.place(isSecure: address.isSecure), tls: tls)
    }

    /// The URL without a path.
    public var description: String { "\(scheme)://\(authority)" }
}
#endif
