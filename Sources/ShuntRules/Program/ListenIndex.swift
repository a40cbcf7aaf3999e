import ShuntCore

/// Finds the `listen` that a request arrived at.
struct ListenIndex: Sendable {
    /// The groups of each port, in order.
    private let byPort: [Int32: [TableIndex<ListenGroup>]]
    private let bySocket: [Socket: TableIndex<ListenGroup>]

    private struct Socket: Hashable {
        var host: SocketName.Host
        var port: Int32
    }

    init(_ groups: Table<ListenGroup>) {
        var byPort: [Int32: [TableIndex<ListenGroup>]] = [:]
        var bySocket: [Socket: TableIndex<ListenGroup>] = [:]
        for (index, group) in groups.enumerated() {
            let number = TableIndex<ListenGroup>(index)
            byPort[group.port, default: []].append(number)
            bySocket[Socket(host: group.host, port: group.port)] = number
        }
        self.byPort = byPort
        self.bySocket = bySocket
    }

    /// The group for an address as text, without brackets, and a port; nil when none has the port.
    ///
    /// A single address comes before every address of its family. Without an address, and for one that no group
    /// is for, the group for every address is taken, of IPv4 first, else none; with no address at all, the first.
    func group(at address: String?, port: Int) -> TableIndex<ListenGroup>? {
        if let address, address.hasPrefix("unix:") {
            let path = Array(address.utf8.dropFirst(5))
            return bySocket[Socket(host: .path(path), port: 0)]
        }
        guard let port = Int32(exactly: port), let groups = byPort[port] else { return nil }
        guard let address else { return groups.first }
        guard address != "*" else { return any(.anyV4, second: .anyV6, port: port) ?? groups.first }
        guard let parsed = InternetAddress(address) else { return any(.anyV4, second: .anyV6, port: port) }
        // A socket for both families shows IPv4 addresses inside IPv6 ones.
        for candidate in [parsed, parsed.unmapped] {
            if let exact = bySocket[Socket(host: .address(candidate), port: port)] { return exact }
        }
        if case .v4 = parsed.unmapped { return any(.anyV4, second: .anyV6, port: port) }
        return any(.anyV6, second: .anyV4, port: port)
    }

    private func any(_ first: SocketName.Host, second: SocketName.Host, port: Int32) -> TableIndex<ListenGroup>? {
        bySocket[Socket(host: first, port: port)] ?? bySocket[Socket(host: second, port: port)]
    }
}

extension Program {
    /// The `listen` for an address and a port; nil when none is for the port.
    func listen(at address: String?, port: Int) -> TableIndex<ListenGroup>? {
        listenIndex.group(at: address, port: port)
    }
}
