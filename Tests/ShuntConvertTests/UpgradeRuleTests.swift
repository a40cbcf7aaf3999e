import Testing

@testable import ShuntConvert

@Suite("Rules of HTTPS Everywhere")
struct UpgradeRuleTests {
    private static let table: [(from: String, to: String, expression: String, replacement: String)] = [
        ("^http:", "https:", "^http:(.*)", "https:$1"),
        ("^http://(a|b)\\.c/", "https://$1.d/", "^http://(a|b)\\.c/(.*)", "https://$1.d/$2"),
        ("^http://(?:x(?=y)(?!z))/(q)", "https://$1", "^http://(?:x(?=y)(?!z))/(q)(.*)", "https://$1$2"),
        ("^http://a/$", "https://a/b", "^http://a/$", "https://a/b"),
        ("^http://a/\\$", "https://a/", "^http://a/\\$(.*)", "https://a/$1"),
        ("^http://[(]\\(/", "https://a/", "^http://[(]\\(/(.*)", "https://a/$1"),
        ("^http://(o)/", "https://$12/", "^http://(o)/(.*)", "https://$12/$2"),
        ("^http://a/", "https://www.$a/", "^http://a/(.*)", "https://www.${dollar}a/$1"),
        ("^http://(a)/", "https://$2/$0/$", "^http://(a)/(.*)", "https://${dollar}2/${dollar}0/${dollar}$2"),
    ]

    @Test("the expression takes in the rest of the URL, the replacement puts it back", arguments: table)
    func conversion(from: String, to: String, expression: String, replacement: String) throws {
        let rule = try UpgradeRule(UpgradeRuleSet.Rule(from: from, to: to))
        #expect(rule.expression == expression)
        #expect(rule.replacement == replacement)
        #expect(rule.usesDollar == replacement.contains("dollar"))
    }

    private static let refused: [(from: String, to: String, message: String)] = [
        ("http:", "https:", "the expression \"http:\" is not anchored at the start of the URL"),
        ("^a|^b", "c", "the expression \"^a|^b\" is not anchored at the start of the URL"),
        ("^(?<n>a)", "c", "the expression \"^(?<n>a)\" has a group of an unknown kind"),
        ("^(a)(a)(a)(a)(a)(a)(a)(a)(a)", "c", "the expression \"^(a)(a)(a)(a)(a)(a)(a)(a)(a)\" has more than 8 groups"),
        ("^a", "$&b", "\"$&\" in \"$&b\" is not supported"),
        ("^a", "$$b", "\"$$\" in \"$$b\" is not supported"),
    ]

    @Test("what cannot be said is refused", arguments: refused)
    func refusal(from: String, to: String, message: String) {
        #expect {
            try UpgradeRule(UpgradeRuleSet.Rule(from: from, to: to))
        } throws: {
            "\($0)" == message
        }
    }

    @Test("targets in the order in which hosts are looked up")
    func targets() throws {
        let texts = ["*.c", "a.b.*", "a.*.c", "x.a.b.c", "*.b.c", "*.a.b.c"]
        let targets = try texts.map { try Target($0) }.sorted { $0.step < $1.step }
        #expect(
            targets.map(\.matcherName) == [
                "x.a.b.c", "*.a.b.c", "*.b.c", "~^a\\.[^.]+\\.c$", "~^a\\.b\\.[^.]+$", "*.c",
            ]
        )
        for text in ["", "a..b", "*a.b", "*.*.a", "a b"] {
            #expect(throws: ConversionError.self, "\(text)") { try Target(text) }
        }
    }
}
