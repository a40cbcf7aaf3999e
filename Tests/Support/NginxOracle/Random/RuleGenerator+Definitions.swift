/// The definitions at the `http` level: `map`, `geo`, `split_clients`.
extension RuleGenerator {
    mutating func definition() -> RuleNode {
        switch random.below(6) {
        case 0...3: map()
        case 4: geo()
        default: splitClients()
        }
    }

    private mutating func map() -> RuleNode {
        // Maps that were defined before may be the source: never a later one, so there are no circles.
        let source = random.chance(75) ? mapSource() : mapSource() + random.pick(["", "-", "/"]) + mapSource()
        let isMapped = mapNames.contains { source.contains($0) }
        var entries: [RuleNode] = []
        let hostnames = random.chance(25)
        if hostnames { entries.append(RuleNode("hostnames")) }
        if random.chance(20) { entries.append(RuleNode("volatile")) }
        if random.chance(60) { entries.append(RuleNode("default", mapValue(true))) }
        var keys = Set<String>()
        for _ in 0..<(random.chance(15) ? random.within(6...12) : random.within(1...5)) {
            let key = mapKey(hostnames: hostnames)
            // `.a.b` is `a.b` and `*.a.b`, and the same key twice is an error.
            let same = key.hasPrefix(".") ? [String(key.dropFirst()), "*" + key] : [key.lowercased()]
            guard keys.isDisjoint(with: same) else { continue }
            keys.formUnion(same)
            // Elsewhere captures would be those of whatever matched before, another map's too.
            entries.append(RuleNode(key, mapValue(isMapped || !key.contains("~"))))
        }
        let name = newName("m")
        defer { mapNames.append(name) }
        return RuleNode("map", RuleNode.quoted(source), "$\(name)", children: entries)
    }

    private mutating func mapSource() -> String {
        random.pick(
            ["$uri", "$args", "$arg_a", "$arg_b", "$host", "$http_x_mark", "$request_method"]
                + mapNames.map { "$\($0)" }
        )
    }

    private mutating func mapKey(hostnames: Bool) -> String {
        switch random.below(10) {
        case 0...3:
            let key = random.pick(
                random.pick([RandomNames.values, RandomNames.hosts, targets.paths], else: []),
                else: "a"
            )
            targets.values.append(key)
            return RuleNode.quoted(["default", "volatile", "hostnames", "include"].contains(key) ? "\\" + key : key)
        case 4 where hostnames, 5 where hostnames:
            return random.pick(["*.a.test", ".b.test", "www.*", "*.test", "a.*", "*.y.a.test"])
        case 6: return "\"\""
        default:
            let known = captureNames.count
            let pattern = random.chance(50) ? pathPattern() : textPattern(RandomNames.values.filter { !$0.isEmpty })
            mapCaptureNames.formUnion(captureNames[known...])
            return RuleNode.quoted((random.chance(70) ? "~" : "~*") + pattern.text)
        }
    }

    private mutating func mapValue(_ isMapped: Bool) -> String {
        // With another map in the source, captures in the value would be that map's in part.
        let text =
            random.chance(60)
            ? random.pick(["m1", "m2", "0", "", "/a", "/b?x=1"]) : value(literals: ["m", "/"], captures: !isMapped)
        let withoutMaps =
            mapNames.contains { text.contains($0) } && (1...9).contains { text.contains("$\($0)") } ? "m3" : text
        return RuleNode.quoted(withoutMaps)
    }

    private mutating func geo() -> RuleNode {
        let name = newName("g")
        let words = random.chance(70) ? ["geo", "$arg_ip", "$\(name)"] : ["geo", "$\(name)"]
        var entries: [RuleNode] = random.chance(70) ? [RuleNode("default", "gd")] : []
        if random.chance(25) {
            entries.append(RuleNode("proxy", random.pick(["127.0.0.0/8", "10.0.0.0/8"])))
            if random.chance(50) { entries.append(RuleNode("proxy_recursive")) }
        }
        if random.chance(25) {
            entries.insert(RuleNode("ranges"), at: 0)
            entries.append(RuleNode("10.0.0.0-10.255.255.255", "r1"))
            if random.chance(50) { entries.append(RuleNode("10.1.0.0-10.1.9.255", "r2")) }
            if random.chance(50) { entries.append(RuleNode("127.0.0.1-127.0.0.1", "r3")) }
        } else {
            let networks = [
                "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "127.0.0.0/8", "0.0.0.0/1", "2001:db8::/32", "::1",
            ]
            for network in networks where random.chance(40) { entries.append(RuleNode(network, newName("n"))) }
        }
        targets.values += ["10.1.2.3", "10.9.9.9", "2001:db8::5", "::1", "10.1.2", "192.0.2.1"]
        mapNames.append(name)
        return RuleNode(words: words, children: entries)
    }

    private mutating func splitClients() -> RuleNode {
        let source = random.pick(["$arg_a", "$uri", "$args", "x$arg_b", "$remote_addr$arg_a"])
        let first = random.within(1...60)
        let second = random.within(1...39)
        let name = newName("s")
        mapNames.append(name)
        return RuleNode(
            "split_clients",
            RuleNode.quoted(source),
            "$\(name)",
            children: [
                RuleNode("\(first)%", "p1"), RuleNode("\(second).\(random.within(0...99))%", "p2"), RuleNode("*", "p3"),
            ]
        )
    }
}
