import SeededRandom

/// A random rule set that blocks each request by a value, which is made from what the client sent in random ways.
///
/// What the client sends has `aaa` in it wherever a value may look, and no way to make a value takes that out: the block
/// holds for each length of the request, or the value outgrows a limit.
struct GrowingRules {
    /// True if the rules are on whole URLs; else they are in a server.
    let isForURLs: Bool
    /// Outside of servers.
    private(set) var definitions: [String] = []
    /// In the order in which they run, in front of the block.
    private(set) var steps: [String] = []
    /// The variable that decides.
    private(set) var variable = "$uri"
    private var random: SeededGenerator
    private var sources: [String]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        isForURLs = random.chance(25)
        sources = ["$uri", "$request_uri", "$http_x_long", "$cookie_long", "$arg_long", "$args"]
        // What a server makes of the path and the arguments is in front of what reads them.
        if !isForURLs, random.chance(30) { changeTarget() }
        for number in 1...1 + random.below(6) { define("$v\(number)") }
    }

    /// The rules, with the block and what follows it.
    mutating func text() -> String {
        let parts = isForURLs ? urlRules() : serverRules()
        return (definitions + ["map BIG $blocked { default 0; ~aaa 1; }"] + parts).joined(separator: "\n")
            .replacing("BIG", with: variable)
    }

    /// `text` a number of times that makes some values outgrow their limit and others not.
    private mutating func repeated(_ text: String) -> String {
        String(repeating: text, count: random.pick([1, 1, 2, 9, 40, 80]))
    }

    private mutating func template() -> String {
        var text = ""
        for _ in 0...random.below(3) { text += random.chance(25) ? "-aaa-" : repeated(random.pick(sources)) }
        return text + random.pick(sources)
    }

    private mutating func changeTarget() {
        switch random.below(3) {
        case 0: steps.append("rewrite ^(.*)$ \"\(repeated("$1"))\";")
        case 1:
            steps.append("rewrite ^(.*)$ \"/aaa?\(repeated("$1$args"))\";")
            sources.removeAll { $0 == "$arg_long" }
        default:
            steps.append("set $args \"\(template())\";")
            sources.removeAll { $0 == "$arg_long" }
        }
    }

    private mutating func define(_ name: String) {
        let source = random.pick(sources)
        switch random.below(isForURLs ? 8 : 10) {
        case 0, 1: definitions.append("map $arg_none \(name) { default \"\(template())\"; }")
        case 2: definitions.append("map $arg_none \(name) { volatile; default \"\(template())\"; }")
        case 3: definitions.append("map \(source) \(name) { ~^(.*)$ \"\(repeated("$1"))\"; }")
        case 4:
            let group = "all_\(name.dropFirst())"
            definitions.append("map \(source) \(name) { ~^(?<\(group)>.*)$ \"\(repeated("$\(group)"))\"; }")
        case 5: definitions.append("geo \(source) \(name) { default /aaa; 127.0.0.1 /aaa; }")
        case 6: definitions.append("split_clients \"\(template())\" \(name) { * /aaa; }")
        case 7: steps.append("set \(name) \"\(template())\";")
        case 8: steps.append("if (\(source) ~ ^(.*)$) { set \(name) \"\(repeated("$1"))\"; }")
        default: steps.append("if (\(source)) { set \(name) \"\(template())\"; }")
        }
        sources.append(name)
        variable = name
    }

    private mutating func urlRules() -> [String] {
        let block = random.pick([
            "if (BIG ~ aaa) { block ^~ http:; }", "if ($blocked) { block ^~ http:; }", "if (BIG) { block ^~ http:; }",
            "if (BIG != zzz) { block ~ ^http; }", "set $seen \"BIG\"; if ($seen ~ aaa) { block ^~ http:; }",
        ])
        let other = random.pick([
            "", "rewrite_url ^http://a.test/(.*)$ http://b/x break;", "degrade ^~ http: https://b.test/;",
            "rewrite_url ^http: https://b.test/ permanent;", "route http://a.test/*rest rest;",
        ])
        return steps + [block, other]
    }

    private mutating func serverRules() -> [String] {
        let block = random.pick(ValueGrowthTests.blocks)
        let inside =
            if random.chance(30) {
                steps + [
                    "location / { \(block)",
                    "\(random.pick(["return 200 ok;", "proxy_pass http://127.0.0.1:1;", ""])) }",
                ]
            } else { steps + [block, random.pick(ValueGrowthTests.others)] }
        return ["server {", "server_name a.test;"] + inside + ["location /blocked { return 403; }", "}"]
    }
}
