import Foundation
import SeededRandom
import TestFolder
import TestSettings
import Testing

/// Random Caddyfiles and configurations of HAProxy, imported and asked of the real servers.
@Suite("Imported sites against Caddy and HAProxy")
struct CaddyGeneratorTests {
    @Test("Rules imported from a Caddyfile answer as Caddy does")
    func caddy() throws { try compare("caddy", "Caddyfile") { $0.caddyfile() } }

    @Test("Rules imported from a frontend answer as HAProxy does")
    func haproxy() throws { try compare("haproxy", "haproxy.cfg") { $0.haproxy() } }

    private func compare(_ server: String, _ name: String, _ text: (inout SiteGenerator) -> String) throws {
        var asked = 0
        var failures = 0
        let count = TestSettings.apacheFiles
        for seed in 0..<count where failures < 5 {
            var generator = SiteGenerator(seed: UInt64(seed) + 1)
            let text = text(&generator)
            let log = (0..<60).map { _ in generator.request() }.joined(separator: "\n") + "\n"
            let folder = try TestFolder([name: text, "log": log])
            let outcome = try folder.run(["import", server, name, "--verify", "--log", "log", "--format", "json"])
            let report = try? JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any]
            let verification = report?["verification"] as? [String: Any]
            asked += verification?["requests"] as? Int ?? 0
            let rows = verification?["rules"] as? [[String: Any]] ?? []
            let differences = rows.flatMap { $0["differences"] as? [[String: String]] ?? [] }
            let isSame =
                verification != nil && differences.isEmpty && report?["imported"] as? Int == report?["read"] as? Int
            failures += isSame ? 0 : 1
            #expect(
                isSame,
                "seed \(seed)\n\(text)\n\(report?["rules"] ?? "")\n\(differences.prefix(3))\n\(outcome.errors)"
            )
        }
        #expect(asked >= count * 20)
    }
}

/// Writes sites for Caddy and for HAProxy, and requests that they may be about.
struct SiteGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Element>(_ values: [Element]) -> Element {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func some(_ counts: ClosedRange<Int>, _ line: (inout Self) -> String) -> [String] {
        (0..<Int.random(in: counts, using: &random)).map { _ in line(&self) }
    }

    private static let paths = ["/a", "/b", "/a/b", "/shop", "/shop/7", "/shop/item.php", "/old", "", "/B/x.html"]

    mutating func request() -> String {
        let host = pick(["example.com", "example.com", "www.example.com", "x.example.net", "other.org"])
        let query = pick(["", "", "?id=7", "?id=x&y=2", "?y"])
        var members = [
            "\"url\": \"\(pick(["http", "https"]))://\(host)\(pick(Self.paths))\(pick(["/", "/", "", "/c"]))\(query)\""
        ]
        let headers = pick(["", "", "\"User-Agent\": \"BadBot/1.0\"", "\"X-Key\": \"k1\"", "\"User-Agent\": \"curl\""])
        if !headers.isEmpty { members.append("\"headers\": {\(headers)}") }
        if pick([true, false, false]) { members.append("\"method\": \"POST\"") }
        if pick([true, false, false, false]) { members.append("\"remote_addr\": \"192.0.2.9\"") }
        return "{\(members.joined(separator: ", "))}"
    }

    // MARK: Caddy

    mutating func caddyfile() -> String {
        var sites: [String] = []
        for address in [pick(["example.com, www.example.com", "http://example.com", ":80"]), "*.example.net"] {
            let definitions = (0..<3).map { "@m\($0) {\n" + matchers() + "\n}" }
            let body = (definitions + some(2...7) { $0.directive(depth: 0) }).joined(separator: "\n")
            sites.append("\(address) {\n\(body)\n}")
        }
        return sites.joined(separator: "\n") + "\n"
    }

    private mutating func matchers() -> String {
        let (first, second) = (matcher(), matcher())
        // Caddy takes no name of a host twice, one expression on the path, and the last of opposites.
        let kinds = ["regexp", "host", "header X", "header !X"]
        let isRepeated = kinds.contains { first.contains($0) } && kinds.contains { second.contains($0) }
        return isRepeated ? first : "\(first)\n\(second)"
    }

    private mutating func matcher() -> String {
        pick(["", "", "", "not "])
            + pick([
                "path /a* /old", "path *.php", "path /shop/*", "method POST", "header User-Agent *Bot*",
                "header X-Key k1",
                "host www.example.com x.example.net", "query id=7", "protocol https", "remote_ip 192.0.2.0/24",
                "path_regexp ^/shop/([0-9]+)", "header !X-Key", "path */b",
            ])
    }

    private mutating func token() -> String {
        pick(["", "", "@m0 ", "@m1 ", "@m2 ", "/a* ", "/a/* ", "/shop/* ", "/old ", "* ", "/shop* "])
    }

    private mutating func target() -> String {
        pick(["/new", "/b{uri}", "/shop/9?{query}", "https://o.example{uri}", "/x{path}?k=1", "{scheme}://{host}/z"])
    }

    private mutating func directive(depth: Int) -> String {
        let inner = { (self: inout Self) -> String in
            self.some(1...3) { $0.directive(depth: depth + 1) }.joined(separator: "\n")
        }
        switch Int.random(in: 0..<(depth < 2 ? 14 : 10), using: &random) {
        case 0:
            return
                "redir \(token().isEmpty ? "/old " : pick(["/old ", "@m0 ", "@m1 "]))\(target()) \(pick(["", "301", "308"]))"
        case 1:
            return
                "rewrite \(pick(["/old ", "@m1 ", "/a* ", "* "]))\(pick(["/b", "/n?{query}", "/n?a=b", "/pre{path}", "/q?"]))"
        case 2:
            return "uri "
                + pick([
                    "/a/* strip_prefix /a", "/shop/* strip_prefix /shop", "\(token())strip_suffix .html",
                    "\(token())path_regexp ^/b /c",
                ])
        case 3: return "respond \(pick(["@m0 ", "@m2 ", "/a* ", "/old "]))\(pick(["404", "\"text\" 200", "410"]))"
        case 4: return "error \(pick(["@m1 ", "/shop/* "]))403"
        case 5: return "abort \(pick(["@m2 ", "/b* "]))"
        case 6, 7: return "reverse_proxy \(token())127.0.0.1:\(pick(["9001", "9002"]))"
        case 8: return "respond \(token())\(pick(["201", "\"all\""]))"
        case 9: return depth == 0 ? "header X-A b" : "error 404"
        case 10: return "handle \(token()){\n\(inner(&self))\n}"
        case 11: return "handle_path \(pick(["/a/*", "/shop/*"])) {\n\(inner(&self))\n}"
        case 12: return "route \(token()){\n\(inner(&self))\n}"
        default: return "handle {\n\(inner(&self))\n}"
        }
    }

    // MARK: HAProxy

    mutating func haproxy() -> String {
        let defaults = "defaults\n mode http\n timeout client 5s\n timeout server 5s\n timeout connect 5s\n"
        let rules = some(2...6) { $0.rule() }.joined(separator: "\n")
        let tests = (0..<2).map { " acl t\($0) \(test())" }.joined(separator: "\n")
        return """
            \(defaults)frontend web
             bind :80
             bind :443 ssl crt x
            \(tests)
            \(rules)
             use_backend api if \(condition())
             default_backend app
            backend api
             server a 127.0.0.1:9001
            backend app
             server b 127.0.0.1:9002

            """
    }

    private mutating func test() -> String {
        pick([
            "path_beg /a", "path_end .php", "path /old", "path_reg ^/shop/[0-9]+", "method POST",
            "hdr(host) -i www.example.com",
            "hdr_sub(User-Agent) -i badbot", "src 192.0.2.0/24", "ssl_fc", "url_param(id) 7", "path_beg /shop /b",
        ])
    }

    private mutating func condition() -> String {
        let word = { (self: inout Self) -> String in
            self.pick(["t0", "t1", "!t0", "{ \(self.test()) }", "!{ \(self.test()) }"])
        }
        return word(&self) + pick(["", " " + word(&self), " or " + word(&self)])
    }

    private mutating func rule() -> String {
        let action = pick([
            "deny", "deny deny_status 429", "redirect location /new code 302",
            "redirect prefix https://p.example code 301",
            "redirect scheme https code 308", "redirect location https://l.example/x code 303",
            "return status 200 content-type text/plain string ok", "set-path /shop/9", "replace-path /a(.*) /b\\1",
            "redirect prefix /pre drop-query",
        ])
        return " http-request \(action) \(pick(["if", "if", "unless"])) \(condition())"
    }
}
