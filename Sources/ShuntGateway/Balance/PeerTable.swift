#if Gateway
import Shunt
import Synchronization

/// Where the servers of a rule set's upstream groups are, and the circles of `hash … consistent`: found once, when the rules are loaded.
///
/// Looking up may block, and a circle takes time, so no event loop does it.
final class PeerTable: Sendable {
    /// What a group needs besides what the rules say of it.
    struct Group: Sendable {
        /// The addresses of each server.
        let addresses: [[PeerAddress]]
        /// Where the servers are on the circle of `hash … consistent`; nil for another method.
        let ring: HashRing?

        init(_ group: UpstreamGroup, _ addresses: [[PeerAddress]]) {
            self.addresses = addresses
            ring = group.method == .consistentKey ? HashRing(group.servers.filter { !$0.isBackup }) : nil
        }
    }

    private struct Entry {
        let ruleSet: RuleSet
        let groups: [Group]
    }

    /// Those of the newest set and of the one before it.
    private let entries = Mutex<[Entry]>([])
    private let lookUp: @Sendable (String) -> [String]

    /// Makes a table that looks names up by a function.
    init(lookUp: @escaping @Sendable (String) -> [String] = { AddressLookup.addresses(of: $0) }) {
        self.lookUp = lookUp
    }

    /// Looks up the names of a set that is about to be used.
    ///
    /// - Throws: An error for each name that has no address, with its place.
    func prepare(_ ruleSet: RuleSet, replacing current: RuleSet?) throws(RuleSetError) {
        var known: [String: [String]] = [:]
        var problems: [Diagnostic] = []
        let groups = ruleSet.program.tables.upstreamGroups.map { group in
            let addresses = group.servers.map { server in
                let found = Self.addresses(of: server) { name in
                    if let found = known[name] { return found }
                    let found = lookUp(name)
                    known[name] = found
                    return found
                }
                if found.isEmpty {
                    problems.append(
                        ruleSet.error(
                            "unknown-host",
                            "the host of this server has no address",
                            at: server.position,
                            suggestion: "correct the name, or add \"resolve\" to look it up for each connection"
                        )
                    )
                }
                return found
            }
            return Group(group, addresses)
        }
        guard problems.isEmpty else { throw RuleSetError(diagnostics: problems) }
        entries.withLock { entries in
            // A set that is refused after this leaves its entry behind until the next one comes.
            entries.removeAll { $0.ruleSet !== current }
            entries.append(Entry(ruleSet: ruleSet, groups: groups))
        }
    }

    /// The groups of a set, with names for addresses where it is none of the last two.
    func groups(of ruleSet: RuleSet) -> [Group] {
        let found = entries.withLock { entries in entries.first { $0.ruleSet === ruleSet }?.groups }
        return found
            ?? ruleSet.program.tables.upstreamGroups.map { group in
                Group(group, group.servers.map { Self.addresses(of: $0, lookUp: { [$0] }) })
            }
    }

    private static func addresses(
        of server: UpstreamGroup.Server,
        lookUp: (String) -> [String]
    ) -> [PeerAddress] {
        switch server.address {
        case .unix(let path): return [PeerAddress(place: .unix(path), name: "localhost")]
        case .host(let host, let port):
            let isAddress = host.contains(":") || host.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
            if isAddress || server.isResolved { return [PeerAddress(place: .host(host, port: port), name: host)] }
            return lookUp(host).map { PeerAddress(place: .host($0, port: port), name: host) }
        }
    }
}
#endif
