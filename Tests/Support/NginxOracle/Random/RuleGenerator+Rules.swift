/// The rewrite module's directives.
extension RuleGenerator {
    /// A sequence of rules for a server or a location.
    mutating func rules(_ count: ClosedRange<Int>, inLocation: Bool) -> [RuleNode] {
        var nodes: [RuleNode] = []
        // Long runs are what the index works on.
        if random.chance(12) {
            for _ in 0..<random.within(4...9) { nodes.append(rewrite()) }
        }
        if random.chance(10) { nodes += conditionChain() }
        for _ in 0..<random.within(count) {
            switch random.below(12) {
            case 0...5: nodes.append(rewrite())
            case 6, 7: nodes.append(set())
            case 8...10: nodes.append(condition(inLocation: inLocation))
            default: if random.chance(30) { nodes.append(RuleNode("break")) }
            }
        }
        return nodes
    }

    mutating func rewrite() -> RuleNode {
        let pattern = pathPattern()
        var words = ["rewrite", RuleNode.quoted(pattern.text)]
        if random.chance(20) {
            words.append(RuleNode.quoted(address()))
            if random.chance(60) { words.append(random.pick(["permanent", "redirect", "last", "break"])) }
        } else {
            words.append(RuleNode.quoted(replacement()))
            words += random.pick([[], ["last"], ["last"], ["break"], ["redirect"], ["permanent"]], else: [])
        }
        return RuleNode(words: words)
    }

    mutating func set() -> RuleNode {
        let text = value(literals: ["s", "a", "b", "/", " ", "%41"])
        let name: String
        switch random.below(10) {
        case 0 where !mapNames.isEmpty: name = random.pick(mapNames)
        case 1 where !captureNames.isEmpty: name = random.pick(captureNames)
        case 2: name = "args"
        case 3 where !setNames.isEmpty: name = random.pick(setNames)
        case 4 where random.chance(8): name = random.pick(["http_x_mark", "arg_a", "cookie_a"])
        default:
            name = newName("x")
            setNames.append(name)
        }
        return RuleNode("set", "$\(name)", RuleNode.quoted(text))
    }

    private mutating func condition(inLocation: Bool) -> RuleNode {
        let test = conditionWords()
        var children: [RuleNode] = []
        for _ in 0..<random.within(0...2) {
            switch random.below(10) {
            case 0...3: children.append(rewrite())
            case 4...6: children.append(set())
            case 7: children.append(RuleNode("break"))
            case 8: children.append(finish())
            case 9 where inLocation && random.chance(15):
                children.append(RuleNode("proxy_pass", "http://127.0.0.1:9"))
                return RuleNode(words: ["if", "(" + test + ")"], children: children)
            default:
                if inLocation {
                    children.append(RuleNode("add_header", "X-If", RuleNode.quoted("i" + value(literals: ["h"]))))
                }
            }
        }
        return RuleNode(words: ["if", "(" + test + ")"], children: children)
    }

    /// Several conditions on one variable, one behind the other.
    private mutating func conditionChain() -> [RuleNode] {
        let subject = variable(maps: true)
        let compares = random.chance(50)
        return (0..<random.within(4...7))
            .map { _ in
                var test = "\(subject) = \(RuleNode.quoted(random.pick(RandomNames.values + targets.paths)))"
                if !compares {
                    let pattern = textPattern(["a", "b", "/a", "1", "test"])
                    test = "\(subject) \(random.pick(["~", "~", "~*"])) \(RuleNode.quoted(pattern.text))"
                }
                let body = random.chance(70) ? set() : random.chance(50) ? rewrite() : finish()
                return RuleNode(words: ["if", "(" + test + ")"], children: [body])
            }
    }

    private mutating func conditionWords() -> String {
        let left = variable(maps: true)
        targets.values += RandomNames.values.prefix(3)
        switch random.below(12) {
        case 0, 1: return left
        case 2, 3:
            let text = value(parts: 0...2, literals: RandomNames.values + targets.paths)
            return "\(left) = \(RuleNode.quoted(text))"
        case 4: return "\(left) != \(RuleNode.quoted(value(parts: 0...1, literals: RandomNames.values)))"
        case 5 where !files.isEmpty:
            return random.pick(["-f", "!-f", "-d", "!-d", "-e", "!-e"]) + " "
                + random.pick(["$request_filename", "@ROOT@$uri", "@ROOT@/b"])
        case 6: return "$request_method \(random.pick(["=", "!=", "~"])) \(random.pick(["GET", "POST", "P"]))"
        default:
            let pattern = random.chance(50) ? pathPattern() : textPattern(RandomNames.values.filter { !$0.isEmpty })
            let operation = random.pick(["~", "~", "~*", "!~", "!~*"])
            let subject = random.pick([left, "$uri", "$args", "$request_uri"])
            return "\(subject) \(operation) \(RuleNode.quoted(pattern.text))"
        }
    }

    /// A `return`.
    mutating func finish() -> RuleNode {
        switch random.below(12) {
        case 0...5:
            return RuleNode("return", random.pick(["200", "200", "201", "402", "410"]), RuleNode.quoted(body()))
        case 6: return RuleNode("return", random.pick(["301", "302", "303", "307", "308"]), RuleNode.quoted(address()))
        case 7: return RuleNode("return", random.pick(["301", "302"]), RuleNode.quoted(replacement()))
        case 8: return RuleNode("return", "http://to.test/" + random.pick(["", "$1", "$uri", "$arg_a"]))
        case 9:
            let code = random.pick([410, 418, 429, 403, 404, 451, 503], else: 410)
            return RuleNode("return", "\(code)")
        case 10: return RuleNode("return", random.pick(["204", "444", "301", "200"]))
        default: return RuleNode("return", "402", RuleNode.quoted(value(literals: ["t", ""])))
        }
    }
}
