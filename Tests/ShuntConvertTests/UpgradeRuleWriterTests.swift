import Shunt
import Testing

@testable import ShuntConvert

@Suite("Converted rule sets of HTTPS Everywhere")
struct UpgradeRuleWriterTests {
    /// Rule sets in the shapes that the real ones have.
    private static let ruleSets = [
        ruleSet("all.xml", ["all.test", "www.all.test"], [("^http:", "https:")]),
        ruleSet(
            "several.xml",
            ["several.test", "www.several.test"],
            [
                ("^http://www\\.several\\.test/", "https://several.test/"),
                ("^http://several\\.test/(\\d{2,4})/", "https://several.test/year-$1/"),
                ("^http:", "https:"),
            ]
        ),
        ruleSet(
            "excluded.xml",
            ["*.excluded.test"],
            [("^http:", "https:")],
            ["^http://plain\\.excluded\\.test/", "/a{2}[;\"]"]
        ),
        ruleSet("wide.xml", ["*.wide.test"], [("^http://([\\w-]+)\\.wide\\.test/", "https://$1.wide.test/wide/")]),
        ruleSet("narrow.xml", ["*.narrow.wide.test"], [("^http:", "https:")]),
        ruleSet("exact.xml", ["exact.wide.test", "*.exact.wide.test"], [("^http:", "https:")], ["/not-here"]),
        ruleSet("right.xml", ["right.*", "mid.*.test"], [("^http:", "https:")]),
        ruleSet("number.xml", ["number.test"], [("^http://(o)?number\\.test/", "https://$12number.test/")]),
        ruleSet("dollar.xml", ["dollar.test"], [("^http://dollar\\.test/", "https://www.$dollar.test/")]),
        ruleSet("end.xml", ["end.test"], [("^http://end\\.test/?$", "https://end.test/start")]),
    ]

    private static func ruleSet(
        _ file: String,
        _ targets: [String],
        _ rules: [(String, String)],
        _ exclusions: [String] = []
    ) -> UpgradeRuleSet {
        UpgradeRuleSet(
            file: file,
            targets: targets,
            exclusions: exclusions,
            rules: rules.map { UpgradeRuleSet.Rule(from: $0, to: $1) }
        )
    }

    /// URLs and what the extension makes of them; nothing where it leaves them alone.
    private static let table: [(url: String, expected: String?)] = [
        ("http://all.test/a?b#c", "https://all.test/a?b#c"),
        ("http://WWW.ALL.test/", "https://WWW.ALL.test/"),
        ("https://all.test/", nil),
        ("http://other.all.test/", nil),
        ("http://www.several.test/x", "https://several.test/x"),
        ("http://several.test/1999/x", "https://several.test/year-1999/x"),
        ("http://several.test/1/x", "https://several.test/1/x"),
        ("http://a.b.excluded.test/", "https://a.b.excluded.test/"),
        ("http://plain.excluded.test/", nil),
        ("http://a.excluded.test/aa;", nil),
        ("http://a.excluded.test/aa\"", nil),
        ("http://a.excluded.test/aa", "https://a.excluded.test/aa"),
        ("http://excluded.test/", nil),
        ("http://x.wide.test/a", "https://x.wide.test/wide/a"),
        ("http://narrow.wide.test/a", "https://narrow.wide.test/wide/a"),
        ("http://x.narrow.wide.test/a", "https://x.narrow.wide.test/a"),
        ("http://exact.wide.test/a", "https://exact.wide.test/a"),
        ("http://exact.wide.test/not-here", "https://exact.wide.test/wide/not-here"),
        ("http://x.exact.wide.test/not-here", nil),
        ("http://right.test/", "https://right.test/"),
        ("http://right.co.test/", nil),
        ("http://mid.x.test/", "https://mid.x.test/"),
        ("http://mid.x.y.test/", nil),
        ("http://number.test/", "https://2number.test/"),
        ("http://dollar.test/x", "https://www.$dollar.test/x"),
        ("http://end.test", "https://end.test/start"),
        ("http://end.test/x", nil),
        ("http://nobody.test/", nil),
    ]

    @Test("the rules decide as the extension does")
    func decisions() throws {
        var writer = UpgradeRuleWriter()
        let engine = try Converted.engine(writer.files(for: Self.ruleSets))
        #expect(writer.problems == [])
        #expect(engine.ruleSet.diagnostics == [])
        for (url, expected) in Self.table {
            #expect(ExpectedURL(url: url, expected: expected).difference(by: engine) == nil)
            #expect(ExpectedURL(url: url, expected: "https://elsewhere.test/").difference(by: engine) != nil)
        }
    }

    @Test("a rule set that cannot be converted is named, and the others are converted")
    func problems() {
        var writer = UpgradeRuleWriter()
        let files = writer.files(for: [
            Self.ruleSet("bad.xml", ["a.test"], [("http:", "https:")]),
            Self.ruleSet("empty.xml", ["a.test"], []),
            Self.ruleSet("good.xml", ["b.test"], [("^http:", "https:")]),
        ])
        #expect(
            writer.problems == [
                "bad.xml: the expression \"http:\" is not anchored at the start of the URL",
                "empty.xml: there are no rules",
            ]
        )
        let text = """
            # good.xml
            match host b.test {
                rewrite_url ^http:(.*) https:$1 last;
            }

            """
        #expect(files == [UpgradeRuleWriter.File(name: "10-names-01.conf", text: text)])
    }
}

/// Converted rules, loaded.
enum Converted {
    static func engine(_ files: [UpgradeRuleWriter.File]) throws -> Engine {
        var fileSystem = InMemoryFileSystem()
        for file in files { fileSystem.set("/rules/" + file.name, .file(Array(file.text.utf8))) }
        return Engine(try RuleSet(path: "/rules", from: fileSystem))
    }
}
