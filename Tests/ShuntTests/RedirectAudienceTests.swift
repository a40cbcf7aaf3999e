import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// Rows of `_redirects` with conditions by country, language and role.
@Suite("Rows of redirects for some clients")
struct RedirectAudienceTests {
    private static let list = """
        /        /at         302  Country=de,AT
        /        /en         302  Language=en
        /        /fr         302  Country=ch Language=fr
        /shop/   /store      301  Country=jp
        /admin/* 200!             Role=admin
        /admin/* /login      302
        /q id=:i /item/:i    302  Country=us
        /m/*     /jp/:splat  301  Country=jp
        """

    private static func rules(_ directive: String, _ text: String = list) throws(RuleSetError) -> RuleSet {
        try RuleSet(path: "/r", from: InMemoryFileSystem(["/r/a.conf": directive, "/r/_redirects": text]))
    }

    private static let options = "country=$http_x_country language=$http_x_language role=$http_x_roles"

    /// The path, the country, the language and the roles of a request, and what the first row that applies does.
    static let requests: [(path: String, country: String, language: String, roles: String, decision: String)] = [
        ("/", "AT", "", "", "302 /at"), ("/", "de", "en", "", "302 /at"), ("/", "dex", "", "", "as is"),
        ("/", "ch", "fr-CH,fr;q=0.9", "", "302 /fr"), ("/", "ch", "de", "", "as is"), ("/", "", "EN-us", "", "302 /en"),
        ("/", "", "eng", "", "as is"), ("/", "", "", "", "as is"), ("/", "jp", "", "", "as is"),
        ("/shop", "jp", "", "", "301 /store"), ("/shop/", "jp", "", "", "301 /store"), ("/shop/", "", "", "", "as is"),
        ("/admin/x", "", "", "user, admin", "as is"), ("/admin/x", "", "", "administrator", "302 /login"),
        ("/admin/x", "", "", "", "302 /login"), ("/q?id=7", "us", "", "", "302 /item/7"),
        ("/q?id=7", "uk", "", "", "as is"), ("/m/z", "JP", "", "", "301 /jp/z"),
    ]

    @Test("A row applies where a word of the variable is one of its values", arguments: requests, [false, true])
    func decides(
        _ row: (path: String, country: String, language: String, roles: String, decision: String),
        inServer: Bool
    ) throws {
        let directive = "redirects _redirects \(Self.options);"
        let rules = try Self.rules(inServer ? "server { absolute_redirect off; \(directive) return 200; }" : directive)
        #expect(rules.diagnostics.isEmpty)
        var request = RuleRequest(target: row.path, host: "h.test")
        request.headers = [
            .init("X-Country", row.country), .init("X-Language", row.language), .init("X-Roles", row.roles),
        ]
        for isLinear in [false, true] {
            var options = Engine.Options()
            options.isLinear = isLinear
            let decision = Engine(rules, options: options).decide(request)
            var found = "as is"
            if case .redirect(let redirect) = decision.action {
                let location = redirect.location
                found = "\(redirect.status) \(location.replacing("http://h.test", with: ""))"
            }
            #expect(found == row.decision, "\(row.path) \(row.country) \(row.language) \(row.roles)")
        }
    }

    @Test("A row without the variable that it needs is left out, and so is one with another condition")
    func unknown() throws {
        let rules = try Self.rules("redirects _redirects language=$http_x_language;")
        let list = try #require(rules.model.redirectLists.first)
        #expect(list.rows.filter(\.isLeftOut).map(\.line) == [1, 3, 4, 5, 7, 8])
        for row in ["/a /b 302 Cookie=x", "/a /b 302 Country=de nonsense", "/a /b 302 Country=", "/a 200 Cookie=x"] {
            let rules = try Self.rules("redirects _redirects \(Self.options);", row + "\n/c /d\n")
            #expect(rules.model.redirectLists.first?.rows.map(\.isLeftOut) == [true, false], "\(row)")
        }
        #expect(throws: RuleSetError.self) { try Self.rules("redirects _redirects country=de;") }
        #expect(throws: RuleSetError.self) { try Self.rules("redirects _redirects country=$no_such_variable;") }
    }

    @Test("Rows for some clients are in no loop, and two with the same condition contradict each other")
    func findings() throws {
        let text = "/a /b 302 Country=de\n/b /a 302 Country=at\n/a /c 302 Country=de\n/a /d 302 Country=fr\n"
        let rules = try Self.rules("redirects _redirects \(Self.options);", text)
        let list = try #require(rules.model.redirectLists.first)
        #expect(list.rows.map(\.isLeftOut) == [false, false, true, false])
    }
}
