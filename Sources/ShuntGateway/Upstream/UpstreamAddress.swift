#if Gateway
import Shunt

/// The scheme, host and port of an upstream: `http://127.0.0.1:3000`.
public struct UpstreamAddress: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host, with its port where it is not the usual one.
    public let authority: String
    /// Where connections go.
    let endpoint: UpstreamEndpoint

    /// Reads a URL; nil unless it is `http://HOST[:PORT]` or `https://HOST[:PORT]`, with or without a slash at the end.
    public init?(_ text: String) {
        let separator = "://"
        let schemes = ["http", "https"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0 + separator) }) else { return nil }
        var rest = text.dropFirst(scheme.count + separator.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let isPlain = rest.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7a, 0x41...0x5a, 0x30...0x39: true
            default: "-._~:[]".utf8.contains(byte)
            }
        }
        guard !rest.isEmpty, isPlain, !rest.hasPrefix(":") else { return nil }
        if !rest.hasSuffix("]"), let colon = rest.lastIndex(of: ":") {
            guard let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else { return nil }
        }
        self.scheme = scheme
        authority = String(rest)
        guard let host = HostAndPort(Array(rest.utf8).span, usualPort: scheme == "https" ? 443 : 80) else { return nil }
        endpoint = UpstreamEndpoint(host, scheme: scheme)
    }

    /// The URL without a path.
    public var description: String { "\(scheme)://\(authority)" }
}
#endif
