package import ShuntCore

/// The `ssl_*` directives of a server for TLS that ends here.
package struct TLSSettings: Sendable, Hashable {
    package enum Version: String, Sendable, Hashable, CaseIterable, Comparable {
        case ssl2 = "SSLv2"
        case ssl3 = "SSLv3"
        case tls10 = "TLSv1"
        case tls11 = "TLSv1.1"
        case tls12 = "TLSv1.2"
        case tls13 = "TLSv1.3"

        package static func < (first: Version, second: Version) -> Bool {
            allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
        }
    }

    /// The files of the certificates and their chains, as written.
    package var certificates: [[UInt8]] = []
    /// The files of their keys, as written.
    package var keys: [[UInt8]] = []
    /// The file with the passwords of keys.
    package var passwordFile: [UInt8]?
    /// The versions that clients may use.
    ///
    /// Source: https://nginx.org/en/docs/http/ngx_http_ssl_module.html#ssl_protocols
    package var versions: Set<Version> = [.tls12, .tls13]
    /// True if handshakes for the server are refused.
    package var rejectsHandshakes = false
    /// The place where the last of the directives is.
    package var position: SourcePosition = .none

    package init() {}
}
