#if Gateway
import ShuntRules

/// The circle of `hash … consistent`: each server has 160 points on it for each part of its weight, and a key is for the server of the
/// point that follows it.
///
/// The points are those of nginx and of Cache::Memcached::Fast, so that all of them choose the same servers. Above a number of points
/// each server has its share of that number: a weight in a rule file costs no more memory and time than many servers.
struct HashRing: Sendable {
    private struct Point {
        let hash: UInt32
        let server: UInt32
    }

    private static let pointsOfWeight = 160
    /// The most points, but for one of each server: those of weights with a sum of 3,276.
    static let mostPoints = 1 << 19

    private let points: [Point]
    /// The names of servers, as they are written.
    private let names: [String]

    /// Creates the circle of a group's usual servers.
    init(_ servers: [UpstreamGroup.Server]) {
        names = servers.map(\.name)
        let weight = servers.reduce(0) { $0 + $1.weight }
        var points: [Point] = []
        points.reserveCapacity(min(weight, Self.mostPoints / Self.pointsOfWeight) * Self.pointsOfWeight)
        for (number, server) in servers.enumerated() {
            let (host, port) = Self.parts(server.name)
            var base = Checksum()
            base.add(host.utf8)
            base.add([0])
            base.add(port.utf8)
            var previous: UInt32 = 0
            for _ in 0..<Self.points(server.weight, of: weight) {
                var sum = base
                sum.add((0..<4).lazy.map { UInt8(truncatingIfNeeded: previous >> (8 * $0)) })
                previous = sum.value
                points.append(Point(hash: previous, server: UInt32(number)))
            }
        }
        points.sort { $0.hash < $1.hash }
        var distinct: [Point] = []
        distinct.reserveCapacity(points.count)
        for point in points where distinct.last?.hash != point.hash { distinct.append(point) }
        self.points = distinct
    }

    /// The number of points.
    var count: Int { points.count }

    /// Returns the number of points of a server.
    private static func points(_ weight: Int, of total: Int) -> Int {
        guard total > mostPoints / pointsOfWeight else { return weight * pointsOfWeight }
        return max(1, Int(Double(weight) / Double(total) * Double(mostPoints)))
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

    /// The name of the server that the point of a number belongs to; after the last one comes the first.
    func server(at place: Int) -> String? {
        points.isEmpty ? nil : names[Int(points[place % points.count].server)]
    }

    /// The host and the port of an address as it is written; the port is empty where there is none.
    private static func parts(_ name: String) -> (host: String, port: String) {
        if name.lowercased().hasPrefix("unix:") { return (String(name.dropFirst(5)), "") }
        let port = name.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
        let host = name.utf8.dropLast(port)
        guard host.last == UInt8(ascii: ":") else { return (name, "") }
        return (String(host.dropLast()) ?? name, String(name.utf8.suffix(port)) ?? "")
    }
}

/// The CRC-32 of zlib and nginx (ISO 3309, bits reversed).
struct Checksum {
    private var state: UInt32 = 0xffff_ffff

    var value: UInt32 { ~state }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xff)] ^ (state >> 8) }
    }

    private static let table: [UInt32] = (0..<256)
        .map { number in
            (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
}
#endif
