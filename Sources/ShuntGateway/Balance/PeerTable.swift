#if Gateway
import Shunt
import Synchronization

/// The place where the servers of a rule set's upstream groups are, and the circles of `hash … consistent`: found once,
/// when the rules are loaded.
///
/// Looking up may block, and a circle takes time, so no event loop does it.
final class PeerTable: Sendable {
    /// The state of a group except for its rules.
    struct Group: Sendable {
        /// The addresses of each server.
        var addresses: [[PeerAddress]]
        /// The place where the servers are on the circle of `hash … consistent`; nil for another method.
        let ring: HashRing?

        init(_ group: UpstreamGroup, _ addresses: [[PeerAddress]]) {
            self.addresses = addresses
            ring = group.method == .consistentKey ? HashRing(group.servers.filter { !$0.isBackup }) : nil
        }
    }

    private struct Entry {
        let ruleSet: RuleSet
        let groups: [Group]
        let table: GroupTable

        init(_ ruleSet: RuleSet, _ groups: [Group], continuing before: GroupTable?) {
            self.ruleSet = ruleSet
            self.groups = groups
            table = GroupTable(ruleSet, groups, continuing: before ?? GroupTable())
        }
    }

    /// Those of the newest set and of the one before it.
    private let entries = Mutex<[Entry]>([])
    private let changes = Atomic<Int>(0)
    /// The addresses of names.
    let names: NameTable

    /// Creates a table that looks names up in another one.
    init(_ names: NameTable = NameTable()) { self.names = names }

    /// The number of times that addresses changed under the same rules.
    var version: Int { changes.load(ordering: .acquiring) }

    /// Looks up the names of a set that is about to be used, all at once.
    ///
    /// - Parameters:
    ///   - ruleSet: The set.
    ///   - current: The set in use.
    ///   - allowsMissing: True if servers without an address are out of use until they have one.
    /// - Throws: An error for each name that has no address, with its place.
    func prepare(_ ruleSet: RuleSet, replacing current: RuleSet?, allowsMissing: Bool = false) throws(RuleSetError) {
        let known = names.find(ruleSet.serverNames)
        var problems: [Diagnostic] = []
        let groups = ruleSet.upstreamGroups.map { group in
            let addresses = group.servers.map { server in
                let found = Self.addresses(of: server) { known[$0] ?? [] }
                if found.isEmpty, !allowsMissing {
                    problems.append(
                        ruleSet.error(
                            .unknownHost,
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
            // A set that is refused after this leaves its entry there until the next one comes.
            entries.removeAll { $0.ruleSet !== current }
            entries.append(Entry(ruleSet, groups, continuing: entries.first?.table))
        }
    }

    /// The groups of a set, with names for addresses unless it is one of the last two.
    func groups(of ruleSet: RuleSet) -> [Group] {
        let found = entries.withLock { entries in entries.first { $0.ruleSet === ruleSet }?.groups }
        return found
            ?? ruleSet.upstreamGroups.map { group in
                Group(group, group.servers.map { Self.addresses(of: $0, lookUp: { [$0] }) })
            }
    }

    /// The groups of a set with the state of their servers; a set before the last two continues with the state of the last one.
    func table(of ruleSet: RuleSet) -> GroupTable {
        let (found, last) = entries.withLock { entries in
            (entries.first { $0.ruleSet === ruleSet }?.table, entries.last?.table)
        }
        return found ?? GroupTable(ruleSet, groups(of: ruleSet), continuing: last ?? GroupTable())
    }

    /// Looks up the names of the set in use again; a server whose name has no address now keeps those that it had.
    ///
    /// - Returns: Whether there is a server without an address.
    func refresh(_ ruleSet: RuleSet) -> Bool {
        let known = names.find(ruleSet.serverNames)
        let before = groups(of: ruleSet)
        var isMissing = false
        let groups = zip(ruleSet.upstreamGroups, before)
            .map { group, before in
                var changed = before
                changed.addresses = zip(group.servers, before.addresses)
                    .map { server, before in
                        let found = Self.addresses(of: server) { known[$0] ?? [] }
                        isMissing = isMissing || found.isEmpty && before.isEmpty
                        return found.isEmpty ? before : found
                    }
                return changed
            }
        guard groups.map(\.addresses) != before.map(\.addresses) else { return isMissing }
        entries.withLock { entries in
            for index in entries.indices where entries[index].ruleSet === ruleSet {
                entries[index] = Entry(ruleSet, groups, continuing: entries[index].table)
            }
        }
        changes.add(1, ordering: .releasing)
        return isMissing
    }

    /// Returns true if a set has a server without an address.
    func isMissing(in ruleSet: RuleSet) -> Bool {
        groups(of: ruleSet).contains { group in group.addresses.contains { $0.isEmpty } }
    }

    private static func addresses(of server: UpstreamGroup.Server, lookUp: (String) -> [String]) -> [PeerAddress] {
        switch server.address {
        case .unix(let path): return [PeerAddress(place: .unix(path), name: "localhost")]
        case .host(let host, let port):
            guard server.lookedUpName != nil else { return [PeerAddress(place: .host(host, port: port), name: host)] }
            return lookUp(host).map { PeerAddress(place: .host($0, port: port), name: host) }
        }
    }
}

extension UpstreamGroup.Server {
    /// The name that is looked up when the rules are loaded; nil for an address, and for a name with `resolve`.
    fileprivate var lookedUpName: String? {
        guard case .host(let host, _) = address, !isResolved else { return nil }
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        return isAddress ? nil : host
    }
}

extension RuleSet {
    /// The names of servers that are looked up when the rules are loaded.
    fileprivate var serverNames: Set<String> {
        Set(upstreamGroups.lazy.flatMap(\.servers).compactMap(\.lookedUpName))
    }
}
#endif
