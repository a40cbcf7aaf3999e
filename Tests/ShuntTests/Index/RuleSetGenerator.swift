import SeededRandom

/// Random rule sets with long runs of like rules, and URLs aimed at their literals.
///
/// The vocabulary is small on purpose, so that many rules match, overlap and follow each other.
struct RuleSetGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let words = ["a", "ab", "abc", "news", "shop", "old", "n", "x1", "item-7", "Q"]
    private static let hosts = ["a.test", "b.a.test", "shop.test", "m.shop.test", "x.ads.test", "ads.test"]
    private static let schemes = ["http", "kl", "https"]

    private mutating func word() -> String { random.pick(Self.words) }

    /// A regular expression on a path, of which some need no literal at all.
    private mutating func expression() -> String {
        switch random.below(14) {
        case 0: "^/\(word())/(.*)$"
        case 1: "^/\(word())$"
        case 2: "^/\(word())/?$"
        case 3: "^/(\(word())|\(word()))/([^/]+)/?$"
        case 4: "^/\(word())/(\\d+)"
        case 5: "\(word())\\.(php|html)$"
        case 6: "/\(word())_\(word())"
        case 7: "(?i)^/\(word().uppercased())/(.*)$"
        case 8: "^/(?<part>[a-z]+)/\(word())"
        case 9: "(.*)\(random.below(10))$"
        case 10: "^/[a-c]+/\(word())"
        case 11: "^(?:/\(word()))+(/x)?$"
        case 12: "\\.\(random.pick(["php", "html", "js", "css"]))$"
        default: "^/\(word())(?=/)"
        }
    }

    private mutating func target() -> String {
        switch random.below(5) {
        case 0: "/\(word())/$1"
        case 1: "/\(word())?k=$1"
        case 2: "/\(word())/\(word())"
        case 3: "/$1/\(word())?"
        default: "/t/\(random.below(100))"
        }
    }

    private mutating func rewrite() -> String {
        let flag = random.pick(["", "", " last", " break", " redirect", " permanent"])
        return "rewrite \"\(expression())\" \(target())\(flag);"
    }

    /// Rules of the rewrite module: runs of rewrites and of tests on one variable, with others between them.
    private mutating func sequence(_ count: Int) -> [String] {
        var lines: [String] = []
        while lines.count < count {
            switch random.below(8) {
            case 0..<5:
                for _ in 0..<(1 + random.below(30)) { lines.append(rewrite()) }
            case 5:
                let variable = random.pick(["$arg_k", "$uri", "$v"])
                for _ in 0..<(1 + random.below(12)) {
                    let body = random.pick([
                        "set $v \(word());", rewrite(), "return 30\(1 + random.below(2)) /\(word());",
                    ])
                    lines.append("if (\(variable) = \(random.pick(["\(word())", "/\(word())"]))) { \(body) }")
                }
            case 6:
                for _ in 0..<(1 + random.below(12)) {
                    lines.append("if ($uri ~ \"\(expression())\") { set $v $1; }")
                }
            default:
                lines.append("set $v \(word())$1;")
            }
        }
        return lines
    }

    private mutating func urlRules(_ count: Int) -> [String] {
        var lines: [String] = []
        while lines.count < count {
            let scheme = random.pick(Self.schemes)
            if random.chance(25) { lines.append(exclusions(scheme)) }
            for _ in 0..<(1 + random.below(20)) {
                let host = random.pick(Self.hosts)
                let line =
                    switch random.below(10) {
                    case 8: "block ^~ \(scheme)://\(host)/\(word())/\(word());"
                    case 9: "match ~ \"^\(scheme)://\(host)/(\(word()))/\" { degrade ~ \(word())$ https://$1/; }"
                    case 0: "rename_host \(host) \(random.pick(Self.hosts));"
                    case 1: "rename_host *.\(host) *.\(random.pick(Self.hosts));"
                    case 2: "rewrite_url \"^\(scheme)://\(host)/\(word())/(.*)$\" \(scheme)://\(host)/\(word())/$1;"
                    case 3: "rewrite_url \"^kl://(\\w+)/\(word())\" https://\(host)/$1 last;"
                    case 4: "degrade ^~ kl://\(word())/ https://\(host)/\(word());"
                    case 5: "degrade ~ \"^kl://\(word())/(\\d+)\" https://\(host)/$1;"
                    case 6: "block host \(random.pick(["", "*.", "."]))\(word()).\(host);"
                    default: "block ~ \"\(word())/\(word())\\?\";"
                    }
                lines.append(line)
            }
        }
        return lines
    }

    /// An `if` with many tests on one variable, whose captures are seen after it.
    private mutating func exclusions(_ scheme: String) -> String {
        let (variable, start) =
            random.chance(70)
            ? ("$url", "^\(scheme)://([^/]+)") : (random.pick(["$uri", "$host", "$steady", "$unsteady"]), "^")
        let isNegated = random.chance(70)
        var tests: [String] = []
        for _ in 0..<(2 + random.below(10)) {
            let text = random.pick([
                "/(\(word()))", "(\(word()))/", "\(word())\\.(php|html)$", "(?<named>\(word()))x?$",
            ])
            let negation = random.chance(90) == isNegated ? "!" : ""
            tests.append("\(variable) \(negation)~ \"\(random.chance(60) ? start : "")\(text)\"")
        }
        let condition = tests.joined(separator: isNegated ? " && " : " || ")
        let host = random.pick(Self.hosts)
        return "if (\(condition)) { rename_host \(host) \(random.pick(Self.hosts)); } else { set $seen \"$1 $named\"; }"
            + " if ($seen ~ \"\(word())\") { block ~ \(word()); }"
    }

    /// A rule set.
    mutating func rules() -> String {
        var lines: [String] = []
        if random.chance(30) { lines.append("match_spelling \(random.pick(["loose", "exact"]));") }
        lines.append(
            "map $1 $steady { default $1; ~^a(.*) x$1; } map $1 $unsteady { volatile; default $1; ~^a(.*) x$1; }"
        )
        lines.append("set $seen $uri; set $named x;")
        if random.chance(60) { lines += urlRules(1 + random.below(60)) }
        lines.append("map $arg_k $m { default 0; \(word()) 1; ~^\(word()) 2; ~\(word())$ 3; ~*Q 4; }")
        for server in 0..<(1 + random.below(3)) {
            lines.append("server {")
            switch server {
            case 0: lines.append("server_name \(random.pick(Self.hosts)) ~^(?<sub>\\w+)\\.shop\\.test$;")
            case 1: lines.append("server_name ~^x\\. ~\\.ads\\. *.a.test;")
            default: lines.append("server_name ads.test;")
            }
            lines.append("set $v 0;")
            lines += sequence(random.below(80))
            for number in 0..<random.below(25) {
                let body = random.chance(70) ? "return 200 \"\(number) $1 $m $v\";" : sequence(4).joined(separator: " ")
                lines.append("location ~\(random.chance(20) ? "*" : "") \"\(expression())\" { \(body) }")
            }
            if random.chance(50) { lines.append("location /\(word()) { \(rewrite()) return 200 \"$uri $m\"; }") }
            lines.append("}")
        }
        return lines.joined(separator: "\n")
    }

    /// A URL or a path with words of the rules in it.
    mutating func url() -> String {
        var path = ""
        for _ in 0..<(1 + random.below(3)) {
            path += "/" + word()
            switch random.below(8) {
            case 0: path += "_" + word()
            case 1: path += String(random.below(1000))
            case 2: path += random.pick([".php", ".html", ".js", "x"])
            case 3: path = path.uppercased()
            case 4: path += random.pick(["/", "%41", "//", "/x"])
            default: break
            }
        }
        if random.chance(30) { path += "?k=\(random.chance(50) ? word() : "Q9")" }
        if random.chance(40) { return path }
        var host = random.chance(60) ? random.pick(Self.hosts) : "\(word()).\(random.pick(Self.hosts))"
        if random.chance(15) { host = random.pick([host.uppercased(), "u@" + host, host + ".", host + ":80"]) }
        if random.chance(15) { path = random.pick(["/.", "/x/..", "/%2e"]) + path }
        return random.chance(30) ? "kl:/\(path)" : "\(random.pick(Self.schemes))://\(host)\(path)"
    }
}
