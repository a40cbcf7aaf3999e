#if Gateway
import Shunt
import Synchronization

/// An upstream group and its servers.
final class PeerGroup: Sendable {
    let name: String
    let method: UpstreamGroup.Method
    /// The most connections to its servers that may be idle on this loop; nil for any number.
    let idleLimit: Int?
    /// The limits for reusing connections to its servers.
    let reuse: UpstreamGroup.Reuse
    let usual: PeerList
    let backup: PeerList
    /// The place where the servers are on the circle of `hash … consistent`; nil for another method.
    let ring: HashRing?
    /// Held while a server is chosen: no two requests have the same turn.
    let choice = Mutex(())

    /// - Parameters:
    ///   - group: Its part of the rules.
    ///   - prepared: Where each of its servers is, and the circle.
    ///   - before: The group of that name in the rules before, whose servers keep their state.
    init(_ group: UpstreamGroup, _ prepared: PeerTable.Group, continuing before: PeerGroup?) {
        name = group.name
        method = group.method
        idleLimit = group.idleConnections
        reuse = group.reuse
        var usual: [PeerList.Member] = []
        var backup: [PeerList.Member] = []
        for (server, places) in zip(group.servers, prepared.addresses) {
            for place in places {
                let known = (server.isBackup ? before?.backup : before?.usual)?.members ?? []
                let taken = server.isBackup ? backup : usual
                let kept = known.first { member in
                    member.peer.address == place && !taken.contains { $0.peer === member.peer }
                }
                let member = PeerList.Member(peer: kept?.peer ?? Peer(place, weight: server.weight), server: server)
                if server.isBackup { backup.append(member) } else { usual.append(member) }
            }
        }
        self.usual = PeerList(usual)
        self.backup = PeerList(backup)
        ring = prepared.ring
    }

    /// Returns true if one of its servers is at a place.
    func has(_ place: UpstreamEndpoint.Place) -> Bool {
        (usual.members + backup.members).contains { $0.peer.address.place == place }
    }

    /// True if there is one server only: it is asked even when it has failed, and once.
    var isSingle: Bool { usual.members.count == 1 && backup.members.isEmpty }
}

/// The upstream groups of the rules, which all event loops share as nginx's workers share a `zone`.
struct GroupTable: Sendable {
    private var groups: [String: PeerGroup] = [:]

    /// No groups.
    init() {}

    /// The groups of a rule set.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - prepared: The addresses of the servers of each group.
    ///   - before: The groups whose servers keep their state.
    init(_ ruleSet: RuleSet, _ prepared: [PeerTable.Group], continuing before: GroupTable) {
        for (group, prepared) in zip(ruleSet.upstreamGroups, prepared) {
            groups[group.name] = PeerGroup(group, prepared, continuing: before.groups[group.name])
        }
    }

    /// The group of a name in lower case.
    func group(named name: String) -> PeerGroup? { groups[name] }
}
#endif
