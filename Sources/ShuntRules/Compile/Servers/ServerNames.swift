import ShuntPatterns

/// The names of the servers of one address, the first of equal ones winning as it does in nginx.
///
/// A name such as `.example.com` takes both `example.com` and `*.example.com`. Where one of them is taken already nginx
/// ignores the whole name, but `example.com` then stays taken if it was free.
struct ServerNames {
    /// The names that count.
    private(set) var table = HostTableBuilder()
    private var taken: [HostNamePattern: ServerIndex] = [:]

    /// Enters a name for a server unless another has it.
    mutating func add(_ bytes: [UInt8], server: ServerIndex) -> TableInsertion {
        guard let name = HostNamePattern(bytes) else { return .malformed }
        for kind in name.kind == .domain ? [.exact, .subdomains] : [name.kind] {
            var part = name
            part.kind = kind
            if let other = taken[part] { return .duplicate(other.number) }
            taken[part] = server
        }
        return table.add(bytes.span, value: server.number)
    }
}
