/// Servers and what applies to a whole level.
extension RuleGenerator {
    mutating func server(_ number: Int) -> RuleNode {
        var nodes: [RuleNode] = []
        if random.chance(10) { nodes.append(RuleNode("listen", random.pick(["80", "8080"]))) }
        if random.chance(70) { nodes.append(serverName()) }
        if random.chance(15) { nodes.append(RuleNode("merge_slashes", "off")) }
        namedLocations = random.chance(30) ? ["@\(prefix)n\(number)"] : []
        nodes += settings(isServer: true)
        nodes += rules(0...4, inLocation: false)
        var used = Set<String>()
        for _ in 0..<(random.chance(10) ? random.within(8...14) : random.within(1...6)) {
            if let node = location(parent: nil, used: &used, depth: 0) { nodes.append(node) }
        }
        for name in namedLocations {
            nodes.append(RuleNode("location", name, children: rules(0...2, inLocation: true) + [finish()]))
        }
        if random.chance(8) { nodes.append(finish()) }
        return RuleNode("server", children: nodes)
    }

    private mutating func serverName() -> RuleNode {
        var names: [String] = []
        // nginx tries the expressions of an address with one server only if the last of them has a group, so there is
        // only one with any; and it refuses names that are there twice where `valid_referers` asks for them.
        var hasPattern = false
        for _ in 0..<random.within(1...2) {
            switch random.below(6) {
            case 0...2: names.append(random.pick(RandomNames.hosts))
            case 3: names.append(random.pick(["*.a.test", ".b.test", "*.test"]))
            case 4: names.append(random.pick(["www.*", "mail.*", "x.y.*"]))
            case _ where hasPattern: continue
            default:
                hasPattern = true
                let pattern = textPattern(["a", "b", "test", "www"])
                targets.hosts.append(pattern.sample)
                names.append(RuleNode.quoted("~" + pattern.text))
            }
        }
        if names.isEmpty || names.count == 2 && names[0] == names[1] { names = ["localhost"] }
        targets.hosts += names.filter { !$0.contains("~") }
            .map { name in
                name.split(separator: "*", omittingEmptySubsequences: false).joined(separator: "x")
            }
        return RuleNode(words: ["server_name"] + names)
    }

    /// Directives that are inherited.
    mutating func settings(isServer: Bool) -> [RuleNode] {
        var nodes: [RuleNode] = []
        if random.chance(15) {
            let words = ["add_header", "X-Level", RuleNode.quoted("h" + value(literals: ["1", "a"]))]
            nodes.append(RuleNode(words: words + (random.chance(40) ? ["always"] : [])))
        }
        if random.chance(8) { nodes.append(RuleNode("absolute_redirect", random.pick(["on", "off"]))) }
        if random.chance(6) { nodes.append(RuleNode("port_in_redirect", random.pick(["on", "off"]))) }
        if random.chance(6) { nodes.append(RuleNode("server_name_in_redirect", random.pick(["on", "off"]))) }
        if random.chance(6) { nodes.append(RuleNode("recursive_error_pages", "on")) }
        if random.chance(isServer ? 20 : 15) {
            let words = ["valid_referers"] + random.pick([["none"], ["blocked"], ["none", "blocked"], []], else: [])
            let names = random.pick(
                [["server_names"], ["server_names"], ["*.b.test"], ["~y\\."], ["~z"], ["c.test/x"]],
                else: []
            )
            nodes.append(RuleNode(words: words + ["r.test"] + names))
        }
        if random.chance(5) {
            nodes.append(RuleNode("default_type", random.pick(["text/x-own", "\"\"", "application/json"])))
        }
        if random.chance(3) {
            let types = [RuleNode("text/x-a", "a", "png"), RuleNode("text/x-b", "b", "gif")]
            nodes.append(RuleNode("types", children: types))
        }
        if random.chance(3) { nodes.append(RuleNode("satisfy", random.pick(["any", "all"]))) }
        if random.chance(25) { nodes.append(errorPage()) }
        if random.chance(10) {
            nodes.append(
                RuleNode(
                    random.pick(["allow", "deny"]),
                    random.pick(["127.0.0.1", "10.0.0.0/8", "all", "127.0.0.0/30", "::1"])
                )
            )
            if random.chance(50) { nodes.append(RuleNode(random.pick(["allow", "deny"]), "all")) }
        }
        return nodes
    }

    private mutating func errorPage() -> RuleNode {
        // A missing file is an error only where there are files at all.
        let codes = files.isEmpty ? ["410", "418", "429", "451", "302"] : ["410", "418", "404", "403", "451"]
        var words = ["error_page", random.pick(codes)]
        if random.chance(30) { words.append(random.pick(codes)) }
        if words.count == 3, words[1] == words[2] { words.removeLast() }
        if random.chance(35) { words.append(random.pick(["=", "=200", "=410", "=302"])) }
        switch random.below(5) {
        case 0 where !namedLocations.isEmpty: words.append(random.pick(namedLocations))
        case 1: words.append(RuleNode.quoted("http://err.test" + random.pick(["/", "$uri", "/?$args"])))
        case 2:
            words.append(
                RuleNode.quoted(random.pick(targets.paths, else: "/a") + random.pick(["?e=1", "?$args", "?u=$uri"]))
            )
        default: words.append(RuleNode.quoted(random.pick(targets.paths, else: "/a")))
        }
        return RuleNode(words: words)
    }
}
