#if Gateway
import ShuntRules

/// The circle of `hash … consistent`: each server has 160 points on it for each part of its weight, and a key is for the server of the
/// point that follows it.
///
/// The points are those of nginx and of Cache::Memcached::Fast, so that all of them choose the same servers.
struct HashRing {
    private struct Point {
        let hash: UInt32
        let server: String
    }

    private static let pointsOfWeight = 160

    private let points: [Point]

    init(_ peers: [Peer]) {
        var points: [Point] = []
        for peer in peers {
            let (host, port) = Self.parts(peer.server.name)
            var base = Checksum()
            base.add(host.utf8)
            base.add([0])
            base.add(port.utf8)
            var previous: UInt32 = 0
            for _ in 0..<(peer.server.weight * Self.pointsOfWeight) {
                var sum = base
                sum.add((0..<4).map { UInt8(truncatingIfNeeded: previous >> (8 * $0)) })
                previous = sum.value
                points.append(Point(hash: previous, server: peer.server.name))
            }
        }
        points.sort { $0.hash < $1.hash }
        var distinct: [Point] = []
        distinct.reserveCapacity(points.count)
        for point in points where distinct.last?.hash != point.hash { distinct.append(point) }
        self.points = distinct
    }

    /// The number of the point that follows a key.
    func place(of key: [UInt8]) -> Int {
        var sum = Checksum()
        sum.add(key)
        let hash = sum.value
        var (first, last) = (0, points.count)
        while first < last {
            let middle = (first + last) / 2
            if points[middle].hash < hash { first = middle + 1 } else { last = middle }
        }
        return first
    }

    /// The name of the server that the point of a number belongs to; behind the last one comes the first.
    func server(at place: Int) -> String? { points.isEmpty ? nil : points[place % points.count].server }

    /// The host and the port of an address as it is written; the port is empty where there is none.
    private static func parts(_ name: String) -> (host: String, port: String) {
        if name.lowercased().hasPrefix("unix:") { return (String(name.dropFirst(5)), "") }
        let port = name.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
        let host = name.utf8.dropLast(port)
        guard host.last == UInt8(ascii: ":") else { return (name, "") }
        return (String(host.dropLast()) ?? name, String(name.utf8.suffix(port)) ?? "")
    }
}
#endif
