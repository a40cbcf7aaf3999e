#if Gateway
import Shunt

/// An upstream group as one event loop sees it.
final class PeerGroup {
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

    /// - Parameters:
    ///   - group: What the rules say of it.
    ///   - prepared: Where each of its servers is, and the circle.
    ///   - before: The group of that name in the rules before, whose servers keep their state.
    init(_ group: UpstreamGroup, _ prepared: PeerTable.Group, continuing before: PeerGroup?) {
        name = group.name
        method = group.method
        idleLimit = group.idleConnections
        reuse = group.reuse
        var usual: [Peer] = []
        var backup: [Peer] = []
        for (server, places) in zip(group.servers, prepared.addresses) {
            for place in places {
                let known = (server.isBackup ? before?.backup : before?.usual)?.peers
                let isNew: (Peer) -> Bool = { peer in !(server.isBackup ? backup : usual).contains { $0 === peer } }
                let peer = known?.first { $0.address == place && isNew($0) } ?? Peer(place, server)
                peer.adopt(server)
                if server.isBackup { backup.append(peer) } else { usual.append(peer) }
            }
        }
        self.usual = PeerList(usual)
        self.backup = PeerList(backup)
        ring = prepared.ring
    }

    /// Returns true if one of its servers is at a place.
    func has(_ place: UpstreamEndpoint.Place) -> Bool {
        (usual.peers + backup.peers).contains { $0.address.place == place }
    }

    /// True if there is one server only: it is asked even when it has failed, and once.
    var isSingle: Bool { usual.peers.count == 1 && backup.peers.isEmpty }
}
#endif
