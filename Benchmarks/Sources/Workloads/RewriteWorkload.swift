/// Rewrites of paths, in order, and the paths that are looked up.
///
/// The same patterns and the same paths go to Shunt and to each of its peers. Everything comes from the fixed seed: the
/// same name and size result in the same bytes on every machine.
public struct RewriteWorkload: Sendable {
    /// One rule: the first one whose pattern matches changes the path.
    public struct Rule: Sendable {
        /// A regular expression that means the same to PCRE2, RE2 and Hyperscan.
        public var pattern: String
        /// The text that replaces the path, with `$1` and so on.
        public var replacement: String
    }

    /// `prefixes` or `mixed`.
    public let name: String
    /// The rules, in order.
    public let rules: [Rule]
    private let paths: [URLKind: [String]]

    /// The number of paths of each kind; looked up in turn, so that no single path stays in the processor's memory.
    public static let pathCount = 1024
    static let seed: UInt64 = 0x5eed

    init(name: String, rules: [Rule], paths: [URLKind: [String]]) {
        self.name = name
        self.rules = rules
        self.paths = paths
    }

    /// No rules and no paths.
    public static let none = RewriteWorkload(name: "none", rules: [], paths: [:])

    /// The paths of a kind.
    public func paths(_ kind: URLKind) -> [String] {
        paths[kind] ?? []
    }

    /// The rules as a rule file: one server, whose every rule ends the search.
    ///
    /// - Parameters:
    ///   - listen: The `listen` of the server, for nginx; Shunt needs none.
    ///   - body: More directives, inside the server.
    /// - Returns: The text.
    public func serverText(listen: String? = nil, body: String = "") -> String {
        var text = "server {\n"
        if let listen { text += "listen \(listen);\n" }
        for rule in rules {
            text += "rewrite \"\(rule.pattern)\" \(rule.replacement) last;\n"
        }
        return text + body + "}\n"
    }
}

/// Words that paths are made of.
enum Words {
    static let sections = [
        "news", "blog", "shop", "help", "item", "user", "media", "event", "forum", "guide", "topic", "video",
    ]
    static let tails = [
        "spring-sale", "index.html", "overview", "details/specification", "2019/archive", "images/large/cover.jpg",
        "comments/latest", "page/4", "download", "reviews/all/newest", "print", "compare/with/previous",
    ]
}
