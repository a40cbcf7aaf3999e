extension RuleFolder {
    /// A thousand sites, each with its own hundred mixed rewrites.
    static func tenants() -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 11)
        let workload = RewriteWorkload.mixed(1000)
        let paths = workload.paths(.hitAny)
        let rules = (0..<1000)
            .map { tenant in
                // Every tenant has other ones of a thousand rewrites.
                let own = (0..<100).map { workload.rules[(tenant * 37 + $0 * 9) % 1000] }
                return (
                    "tenant\(tenant).example.com",
                    own.map { "rewrite \"\($0.pattern)\" \($0.replacement) last;\n" }.joined()
                )
            }
        let requests = (0..<requestCount)
            .map { served(paths[$0], host: "tenant\(random.below(1000)).example.com") }
        var folder = RuleFolder(
            "tenants",
            "1,000 tenants of 100 rules",
            rules: rules.map { "server {\nserver_name \($0);\n\($1)}\n" }.joined(),
            requests: requests
        )
        folder.server = Server(
            rules: "server_names_hash_max_size 16384;\n"
                + rules.map { server($0, $1 + "location / { return 200 $uri; }\n") }.joined(),
            answer: "return 200 $uri;"
        )
        return folder
    }

    /// Mixed rewrites whose proportions the index was not made with, and new texts of several captures;
    /// each request matches another one.
    static func strangers(_ count: Int) -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 12)
        let rules = (0..<count).map { stranger($0) }.joined()
        let requests = (0..<requestCount).map { _ in served(path(random.below(count), &random)) }
        let title = "\(shown(count)) mixed rewrites, each hit another"
        var folder = RuleFolder("mixed-\(count)", title, rules: "server {\n\(rules)}\n", requests: requests)
        if count > 10 { folder.beside = "mixed-10" }
        // A hundred thousand in turn take nginx milliseconds.
        guard count <= 10_000 else { return folder }
        folder.server = Server(
            rules: server("_", rules + "location / { return 200 $uri; }\n"),
            answer: "return 200 $uri;"
        )
        return folder
    }

    private static func stranger(_ index: Int) -> String {
        let word = Words.sections[index % 12]
        switch index % 20 {
        case 0..<8: return "rewrite ^/\(word)/section-\(index)/(.*)$ /s/\(index)/$1?from=\(word) last;\n"
        case 8..<12: return "rewrite ^/\(word)-\(index)/?$ /page/\(index) last;\n"
        case 12..<15:
            return "rewrite ^/\(word)/(\\d+)/(\\d+)/post-\(index)(?:\\.html)?$ /post/$2-$1/\(index) last;\n"
        case 15, 16: return "rewrite ^/(en|de|fr)/\(word)-\(index)/([^/]+)/?$ /t/$2/\(index)/$1 last;\n"
        case 17, 18: return "rewrite /\(word)_item\(index)\\.php$ /item/\(index) last;\n"
        default: return "rewrite (?i)^/\(word.uppercased())/legacy-\(index)/(.*)$ /legacy/$1/\(index) last;\n"
        }
    }

    private static func path(_ index: Int, _ random: inout RandomNumbers) -> String {
        let word = Words.sections[index % 12]
        switch index % 20 {
        case 0..<8: return "/\(word)/section-\(index)/\(random.word(of: Words.tails))/\(random.letters(12))"
        case 8..<12: return "/\(word)-\(index)\(random.word(of: ["", "/"]))"
        case 12..<15: return "/\(word)/\(1990 + random.below(40))/\(1 + random.below(12))/post-\(index).html"
        case 15, 16: return "/\(random.word(of: ["en", "de", "fr"]))/\(word)-\(index)/\(random.letters(14))"
        case 17, 18: return "/\(random.letters(8))/\(word)_item\(index).php"
        default: return "/\(word)/Legacy-\(index)/\(random.letters(16))"
        }
    }
}
