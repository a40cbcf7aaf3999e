public import Shunt

/// Rules on whole URLs, and the URLs that are decided.
///
/// Like `RewriteWorkload`, made from the fixed seed. Only Shunt has such rules.
public struct URLWorkload: Sendable {
    /// `renames`, `degrades` or `blocklist`.
    public let name: String
    /// The files of the rule set, by name.
    public let files: [String: String]
    private let urls: [URLKind: [String]]

    init(name: String, files: [String: String], urls: [URLKind: [String]]) {
        self.name = name
        self.files = files
        self.urls = urls
    }

    /// The URLs of a kind; none for kinds that make no difference here.
    public func urls(_ kind: URLKind) -> [String] {
        urls[kind] ?? []
    }

    /// The kinds of URLs there are.
    public var kinds: [URLKind] { URLKind.allCases.filter { urls[$0] != nil } }

    /// Loads the rules from memory.
    public func load() throws(RuleSetError) -> RuleSet {
        var fileSystem = InMemoryFileSystem()
        for (name, text) in files {
            fileSystem.set("/rules/\(name)", .file(Array(text.utf8)))
        }
        return try RuleSet(path: "/rules", from: fileSystem)
    }

    private static func make(
        _ name: String,
        files: [String: String],
        kinds: [URLKind] = URLKind.allCases,
        url: (URLKind) -> String
    ) -> URLWorkload {
        var urls: [URLKind: [String]] = [:]
        for kind in kinds {
            urls[kind] = (0..<RewriteWorkload.pathCount).map { _ in url(kind) }
        }
        return URLWorkload(name: name, files: files, urls: urls)
    }

    /// The number of a rule that a kind of URL is for; after the last for a miss.
    private static func index(_ kind: URLKind, _ count: Int, _ random: inout RandomNumbers) -> Int {
        switch kind {
        case .missFar, .missNear: count + random.below(9 * count)
        case .hitFirst: 0
        case .hitMiddle: count / 2
        case .hitLast: count - 1
        case .hitAny: random.below(count)
        }
    }

    /// Renames of hosts, every fifth with a wildcard.
    ///
    /// `miss-far` are hosts of another domain, `miss-near` hosts with numbers after the last.
    public static func renames(_ count: Int) -> URLWorkload {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 2)
        let rules = (0..<count)
            .map {
                $0 % 5 == 0
                    ? "rename_host *.site-\($0).old.example *.site-\($0).new.example;\n"
                    : "rename_host site-\($0).old.example site-\($0).new.example;\n"
            }
        return make("renames", files: ["renames.conf": rules.joined()]) { kind in
            let rule = index(kind, count, &random)
            let labels = rule % 5 == 0 ? "\(random.letters(3))." : ""
            let host = kind == .missFar ? "www.\(random.letters(9)).test" : "\(labels)site-\(rule).old.example"
            return "https://\(host)/\(random.word(of: Words.tails))?id=\(random.below(100_000))"
        }
    }

    /// Native pages that yield to the web, two of three by regular expression, one of three by prefix.
    public static func degrades(_ count: Int) -> URLWorkload {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 3)
        let rules = (0..<count)
            .map {
                $0 % 3 == 0
                    ? "degrade ^~ kl://Module\($0)/ https://m.example.com/module/\($0);\n"
                    : "degrade ~ \"^kl://Module\($0)/(?<page>\\w+)\" https://m.example.com/\($0)/$page$is_args$args;\n"
            }
        return make("degrades", files: ["degrades.conf": rules.joined()]) { kind in
            let tail = "\(random.letters(10))?from=mail&id=\(random.below(100_000))"
            return kind == .missFar
                ? "kl://Screen\(random.below(count))/\(tail)" : "kl://Module\(index(kind, count, &random))/\(tail)"
        }
    }

    /// A list of blocked hosts: `ads-<i>` and the like, each under a separate domain or one of a hundred shared ones.
    ///
    /// A blocked host blocks those below it too; half of the hits name such a one.
    public static func blocklist(_ count: Int) -> URLWorkload {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 4)
        let host = { (index: Int) in
            index % 2 == 0 ? "track\(index).network-\(index % 100).example" : "www.ads-\(index).example"
        }
        let list = (0..<count).map { host($0) + "\n" }
        let files = ["block.conf": "blocklist lists/hosts.txt;\n", "lists/hosts.txt": list.joined()]
        return make("blocklist", files: files, kinds: [.missFar, .missNear, .hitAny]) { kind in
            let tail = "\(random.word(of: Words.tails))?id=\(random.below(100_000))"
            switch kind {
            case .missFar: return "https://www.\(random.letters(9)).test/\(tail)"
            default:
                let labels = kind.isHit && random.below(2) == 0 ? "\(random.letters(4))." : ""
                return "https://\(labels)\(host(index(kind, count, &random)))/\(tail)"
            }
        }
    }
}
