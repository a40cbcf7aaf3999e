#if Gateway
import NIOCore
import Shunt
import Synchronization

/// The search for a server that answers one request: which have been asked, and which is next.
///
/// Used on its event loop only.
final class PeerSearch {
    private let group: PeerGroup
    private var tried: Set<Int> = []
    private var usesBackup = false
    /// The number of further servers that may be tried.
    private var remaining: Int
    private var current: PeerList.Member?
    private let network: [UInt8]
    private let key: [UInt8]
    private var hash: Int
    private var hashTries = 0
    private var rehashes = 0

    /// - Parameters:
    ///   - group: The servers.
    ///   - key: The value that `hash` chooses by; for `ip_hash` the address of the client.
    ///   - tries: How many may be asked; 0 for all.
    init(_ group: PeerGroup, key: [UInt8] = [], tries: Int = 0) {
        self.group = group
        self.key = key
        hash =
            switch group.method {
            case .clientAddress: 89
            case .consistentKey: group.ring?.place(of: key) ?? 0
            default: 0
            }
        let all = group.usual.availableCount + group.backup.availableCount
        remaining = tries > 0 ? min(tries, all) : all
        network = group.method == .clientAddress ? Self.network(of: key) : []
    }

    /// A moment in the seconds that servers' failures are counted by.
    static func seconds(_ moment: NIODeadline) -> Int64 { Int64(moment.uptimeNanoseconds / 1_000_000_000) }

    /// The next server; nil where there is none that may be asked.
    func next(at now: Int64) -> PeerAddress? {
        group.choice.withLock { _ in
            var index = choose(in: usesBackup ? group.backup : group.usual, at: now)
            if index == nil, !usesBackup, !group.backup.members.isEmpty {
                usesBackup = true
                tried = []
                index = choose(in: group.backup, at: now)
            }
            guard let index else { return nil }
            let member = (usesBackup ? group.backup : group.usual).members[index]
            tried.insert(index)
            member.peer.begin(as: member.server, at: now)
            current = member
            return member.peer.address
        }
    }

    /// True if a server may be asked after the current one.
    var hasMore: Bool { !group.isSingle && remaining > 1 }

    /// Notes how the request to the current server ended.
    ///
    /// - Returns: Whether another server may be asked, if the request allows it.
    @discardableResult
    func end(failed: Bool, at now: Int64) -> Bool {
        guard let member = current else { return false }
        current = nil
        if group.isSingle {
            member.peer.end()
            return false
        }
        member.peer.end(failed: failed, as: member.server, at: now)
        remaining -= 1
        return remaining > 0
    }

    private func choose(in list: PeerList, at now: Int64) -> Int? {
        if group.isSingle {
            guard let only = list.members.first, tried.isEmpty, !only.server.isDown, !only.peer.isFull(as: only.server)
            else { return nil }
            return 0
        }
        let found: Int? =
            switch group.method {
            case .roundRobin: nil
            case .leastConnections: list.byConnections(except: tried, at: now)
            case .clientAddress: byClient(in: list, at: now)
            case .key: byKey(in: list, at: now)
            case .consistentKey: byRing(in: list, at: now)
            case .random: firstFree(in: list, at: now) { Self.random(in: list) }
            case .randomOfTwo: betterOfTwo(in: list, at: now)
            }
        return found ?? list.byWeight(except: tried, at: now)
    }

    /// Returns the first free server of those that `next` names; nil once there were too many tries.
    private func firstFree(in list: PeerList, at now: Int64, _ next: () -> Int?) -> Int? {
        while hashTries <= Self.hashLimit {
            if let index = next(), isFree(index, in: list, at: now) { return index }
            hashTries += 1
        }
        return nil
    }

    private func isFree(_ index: Int, in list: PeerList, at now: Int64) -> Bool {
        !tried.contains(index) && list.members[index].isUsable(at: now)
    }

    /// The server of the client's network; another one by the same hash where that one is not to be had.
    private func byClient(in list: PeerList, at now: Int64) -> Int? {
        firstFree(in: list, at: now) {
            for byte in network { hash = (hash * 113 + Int(byte)) % 6271 }
            return list.by(hash: hash)
        }
    }

    /// The server of the key; another one by the key with a number where that one is not to be had.
    private func byKey(in list: PeerList, at now: Int64) -> Int? {
        guard !key.isEmpty else { return nil }
        return firstFree(in: list, at: now) {
            var sum = Checksum()
            if rehashes > 0 { sum.add(Array("\(rehashes)".utf8)) }
            sum.add(key)
            hash += Int(sum.value >> 16 & 0x7fff)
            rehashes += 1
            return list.by(hash: hash)
        }
    }

    /// The server that follows the key on the circle; the next one where that one is not to be had.
    private func byRing(in list: PeerList, at now: Int64) -> Int? {
        guard !key.isEmpty, let ring = group.ring else { return nil }
        return firstFree(in: list, at: now) {
            if let name = ring.server(at: hash), let index = list.named(name, except: tried, at: now) { return index }
            hash += 1
            return nil
        }
    }

    /// Returns the server of two that has fewer requests for its weight.
    private func betterOfTwo(in list: PeerList, at now: Int64) -> Int? {
        var first: Int?
        return firstFree(in: list, at: now) {
            guard let index = Self.random(in: list), index != first, isFree(index, in: list, at: now) else {
                return nil
            }
            guard let known = first else {
                first = index
                return nil
            }
            let (one, other) = (list.members[known], list.members[index])
            let isBetter = other.peer.connections * one.server.weight <= one.peer.connections * other.server.weight
            return isBetter ? index : known
        }
    }

    private static func random(in list: PeerList) -> Int? {
        list.totalWeight > 0 ? list.by(hash: Int.random(in: 0..<list.totalWeight)) : nil
    }

    /// The number of times a hash is tried before the next server by weights is taken.
    private static let hashLimit = 20

    /// The bytes that stand for a client: three of an IPv4 address, all of an IPv6 address.
    private static func network(of client: [UInt8]) -> [UInt8] {
        switch InternetAddress(parsing: client.span) {
        case .v4(let number): [24, 16, 8].map { UInt8(truncatingIfNeeded: number >> $0) }
        case .v6(let high, let low):
            (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - 8 * ($0 % 8))) }
        case nil: [0, 0, 0]
        }
    }
}
#endif
