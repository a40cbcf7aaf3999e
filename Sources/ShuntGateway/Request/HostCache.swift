#if Gateway
import Shunt

/// The hosts of recent requests: most requests have one of a few.
///
/// Used on its event loop only.
final class HostCache {
    /// A host as the rules see it: one object, for every request holds it.
    final class Known: Sendable {
        let host: HostAndPort
        /// With the port where it is not the usual one.
        let text: String
        let header: RuleRequest.Header

        init(_ host: HostAndPort) {
            self.host = host
            text = host.description
            header = RuleRequest.Header("Host", text)
        }
    }

    private struct Entry {
        let text: [UInt8]
        let usualPort: Int
        let known: Known
    }

    /// The most bytes of a Host that is kept.
    private static let lengthLimit = 128

    private var entries = [Entry?](repeating: nil, count: 32)

    /// The host that the value of a Host header names; nil where it names none.
    func host(_ bytes: Span<UInt8>, usualPort: Int) -> Known? {
        guard bytes.count > 0 else { return nil }
        let place = (Int(bytes[bytes.count - 1] ^ bytes[0] &* 5) &+ bytes.count) & 31
        if let entry = entries[place], entry.usualPort == usualPort, entry.text.span.isSame(as: bytes) {
            return entry.known
        }
        guard let host = HostAndPort(bytes, usualPort: usualPort) else { return nil }
        let known = Known(host)
        if bytes.count <= Self.lengthLimit {
            entries[place] = Entry(text: Array(copying: bytes), usualPort: usualPort, known: known)
        }
        return known
    }
}
#endif
