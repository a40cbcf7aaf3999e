import Foundation
import SeededRandom
import TestFolder
import TestSettings
import Testing

let hasApache = ["/usr/sbin/apache2", "/usr/sbin/httpd"].contains(where: FileManager.default.isExecutableFile)

/// Random `.htaccess` files, imported and asked of the real Apache.
@Suite("Imported .htaccess files against Apache", .enabled(if: hasApache))
struct ApacheGeneratorTests {
    static let count = TestSettings.apacheFiles

    @Test("Rules that are imported without a note answer as Apache does")
    func differential() throws {
        var asked = 0
        var imported = 0
        var read = 0
        var failures = 0
        for seed in TestSettings.apacheSeed..<TestSettings.apacheSeed + Self.count {
            var generator = HtaccessGenerator(seed: UInt64(seed))
            let text = generator.file()
            let requests = generator.requests(for: text)
            let folder = try TestFolder([".htaccess": text, "log": requests.joined(separator: "\n") + "\n"])
            let outcome = try folder.run([
                "import", "apache", ".htaccess", "--verify", "--log", "log", "--format", "json",
            ])
            let report = try? JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any]
            #expect(report != nil, "seed \(seed)\n\(text)\n\(outcome.errors)")
            let verification = report?["verification"] as? [String: Any]
            let differences = verification?["differences"] as? Int
            asked += verification?["requests"] as? Int ?? 0
            imported += report?["imported"] as? Int ?? 0
            read += report?["read"] as? Int ?? 0
            guard report?["imported"] as? Int == report?["read"] as? Int else {
                // A rule that was left out may have been in the way of others; checks in their places only refuse.
                let notes = (report?["notes"] as? [[String: Any]] ?? []).map { $0["text"] as? String ?? "" }
                let rows = verification?["rules"] as? [[String: Any]] ?? []
                let open = rows.flatMap { $0["differences"] as? [[String: String]] ?? [] }
                    .filter { $0["there"]?.hasPrefix("403") == true && $0["here"]?.hasPrefix("respond 4") != true }
                if !notes.contains(where: { $0.hasPrefix("R") && !$0.hasPrefix("Require") }) {
                    #expect(open == [], "seed \(seed)\n\(text)\n\(report?["rules"] ?? "")")
                    failures += open.isEmpty ? 0 : 1
                }
                continue
            }
            #expect(differences == 0, "seed \(seed)\n\(text)\n\(report?["rules"] ?? "")\n\(outcome.errors)")
            failures += differences == 0 ? 0 : 1
            if failures > 8 { return }
        }
        #expect(asked >= Self.count * 20)
        print("\(Self.count) files, \(imported) of \(read) rules imported, \(asked) requests")
    }
}

/// Writes `.htaccess` files of all conditions and flags, and requests that they may be about.
struct HtaccessGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let names = ["a", "b", "shop", "item", "old", "index.php", "x.html", "7", "42"]
    private static let hosts = ["example.com", "www.example.com", "shop.example.net"]
    private static let queries = ["", "", "?id=7", "?id=x&y=2", "?debug", "?lang=de"]
    private static let agents = ["Mozilla/5.0", "BadBot/1.0", "curl/8"]

    private mutating func pick<Element>(_ values: [Element]) -> Element {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &random) < share }

    // MARK: Files

    mutating func file() -> String {
        var lines = ["RewriteEngine on"]
        if chance(20) { lines.append("RewriteBase /") }
        let redirects = chance(30) ? Int.random(in: 1...2, using: &random) : 0
        for _ in 0..<redirects { lines.append(redirect()) }
        for _ in 0..<Int.random(in: 1...4, using: &random) { lines += rule() }
        // A POST to a file leads to such a page here, and to none in Apache.
        let hasMethods = lines.contains { $0.contains("METHOD") || $0.contains("REQUEST}") }
        if chance(20), !hasMethods { lines.append("ErrorDocument 403 \"refused\"") }
        if chance(25) { lines += checks() }
        for _ in 0..<(chance(25) ? Int.random(in: 1...3, using: &random) : 0) { lines += section() }
        if chance(20) { lines += environment() }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Variables by the request, with what asks for them.
    private mutating func environment() -> [String] {
        let lines = (0..<Int.random(in: 1...3, using: &random))
            .map { _ in
                pick([
                    "SetEnvIf User-Agent bad bot", "BrowserMatchNoCase ^(c)URL bot=$1",
                    "SetEnvIf Request_URI ^/shop bot", "SetEnvIf Request_URI ^/old !bot",
                    "SetEnvIf X-Forwarded-Proto https bot=s",
                    "SetEnvIf Remote_Addr ^192\\.0\\.2\\. bot", "SetEnvIf Request_URI .* bot=x",
                ])
            }
        return lines
            + pick([
                ["Order allow,deny", "Allow from all", "Deny from env=bot"], ["Deny from env=bot"],
                ["<RequireAll>", "Require all granted", "Require not env bot", "</RequireAll>"],
                ["RewriteCond %{ENV:bot} ^(.)", "RewriteRule ^ /env/%1 [R,L]"],
                ["RewriteCond %{ENV:bot} !^$", "RewriteRule ^b - [F]"],
                ["RewriteRule ^ - [E=two:/t]", "RewriteRule ^a/(.*)$ %{ENV:two}/%{ENV:bot}?x=$1 [R=303,QSA,L]"],
            ])
    }

    // MARK: Access

    private mutating func section() -> [String] {
        let name = pick(Self.names)
        let head = pick([
            "Files \"\(name)\"", "Files \"*.\(pick(["php", "html"]))\"", "Files \"[ab]\"", "Files ?*m",
            "Files ~ \"^\(name)$\"",
            "FilesMatch \"\\.(php|html)$\"", "FilesMatch ^[a-i]", "FilesMatch \"d$|^4.\"", "FilesMatch o", "Limit GET",
            "LimitExcept POST",
        ])
        let kind = head.prefix { $0 != " " }
        if chance(15) {
            return ["<IfModule \(pick(["", "!"]))mod_access_compat.c>", "<\(head)>"] + checks() + [
                "</\(kind)>", "</IfModule>",
            ]
        }
        return ["<\(head)>"] + checks() + ["</\(kind)>"]
    }

    /// Checks of one kind, or of both.
    private mutating func checks() -> [String] {
        let (isOld, isNew) = pick([(true, false), (false, true), (false, true), (true, true)])
        return (isOld ? lists() : []) + (isNew ? requirements() : [])
    }

    private mutating func lists() -> [String] {
        var lines = chance(80) ? ["Order \(pick(["allow,deny", "Deny,Allow", "mutual-failure"]))"] : []
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            lines.append(
                "\(pick(["Allow", "deny"])) from \(pick(["all", "192.0.2", "127.0.0.0/8", "192.0.2.9 10", "::1"]))"
            )
        }
        return lines.isEmpty ? ["Order allow,deny"] : lines
    }

    private mutating func requirement() -> String {
        "Require \(pick(["all granted", "all granted", "all denied", "ip 192.0.2", "ip 127 10.0.0.0/8", "local", "method GET"]))"
    }

    private mutating func requirements() -> [String] {
        let ones = (0..<Int.random(in: 1...2, using: &random)).map { _ in requirement() }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            return ["<RequireAll>"] + ones + ["Require not ip \(pick(["192.0.2.0/24", "127.0.0.1"]))", "</RequireAll>"]
        case 1:
            return ["<RequireAny>"] + ones + [
                "<RequireAll>", requirement(), requirement(), "</RequireAll>", "</RequireAny>",
            ]
        case 2:
            return ["<RequireAll>"] + ones + [
                "<RequireNone>", "Require ip 192.0.2.9", "</RequireNone>", "</RequireAll>",
            ]
        case 3: return ["<RequireAll>"] + ones + ["</RequireAll>"]
        default: return ones
        }
    }

    private mutating func redirect() -> String {
        let path = "/" + pick(Self.names)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return "Redirect \(pick(["301", "302", "308", "permanent"])) \(path) /moved/\(pick(Self.names))"
        case 1: return "Redirect gone \(path)"
        case 2: return "RedirectMatch 301 ^/(\(pick(Self.names)))/(.*)$ https://other.example/$2/$1"
        default: return "RedirectPermanent \(path) https://other.example/\(pick(["", "x?y=1"]))"
        }
    }

    private mutating func rule() -> [String] {
        var lines: [String] = []
        if chance(8) {
            lines.append("RewriteRule \(pick(["^a", "shop", "^(a|OLD)/"])) - [\(pick(["S=1", "C", "S=2,NC", "C,NC"]))]")
        }
        let count = chance(50) ? 0 : Int.random(in: 1...3, using: &random)
        var hasCapture = false
        for index in 0..<count {
            let isLast = index == count - 1
            var (text, pattern, captures) = condition()
            var flags: [String] = []
            if chance(20) { flags.append("NC") }
            if !isLast, chance(30) { flags.append("OR") }
            if chance(20), !pattern.hasPrefix("!") {
                pattern = "!" + pattern
                captures = false
            }
            if text.contains(" ") { text = "\"\(text)\"" }
            hasCapture = isLast && captures
            lines.append("RewriteCond \(text) \(pattern)" + (flags.isEmpty ? "" : " [\(flags.joined(separator: ","))]"))
        }
        lines.append(rewrite(captures: hasCapture))
        return lines
    }

    private mutating func condition() -> (String, String, Bool) {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: ("%{HTTP_HOST}", pick(["^www\\.(.+)$", "^example\\.com$", "^(shop|www)\\."]), true)
        case 1: ("%{REQUEST_URI}", pick(["^/a", "/(\\d+)$", "\\.html$", "^/(shop|old)/"]), false)
        case 2: ("%{QUERY_STRING}", pick(["^id=(\\d+)", "(^|&)y=(\\w+)", "^$", "debug"]), false)
        case 3: ("%{HTTPS}", pick(["off", "on", "=on", "!=on"]), false)
        case 4: ("%{REQUEST_METHOD}", pick(["=GET", "^POST$", "^(GET|HEAD)$"]), false)
        case 5: ("%{HTTP_USER_AGENT}", pick(["bad", "curl", "^Mozilla"]), false)
        case 6: ("%{REQUEST_FILENAME}", pick(["-f", "-d"]), false)
        case 7: ("%{HTTP:X-Forwarded-Proto}", pick(["=https", "^$", "http"]), false)
        case 8: ("%{REMOTE_ADDR}", pick(["^192\\.0\\.2\\.", "=127.0.0.1"]), false)
        case 9: ("%{THE_REQUEST}", pick(["\\s/old", "^GET", "\\.html[?\\s]"]), false)
        case 10: ("%{HTTP_HOST}%{REQUEST_URI}", pick(["^example\\.com/a", "shop"]), false)
        case 11: ("%{DOCUMENT_ROOT}%{REQUEST_URI}", "-f", false)
        case 12: ("%{ENV:REDIRECT_STATUS}", pick(["^$", "=200"]), false)
        default: ("%{SERVER_PORT}", pick(["^443$", "=80"]), false)
        }
    }

    private mutating func rewrite(captures: Bool) -> String {
        let (pattern, groups) = pick([
            ("^\(pick(Self.names))$", 0), ("^\(pick(Self.names))/(.*)$", 1), ("^(.*)\\.html$", 1), ("^", 0), (".", 0),
            ("(.*)", 1), ("^(a|b)/([^/]+)/?$", 2), ("\\d+$", 0), ("[a-z]+/(\\d+)", 1), ("^/?old", 0), ("^/never", 0),
            ("shop|old", 0), ("^shop(/|$)", 1),
        ])
        var capture = groups > 0 && chance(60) ? "$\(Int.random(in: 1...groups, using: &random))" : pick(["n", "m/k"])
        if captures, chance(50) { capture = "%1" }
        let case_ = chance(15) ? ",NC" : ""
        switch Int.random(in: 0..<12, using: &random) {
        case 11: return "RewriteRule \(pattern) out/\(capture)"
        case 0: return "RewriteRule \(pattern) - [F\(case_)]"
        case 1: return "RewriteRule \(pattern) - [G\(case_)]"
        case 2: return "RewriteRule \(pattern) /new/\(capture) [R=\(pick(["301", "302", "307", "303"])),L\(case_)]"
        case 3:
            return
                "RewriteRule \(pattern) https://other.example/\(capture) [R=301,L\(pick(["", ",QSD", ",NE"]))\(case_)]"
        case 4: return "RewriteRule \(pattern) /new?was=\(capture) [R,L\(pick(["", ",QSA"]))\(case_)]"
        case 5: return "RewriteRule \(pattern) /in/\(capture) [\(pick(["L", "END"]))\(case_)]"
        case 6: return "RewriteRule \(pattern) page.php?q=\(capture) [\(pick(["L", "L,QSA", "END", "L,QSD"]))\(case_)]"
        case 7: return "RewriteRule \(pattern) - [L\(case_)]"
        case 8: return "RewriteRule \(pattern) - [R=404\(case_)]"
        case 9: return "RewriteRule !\(pattern) /else [L]"
        default: return "RewriteRule \(pattern) https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L,NE\(case_)]"
        }
    }

    // MARK: Requests

    mutating func requests(for text: String) -> [String] {
        (0..<TestSettings.apacheRequests)
            .map { _ in
                var path = ""
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    path += "/" + pick(Self.names.filter { !$0.contains(".") })
                }
                if chance(80) { path += "/" + pick(Self.names) }
                // A folder that does not exist is the name of a file for Apache.
                if path.isEmpty || chance(10) && !text.contains("<Files") { path += "/" }
                // Apache refuses a space that a capture takes into a query.
                if chance(5), !text.contains("=$"), !text.contains("=%") { path += "%20z" }
                let url = "\(pick(["http", "http", "https"]))://\(pick(Self.hosts))\(path)\(pick(Self.queries))"
                var members = ["\"url\": \"\(url)\""]
                var headers: [String] = []
                if chance(50) { headers.append("\"User-Agent\": \"\(pick(Self.agents))\"") }
                if chance(15) { headers.append("\"X-Forwarded-Proto\": \"https\"") }
                if !headers.isEmpty { members.append("\"headers\": {\(headers.joined(separator: ", "))}") }
                if chance(15) { members.append("\"remote_addr\": \"192.0.2.9\"") }
                return "{\(members.joined(separator: ", "))}"
            }
    }
}
