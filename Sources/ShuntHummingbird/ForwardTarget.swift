#if Hummingbird
package import Shunt

/// The URL of a forwarded request taken apart as a server or a client sends it on.
package struct ForwardTarget {
    /// The statuses that headers without `always` are for, as in nginx.
    package static let usualStatuses: Set<Int> = [200, 201, 204, 206, 301, 302, 303, 304, 307, 308]

    /// The scheme in lower case.
    package let scheme: String
    /// The host and port; empty where the URL has none.
    package let authority: ArraySlice<UInt8>
    /// The path and the arguments, at least `/`, without the fragment.
    package let path: ArraySlice<UInt8>

    /// Whether the scheme is `http` or `https`.
    package var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Takes the URL of a decision apart; nil when there is none, or it has no scheme.
    package init?(_ decision: Decision) {
        guard let url = decision.url else { return nil }
        self.init(url)
    }

    /// Takes the URL of a decision apart, of which it keeps a copy; nil when there is none, or it has no scheme.
    package init?(_ decision: borrowing DecisionView) {
        guard let url = decision.withURL({ Array(copying: $0) }) else { return nil }
        self.init(url)
    }

    /// Takes a URL apart; nil when it has no scheme.
    package init?(_ url: [UInt8]) {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        scheme = String(decoding: url[..<colon].map { $0.isASCIIUppercase ? $0 | 0x20 : $0 }, as: UTF8.self)
        var rest = url[(colon + 1)...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
        guard rest.starts(with: "//".utf8) else {
            authority = []
            path = rest
            return
        }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        authority = rest[..<end]
        if end == rest.endIndex {
            path = [UInt8(ascii: "/")]
        } else if rest[end] == UInt8(ascii: "?") {
            path = [UInt8(ascii: "/")] + rest[end...]
        } else {
            path = rest[end...]
        }
    }
}
#endif
