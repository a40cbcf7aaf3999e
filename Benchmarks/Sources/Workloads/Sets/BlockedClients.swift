extension RuleFolder {
    /// A list of blocked hosts, which every third URL is on.
    static func blockedHosts(_ count: Int) -> RuleFolder {
        let workload = URLWorkload.blocklist(count)
        let kinds: [URLKind] = [.missFar, .missNear, .hitAny]
        let requests = (0..<requestCount).map { workload.urls(kinds[$0 % 3])[$0] }
        let title = "a list of \(shown(count)) blocked hosts"
        var folder = RuleFolder("hosts-\(count)", title, rules: "", requests: requests)
        folder.files = workload.files
        let list = (workload.files["lists/hosts.txt"] ?? "").split(separator: "\n")
        let entries = list.map { ".\($0) 1;\n" }.joined()
        folder.server = Server(
            rules: tables + "map $host $blocked {\nhostnames;\ndefault \"\";\n\(entries)}\n"
                + server("_", "if ($blocked) { return 403; }\nlocation / { return 200 $uri; }\n"),
            answer: "return 403;"
        )
        return folder
    }

    /// Lists of 3,000 networks and of 1,000 agents; one of ten clients is on the first, one on the second.
    static func clients() -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 9)
        let networks = self.networks
        let agents = (0..<1000).map { "\(Words.sections[$0 % 12])\(["Bot", "Spider", "Crawl"][$0 % 3])\($0)" }
        let requests = (0..<requestCount)
            .map { _ in
                let kind = random.below(10)
                let address =
                    kind == 0
                    ? "\(60 + random.below(100)).\(random.below(30)).7.\(random.below(250))" : address(&random)
                let agent = kind == 1 ? "Mozilla/5.0 (compatible; \(random.word(of: agents))/2.1)" : browser(&random)
                let target = "/\(random.word(of: Words.tails))?id=\(random.below(100_000))"
                return #"{"target": "\#(target)", "host": "www.example.com", "remote_addr": "\#(address)", "#
                    + #""headers": {"User-Agent": "\#(agent)"}}"#
            }
        var folder = RuleFolder(
            "clients",
            "3,000 networks and 1,000 agents",
            rules: "block networks lists/networks.txt;\nblock agents lists/agents.txt 410;\n",
            requests: requests
        )
        folder.files["lists/networks.txt"] = networks.map { $0 + "\n" }.joined()
        folder.files["lists/agents.txt"] = agents.map { $0 + "\n" }.joined()
        folder.server = Server(
            rules: """
                geo $http_x_address $listed {
                default "";
                \(networks.map { "\($0) 1;\n" }.joined())}
                map $http_user_agent $agent {
                default "";
                \(agents.map { "~*\($0) 1;\n" }.joined())}

                """
                    + server(
                        "_",
                        """
                        if ($listed) { return 403; }
                        if ($agent) { return 410; }
                        location / { return 200 $uri; }

                        """
                    ),
            answer: "return 200 $uri;"
        )
        return folder
    }

    /// 3,000 networks, as the clouds list theirs.
    static let networks = (0..<3000).map { "\(60 + $0 / 30).\($0 % 30).0.0/\(16 + $0 % 6)" }

    /// An address on no list.
    static func address(_ random: inout RandomNumbers) -> String {
        "\(200 + random.below(20)).\(random.below(256)).\(random.below(256)).\(random.below(256))"
    }

    private static func browser(_ random: inout RandomNumbers) -> String {
        let system = random.word(of: [
            "Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "Linux; Android 14; K",
            "iPhone; CPU iPhone OS 18_1 like Mac OS X",
        ])
        let version = "\(110 + random.below(30)).0.0.0"
        return "Mozilla/5.0 (\(system)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/\(version) Safari/537.36"
    }
}
