/// Creates hostile requests that aim at the literals of a rule set.
package struct RequestGenerator {
    private var random: RandomSource
    private let targets: RequestTargets

    package init(seed: UInt64, rules: RandomRules) {
        random = RandomSource(seed: seed ^ 0x5bd1_e995_0000_0000)
        targets = rules.targets
    }

    package mutating func make() -> OracleRequest {
        var target = path()
        if random.chance(45) { target += [UInt8(ascii: "?")] + arguments() }
        if random.chance(2) { target += Array("#frag?x".utf8) }
        var host: String? = random.chance(60) ? random.pick(targets.hosts + RandomNames.hosts) : "localhost"
        if random.chance(12) { host = host.map { mutatedHost($0) } }
        var request = OracleRequest(target: target, host: host)
        if random.chance(1) {
            request.version = Array("HTTP/1.0".utf8)
            if random.chance(50) { request.headers = [] }
        }
        if random.chance(2) { request.target = Array("http://\(random.pick(RandomNames.hosts))".utf8) + request.target }
        if random.chance(15) { request.method = Array(random.pick(RandomNames.methods).utf8) }
        if random.chance(1) { request.method = Array(random.pick(["get", "FOO_BAR", "G1", "X-Y"]).utf8) }
        if random.chance(15) { request.headers.append(HeaderLine(name: Array("X-Mark".utf8), value: text())) }
        if random.chance(10) { request.headers.append(HeaderLine("User-Agent", random.pick(["a", "Mobile b", "10"]))) }
        if random.chance(8) {
            request.headers.append(HeaderLine("Cookie", random.pick(["a=1", "a=x; b=2", "b=2;a=/a"])))
        }
        if random.chance(5) {
            let lines = random.pick([
                "10.1.2.3", "192.0.2.1, 10.1.2.3", "10.1.2.3, 192.0.2.1", "x", "::1,127.0.0.1", ",10.1.2.3",
                ", 127.0.0.1", "10.1.2.3 ,, 127.0.0.1", "10.1.2.3,", "10.1.2.3\n", "10.1.2.3\n,",
                "10.1.2.3\n127.0.0.1", "10.1.2.3\n, 127.0.0.1", "10.1.2.3\nx",
            ])
            for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
                request.headers.append(HeaderLine("X-Forwarded-For", String(line)))
            }
        }
        if targets.listens.count > 1, random.chance(50) { request.listen = random.pick(targets.listens) }
        if random.chance(20) {
            let host = random.pick(targets.hosts, else: "a.test")
            let referer = random.pick([
                "http://r.test/x", "http://\(host)/", "http://\(host)/z", "http://a.test/", "http://c.test/x", "-",
                "https://y.b.test/", "http://y.y/",
            ])
            request.headers.append(HeaderLine("Referer", referer))
        }
        return request
    }

    private mutating func path() -> [UInt8] {
        var path = Array(random.pick(targets.paths, else: "/a").utf8)
        if random.chance(20) { path += Array(random.pick(targets.paths, else: "/a").utf8) }
        if path.first != UInt8(ascii: "/"), random.chance(95) { path.insert(UInt8(ascii: "/"), at: 0) }
        path = path.flatMap { byte -> [UInt8] in
            // What a sample may contain and a request line may not, or what would end the path.
            switch byte {
            case 0x20: Self.encoded(byte)
            case UInt8(ascii: "?"), UInt8(ascii: "#"): random.chance(80) ? Self.encoded(byte) : [byte]
            case UInt8(ascii: "%"): random.chance(85) ? Self.encoded(byte) : [byte]
            default: [byte]
            }
        }
        for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 3], else: 0) { mutate(&path) }
        return path
    }

    private mutating func mutate(_ path: inout [UInt8]) {
        let place = random.below(path.count + 1)
        switch random.below(14) {
        case 0: path.insert(contentsOf: Array("/".utf8), at: place)
        case 1:
            path.insert(contentsOf: Array(random.pick(["/../", "/./", "/..", "..", "/.", "/x/../"]).utf8), at: place)
        case 2: path += Array(random.pick(["/", "x", "/a", "/b/", ".png", "1", "$", "&a=b", ";", "|"]).utf8)
        case 3: if path.count > 1 { path.remove(at: min(place, path.count - 1)) }
        case 4: if place < path.count, path[place] >= UInt8(ascii: "A") { path[place] ^= 0x20 }
        case 5: path.insert(contentsOf: Array("+".utf8), at: place)
        case 6: path.insert(contentsOf: [random.pick([0xe4, 0xff, 0x80], else: 0xe4)], at: place)
        case 7: path.insert(contentsOf: Array(random.pick(["&", "\"", "<", "\\", "=", "?", "#", "%"]).utf8), at: place)
        case 8: path += Array(random.pick(RandomNames.segments).utf8)
        case 9 where random.chance(30):
            path.insert(contentsOf: Array(random.pick(["%0a", "%0d", "%01", "%7f", "%00", "%1F"]).utf8), at: place)
        default:
            if place < path.count { path.replaceSubrange(place...place, with: Self.encoded(path[place])) }
        }
    }

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private mutating func arguments() -> [UInt8] {
        var result: [UInt8] = []
        for _ in 0..<random.within(0...3) {
            if !result.isEmpty { result.append(UInt8(ascii: "&")) }
            result += Array(random.pick(RandomNames.arguments).utf8)
            if random.chance(90) { result.append(UInt8(ascii: "=")) }
            result += text()
        }
        if random.chance(8) {
            result += Array(random.pick(["&", "?", "&&", "=", "%zz", "%", "?a=b", "//", "+", ";"]).utf8)
        }
        return result
    }

    private mutating func text() -> [UInt8] {
        let text = random.pick(random.chance(60) ? targets.values + RandomNames.values : RandomNames.values, else: "1")
        return Array(text.utf8)
            .flatMap { byte -> [UInt8] in
                byte == 0x20 || random.chance(2) ? Self.encoded(byte) : [byte]
            }
    }

    private mutating func mutatedHost(_ host: String) -> String {
        switch random.below(8) {
        case 0: host.uppercased()
        case 1: host + "."
        case 2: host + ":8080"
        case 3: "x." + host
        case 4: host + "x"
        case 5: random.pick(["[::1]", "a_b.test", "-", "a@b", "%41.test"])
        case 6: random.pick(["a..test", ".", "a/b", ""])
        default: String(host.dropFirst())
        }
    }
}
