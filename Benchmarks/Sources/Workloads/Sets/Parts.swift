/// Single parts of the language: what each adds to the same rules without it.
extension RuleFolder {
    static var parts: [@Sendable () -> RuleFolder] {
        [
            {
                part(
                    "if-version",
                    "an `if` on a version",
                    #"input $version "0";"#,
                    "if ($version < 3.2.0) { break; }",
                    #""input": {"version": "3.4.1"}"#
                )
            },
            { part("if-time", "an `if` on a time", "", "if ($time < 2024-11-11T00:00:00+08:00) { break; }", nil) },
            { part("if-time-of-day", "an `if` on a time of day", "", "if ($time_of_day >= 23:59:59) { break; }", nil) },
            {
                part(
                    "if-share",
                    "an `if` on a share of devices",
                    "input $device; split_clients $device $group { 1% web; * native; }",
                    "if ($group = web) { break; }",
                    #""input": {"device": "device-5"}"#
                )
            },
            {
                part(
                    "if-geo",
                    "an `if` on 3,000 networks",
                    "geo $net { default \"\"; \(networks.map { "\($0) 1;" }.joined(separator: " ")) }",
                    "if ($net) { break; }",
                    #""remote_addr": "203.0.113.7""#
                )
            },
            { hostRoutes },
        ]
    }

    private static func part(
        _ name: String,
        _ title: String,
        _ common: String,
        _ rule: String,
        _ member: String?
    ) -> RuleFolder {
        let requests = (0..<requestCount)
            .map { index in
                let url = "https://www.example.com/\(Words.tails[index % Words.tails.count])?id=\(index)"
                return member.map { #"{"url": "\#(url)", \#($0)}"# } ?? url
            }
        var folder = RuleFolder(name, title, rules: "\(common)\n\(rule)\n", requests: requests)
        folder.without = "\(common)\n"
        return folder
    }

    /// Routes of one host, next to the same of any.
    private static var hostRoutes: RuleFolder {
        let requests = GitHubRoutes.all.map {
            #"{"url": "https://api.example.com\#($0.path)", "method": "\#($0.method)"}"#
        }
        let routes = GitHubRoutes.all.enumerated()
            .map { "route \($1.method) //api.example.com\($1.pattern) route-\($0);\n" }
        var folder = RuleFolder("host-routes", "the host of a route", rules: routes.joined(), requests: requests)
        folder.without = GitHubRoutes.directives
        return folder
    }
}
