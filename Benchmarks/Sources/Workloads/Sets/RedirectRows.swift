extension RuleFolder {
    /// A list of redirects, for half of the requests.
    static func redirects(_ count: Int) -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 8)
        let requests = (0..<requestCount)
            .map { _ in
                let number = random.below(count)
                return random.below(2) == 0 ? served(old(number)) : served(old(number) + "-\(random.letters(4))")
            }
        var folder = RuleFolder(
            "redirects-\(count)",
            "a list of \(shown(count)) redirects",
            rules: "redirects lists/moved.csv;\n",
            requests: requests
        )
        folder.files["lists/moved.csv"] =
            "from,to,status\n" + (0..<count).map { "\(old($0)),\(new($0)),301\n" }.joined()
        folder.server = Server(
            rules: tables + mapText(count)
                + server("_", "if ($moved) { return 301 $moved$is_args$args; }\nlocation / { return 200 $uri; }\n"),
            answer: "return 301 https://www.example.com$request_uri;"
        )
        return folder
    }

    /// A map of as many entries, only to load.
    static func map(_ count: Int) -> RuleFolder {
        var folder = RuleFolder(
            "map-\(count)",
            "a map of \(shown(count)) entries",
            rules: mapText(count) + "server { if ($moved) { return 301 $moved$is_args$args; } }\n",
            requests: [served("/")]
        )
        folder.server = Server(
            rules: tables + mapText(count) + server("_", "return 200 $moved;\n"),
            answer: "return 200;"
        )
        folder.isForLoading = true
        return folder
    }

    /// As many rewrites, only to load.
    static func rewrites(_ count: Int) -> RuleFolder {
        var folder = RuleFolder(
            "rewrites-\(count)",
            "\(shown(count)) rewrites",
            rules: RewriteWorkload.prefixes(count).serverText(),
            requests: [served("/")]
        )
        folder.isForLoading = true
        return folder
    }

    /// Room for large tables in nginx.
    static let tables = "map_hash_max_size 4194304;\nmap_hash_bucket_size 128;\n"

    private static func mapText(_ count: Int) -> String {
        "map $uri $moved {\ndefault \"\";\n" + (0..<count).map { "\(old($0)) \(new($0));\n" }.joined() + "}\n"
    }

    private static func old(_ index: Int) -> String {
        "/\(Words.sections[index % 12])/\(Words.sections[index / 12 % 12])-\(index).html"
    }

    private static func new(_ index: Int) -> String { "/pages/\(Words.sections[index % 12])/\(index)" }
}
