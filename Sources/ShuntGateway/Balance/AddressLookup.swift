#if Gateway
import Glibc

/// The addresses of a host's name, as the system knows them.
enum AddressLookup {
    /// Looks a name up; blocks until there is an answer.
    ///
    /// - Returns: The addresses in the system's order; none where the name is unknown.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var result: [String] = []
        var entry = unsafe first
        while let current = unsafe entry {
            if let text = unsafe text(of: current.pointee), !result.contains(text) { result.append(text) }
            unsafe entry = current.pointee.ai_next
        }
        return result
    }

    /// An address as text.
    ///
    /// The pointer is to a structure of `ai_addrlen` bytes that lives until `freeaddrinfo`, and `getnameinfo`
    /// writes no more than it has room for.
    private static func text(of entry: addrinfo) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            entry.ai_addr,
            entry.ai_addrlen,
            &bytes,
            socklen_t(bytes.count),
            nil,
            0,
            NI_NUMERICHOST
        )
        guard status == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
