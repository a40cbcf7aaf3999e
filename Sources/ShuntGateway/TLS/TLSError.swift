#if Gateway
/// The reason why TLS cannot be spoken.
public enum TLSError: Error, Hashable, CustomStringConvertible {
    /// A file with a certificate or key cannot be used: where it is named, the file and what is wrong.
    case unreadable(String, String, String)
    /// The rules ask for something that the gateway does not do, and which must not be missing unnoticed.
    case unsupported(String, String)
    /// The server that the client asks for has no certificate.
    case noCertificate
    /// The server refuses handshakes.
    case rejected

    /// The problem.
    public var description: String {
        switch self {
        case .unreadable(let place, let file, let problem): "\(place): cannot use \(file): \(problem)"
        case .unsupported(let place, let problem):
            "\(place): \(problem); end TLS in front of the gateway, with --listen and --trusted-proxy"
        case .noCertificate: "the server has no ssl_certificate"
        case .rejected: "the server refuses handshakes"
        }
    }
}
#endif
