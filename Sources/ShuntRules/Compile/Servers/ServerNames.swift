import ShuntPatterns

/// The names of the servers of one address, the first of equal ones winning as it does in nginx.
///
/// A name such as `.example.com` takes both `example.com` and `*.example.com`. Where one of them is taken already nginx
/// ignores the whole name, but `example.com` then stays taken if it was free.
struct ServerNames {
    /// The names that count.
    private(set) var table = HostTableBuilder()
    private var exact: [[UInt8]: ServerIndex] = [:]
    private var leading: [[UInt8]: ServerIndex] = [:]
    private var trailing: [[UInt8]: ServerIndex] = [:]

    /// Gives a name to a server unless another has it.
    mutating func add(_ bytes: [UInt8], server: ServerIndex) -> TableInsertion {
        guard let name = HostNamePattern(bytes) else { return .malformed }
        switch name.kind {
        case .exact:
            if let other = exact[name.literal] { return .duplicate(other.number) }
            exact[name.literal] = server
        case .subdomains:
            if let other = leading[name.literal] { return .duplicate(other.number) }
            leading[name.literal] = server
        case .prefix:
            if let other = trailing[name.literal] { return .duplicate(other.number) }
            trailing[name.literal] = server
        case .domain:
            if let other = exact[name.literal] { return .duplicate(other.number) }
            exact[name.literal] = server
            if let other = leading[name.literal] { return .duplicate(other.number) }
            leading[name.literal] = server
        }
        return table.add(bytes.span, value: server.number)
    }
}
