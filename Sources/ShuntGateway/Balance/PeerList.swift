#if Gateway
import Shunt

/// The usual servers of an upstream group, or its backup servers, for one event loop.
///
/// Chooses as nginx does, request by request, so that the same requests and failures give the same servers.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html
struct PeerList {
    let peers: [Peer]
    let totalWeight: Int

    init(_ peers: [Peer]) {
        self.peers = peers
        totalWeight = peers.reduce(0) { $0 + $1.server.weight }
    }

    /// The number of servers that are not marked `down`.
    var availableCount: Int { peers.count { !$0.server.isDown } }

    /// The next one by weights: each gets its share, spread as evenly as can be.
    func byWeight(except tried: Set<Int>, at now: Int64) -> Int? {
        pick(at: now) { !tried.contains($0) && peers[$0].isUsable(at: now) }
    }

    /// The next one by weights of those that the rules have a name for.
    func named(_ name: String, except tried: Set<Int>, at now: Int64) -> Int? {
        pick(at: now) { !tried.contains($0) && peers[$0].server.name == name && peers[$0].isUsable(at: now) }
    }

    /// The one with the fewest requests for its weight; by weights among several.
    func byConnections(except tried: Set<Int>, at now: Int64) -> Int? {
        var best: Int?
        var isShared = false
        for index in peers.indices where !tried.contains(index) && peers[index].isUsable(at: now) {
            guard let chosen = best else {
                best = index
                continue
            }
            let mine = peers[index].connections * peers[chosen].server.weight
            let least = peers[chosen].connections * peers[index].server.weight
            if mine < least {
                best = index
                isShared = false
            } else if mine == least {
                isShared = true
            }
        }
        guard let best, isShared else { return best }
        let first = peers[best]
        return pick(at: now) { index in
            let peer = peers[index]
            return index >= best && !tried.contains(index) && peer.isUsable(at: now)
                && peer.connections * first.server.weight == first.connections * peer.server.weight
        }
    }

    /// Gives every candidate its share of the turn, and the turn to the one that has waited most.
    private func pick(at now: Int64, among isCandidate: (Int) -> Bool) -> Int? {
        var best: Int?
        var total = 0
        for index in peers.indices where isCandidate(index) {
            let peer = peers[index]
            peer.currentWeight += peer.effectiveWeight
            total += peer.effectiveWeight
            if peer.effectiveWeight < peer.server.weight { peer.effectiveWeight += 1 }
            if let chosen = best, peers[chosen].currentWeight >= peer.currentWeight { continue }
            best = index
        }
        if let best { peers[best].currentWeight -= total }
        return best
    }

    /// The one that a hash of a client's address points at.
    func by(hash: Int) -> Int? {
        guard totalWeight > 0 else { return nil }
        var rest = hash % totalWeight
        for (index, peer) in peers.enumerated() {
            if rest < peer.server.weight { return index }
            rest -= peer.server.weight
        }
        return nil
    }
}
#endif
