extension RuleFolder {
    /// A list of 18,000 sites that are better requested by HTTPS, of the shape of HTTPS Everywhere: most change the
    /// scheme, some the host as well, and a few leave some of their URLs unchanged.
    static func secureHosts() -> RuleFolder {
        var random = RandomNumbers(seed: RewriteWorkload.seed &+ 10)
        let count = 18_000
        var rules = ""
        for index in 0..<count {
            let site = site(index)
            let hosts = index % 9 == 0 ? "\(site) *.\(site)" : "\(site) www.\(site)"
            rules += "match host \(hosts) {\n"
            if index % 12 == 0 { rules += "if ($url ~ ^http://www\\.\(escaped(site))/feed/) { break; }\n" }
            switch index % 7 {
            case 0: rules += "rewrite_url ^http://www\\.\(escaped(site))/ https://\(site)/ last;\n"
            case 1:
                rules += "rewrite_url ^http://(?:www\\.)?\(escaped(site))/(?=pay|user) https://secure.\(site)/ last;\n"
            default: break
            }
            rules += "rewrite_url ^http: https: last;\n}\n"
        }
        let requests = (0..<requestCount)
            .map { _ in
                let host = random.below(8) == 0 ? "\(random.letters(9)).test" : site(random.below(count))
                let label = random.word(of: ["", "www."])
                return
                    "http://\(label)\(host)/\(random.word(of: ["", "feed/", "user/"]))\(random.word(of: Words.tails))"
            }
        return RuleFolder("secure-hosts", "18,000 sites that are asked by HTTPS", rules: rules, requests: requests)
    }

    private static func site(_ index: Int) -> String {
        "\(Words.sections[index % 12])-\(index).\(["com", "org", "net", "de", "co.uk"][index % 5]).test"
    }

    private static func escaped(_ host: String) -> String { host.replacing(".", with: "\\.") }
}
