#if Gateway
import NIOHTTP1

/// Headers that are for one connection and not for the next.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
enum HopByHopHeaders {
    static let usual: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// The names of `headers` that are not passed on, in lower case: the usual ones, and those that Connection lists.
    static func names(in headers: HTTPHeaders) -> Set<String> {
        let listed = headers[canonicalForm: "connection"]
        guard !listed.isEmpty else { return usual }
        return usual.union(listed.map { $0.lowercased() })
    }
}
#endif
