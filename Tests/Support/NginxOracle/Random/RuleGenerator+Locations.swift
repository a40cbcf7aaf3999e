/// Locations of every kind.
extension RuleGenerator {
    /// A location; nil when its name is taken on this level.
    ///
    /// `parent` is the name a nested one must begin with.
    mutating func location(parent: String?, used: inout Set<String>, depth: Int) -> RuleNode? {
        let isPattern = random.chance(35)
        var words = ["location"]
        var name = ""
        var mayNest = true
        if isPattern {
            let pattern = pathPattern()
            words += [random.chance(75) ? "~" : "~*", RuleNode.quoted(pattern.text)]
            mayNest = depth == 0
        } else {
            name = (parent ?? "") + locationSuffix(isNested: parent != nil)
            let modifier = random.pick(["", "", "", "=", "^~"])
            let key = (modifier == "=" ? "=" : "") + name
            guard used.insert(key).inserted else { return nil }
            targets.paths.append(name)
            if !modifier.isEmpty { words.append(modifier) }
            words.append(RuleNode.quoted(name))
            mayNest = modifier != "="
        }
        var children = settings(isServer: false)
        if random.chance(6) { children.append(RuleNode("internal")) }
        if !files.isEmpty, random.chance(6) {
            children.append(RuleNode("root", random.pick(["@ROOT@", "@ROOT@/b", "@ROOT@/x"])))
        }
        if random.chance(6) {
            children.append(
                RuleNode(
                    words: ["limit_except", random.pick(["GET", "POST", "PUT"])],
                    children: [RuleNode(random.pick(["deny", "allow"]), "all")]
                )
            )
        }
        children += rules(0...4, inLocation: true)
        if random.chance(55) {
            children.append(finish())
        } else {
            children += content(isPattern: isPattern)
        }
        if mayNest, depth < 2, random.chance(30) {
            var inner = Set<String>()
            for _ in 0..<random.within(1...2) {
                // Only patterns can be inside a pattern.
                let nested = isPattern ? patternLocation() : location(parent: name, used: &inner, depth: depth + 1)
                if let nested { children.append(nested) }
            }
        }
        return RuleNode(words: words, children: children)
    }

    private mutating func locationSuffix(isNested: Bool) -> String {
        if random.chance(isNested ? 60 : 10) {
            return random.pick(["", "a", "b", "/", "x"]) + random.pick(["", "/", "1"])
        }
        if random.chance(10) { return "/" }
        if random.chance(6) { return "/" + random.pick(["a b", "%41", "\u{e4}", "a.b", "a//b"]) }
        return RandomNames.path(&random)
    }

    private mutating func patternLocation() -> RuleNode? {
        let pattern = pathPattern()
        return RuleNode(
            "location",
            "~",
            RuleNode.quoted(pattern.text),
            children: rules(0...2, inLocation: true) + [finish()]
        )
    }

    private mutating func content(isPattern: Bool) -> [RuleNode] {
        switch random.below(10) {
        case 0, 1: return [tryFiles()]
        case 2:
            // A path behind the address is refused in a location that is a pattern.
            let path = isPattern ? "" : random.pick(["", "/", "/base", "/base/", "/b?x=1"])
            return [RuleNode("proxy_pass", "http://127.0.0.1:9" + path)]
        case 3 where !files.isEmpty: return [RuleNode("index", random.pick(["index.html", "x", "/a", "none.html"]))]
        default: return []
        }
    }

    private mutating func tryFiles() -> RuleNode {
        var words = ["try_files"]
        for _ in 0..<random.within(1...2) {
            words.append(random.pick(["$uri", "$uri/", "/b$uri", "/none", "$uri/index.html"]))
        }
        switch random.below(4) {
        case 0: words.append(random.pick(["=410", "=404", "=503"]))
        case 1 where !namedLocations.isEmpty: words.append(random.pick(namedLocations))
        default:
            words.append(
                RuleNode.quoted(random.pick(targets.paths, else: "/a") + random.pick(["", "?u=$uri", "?$args"]))
            )
        }
        return RuleNode(words: words)
    }
}
