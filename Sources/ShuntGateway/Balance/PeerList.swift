#if Gateway
import Shunt

/// The usual servers of an upstream group, or its backup servers.
///
/// Chooses as nginx does, request by request, so that the same requests and failures lead to the same servers.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html
struct PeerList: Sendable {
    /// A server of the rules at one of its addresses.
    struct Member: Sendable {
        let peer: Peer
        let server: UpstreamGroup.Server

        /// Returns true if it may be asked at a time.
        func isUsable(at now: Int64) -> Bool { peer.isUsable(as: server, at: now) }
    }

    let members: [Member]
    let totalWeight: Int

    init(_ members: [Member]) {
        self.members = members
        totalWeight = members.reduce(0) { $0 + $1.server.weight }
    }

    /// The number of servers that are not marked `down`.
    var availableCount: Int { members.count { !$0.server.isDown } }

    /// The next one by weights: each gets its share, spread as evenly as can be.
    func byWeight(except tried: Set<Int>, at now: Int64) -> Int? {
        pick(at: now) { !tried.contains($0) && members[$0].isUsable(at: now) }
    }

    /// The next one by weights of those that the rules have a name for.
    func named(_ name: String, except tried: Set<Int>, at now: Int64) -> Int? {
        pick(at: now) { !tried.contains($0) && members[$0].server.name == name && members[$0].isUsable(at: now) }
    }

    /// The one with the fewest requests for its weight; by weights among several.
    func byConnections(except tried: Set<Int>, at now: Int64) -> Int? {
        let free = members.indices.filter { !tried.contains($0) && members[$0].isUsable(at: now) }
        let loads = free.map { (index: $0, count: members[$0].peer.connections, weight: members[$0].server.weight) }
        guard let least = loads.min(by: { $0.count * $1.weight < $1.count * $0.weight }) else { return nil }
        let equals = loads.filter { $0.count * least.weight == least.count * $0.weight }.map(\.index)
        return equals.count == 1 ? least.index : pick(at: now, among: equals.contains)
    }

    /// Adds to every candidate its share of the turn, and the turn to the candidate that has waited most.
    private func pick(at now: Int64, among isCandidate: (Int) -> Bool) -> Int? {
        var best: (index: Int, turn: Int)?
        var total = 0
        for index in members.indices where isCandidate(index) {
            let (turn, share) = members[index].peer.addShare(of: members[index].server)
            total += share
            if let best, best.turn >= turn { continue }
            best = (index, turn)
        }
        if let best { members[best.index].peer.takeTurn(of: total) }
        return best?.index
    }

    /// The server for a hash of a client's address.
    func by(hash: Int) -> Int? {
        guard totalWeight > 0 else { return nil }
        var rest = hash % totalWeight
        for (index, member) in members.enumerated() {
            if rest < member.server.weight { return index }
            rest -= member.server.weight
        }
        return nil
    }
}
#endif
