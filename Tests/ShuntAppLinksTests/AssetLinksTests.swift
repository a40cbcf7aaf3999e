import Shunt
import ShuntAppLinks
import Testing

/// Google's file: what is read, what is reported, and where.
@Suite struct AssetLinksTests {
    static let print = Array(repeating: "AB", count: 32).joined(separator: ":")
    static let whole = """
        [
          {"include": "https://example.com/more.json"},
          {
            "relation": ["delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds"],
            "target": {"namespace": "android_app", "package_name": "com.example.app", "sha256_cert_fingerprints": ["\(print)"]},
            "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [
              {"?": {"web": "1"}, "exclude": true, "comments": "stays"},
              {"/": "/item/*"}
            ]}}
          },
          {"relation": ["delegate_permission/common.handle_all_urls"],
            "target": {"namespace": "android_app", "package_name": "com.example.two", "sha256_cert_fingerprints": ["\(print)"]}},
          {"relation": ["delegate_permission/common.get_login_creds"], "target": {"namespace": "web", "site": "https://www.example.com"}}
        ]
        """

    @Test("All of the format is read, and written unchanged")
    func reads() throws {
        let file = try AssetLinks(reading: Array(Self.whole.utf8))
        #expect(file.warnings.isEmpty)
        #expect(file.includes == ["https://example.com/more.json"])
        #expect(file.statements.map(\.relations.count) == [2, 1, 1])
        #expect(file.statements[2].target == .site("https://www.example.com"))
        #expect(file.statements[0].components?.map(\.comment) == ["stays", nil])
        #expect(try AssetLinks(reading: file.json()).json() == file.json())
    }

    @Test(
        "The components of a statement decide, else the app",
        arguments: [
            ("https://example.com/item/7", AppLinkAnswer.Outcome.opens),
            ("https://example.com/item/7?web=1", .excluded), ("https://example.com/other", .unmatched),
        ]
    )
    func explains(url: String, outcome: AppLinkAnswer.Outcome) throws {
        let answers = try AssetLinks(reading: Array(Self.whole.utf8)).explain(url)
        #expect(answers.map(\.app) == ["com.example.app", "com.example.two"])
        #expect(answers.map(\.outcome) == [outcome, .leftToApp])
    }

    private static func explain(_ components: String, _ target: String) throws -> AppLinkAnswer.Outcome {
        let file = """
            [{"relation": ["delegate_permission/common.handle_all_urls"],
              "target": {"namespace": "android_app", "package_name": "com.example.app", "sha256_cert_fingerprints": ["\(print)"]},
              "relation_extensions": {"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": [\(components)]}}}]
            """
        return try AssetLinks.tolerant(reading: Array(file.utf8), named: "file").explain("https://e.test\(target)")[0]
            .outcome
    }

    @Test(
        "Patterns as AOSP's parser and glob compare them",
        arguments: [
            ("foobar", ["foobar"], ["foo.bar"]),
            ("foo.bar", ["foo.bar"], ["foobar", "foodbar"]),
            ("foo*", ["foo", "foobar", "foo.bar"], ["fo", "barfoo"]),
            ("foo.*", ["foo.", "foo.bar"], ["foo", "foobar"]),
            ("*bar", ["foobar", "bar", ".bar"], ["foo", "barfoo", "barfoobar", "abcbar"]),
            ("*.bar", [".bar", "foo.bar"], ["bar", "foobar", ".bar.bar", "foo.b.bar"]),
            ("foo*bar", ["foobar", "foo.bar", "foofoobar"], ["foobarbar", "f.bar"]),
            ("foo*.bar", ["foo.bar", "foobar.bar"], ["foobar", "foo.bar.bar"]),
            ("*foo*bar", [".foo.bar", "xfoozbar", "foobar"], ["barfoo", "foobbar", "ffoobar"]),
            ("foo?bar", ["foo.bar", "foobbar"], ["foobar"]),
            ("foo*?bar", ["foo.bar", "foofoo.bar"], ["foobar", "foobarbar"]),
            ("?*bar", ["bbar", ".bar", "foo.bar"], ["bar"]),
            ("foo?*bar", ["foo.bar", "foobarbar"], ["foobar", "foo.bar.bar"]),
            ("foo?*bar*", ["foo.bar", "foobarbar", "foo.bar.bar.foo"], ["foobar", "foo.ba.bar"]),
            ("bar?*", ["barfoo", "bar."], ["bar", "foobar"]),
            ("foo[a-z]*", ["foo%5Ba-z%5D"], ["fooz"]),
        ] as [(String, [String], [String])]
    )
    func patterns(pattern: String, takes: [String], refuses: [String]) throws {
        for text in takes { #expect(try Self.explain("{\"#\": \"\(pattern)\"}", "/#\(text)") == .opens, "\(text)") }
        for text in refuses {
            #expect(try Self.explain("{\"#\": \"\(pattern)\"}", "/#\(text)") == .unmatched, "\(text)")
        }
    }

    static let documented =
        ##"{"?":{"dl":"*"}},{"#":"app"},{"/":"/products/*"},{"/":"/shoes","?":{"in_app":"true"}},{"/":"*","exclude":true}"##

    @Test(
        "Components as Google's page and AOSP compare them",
        arguments: [
            (documented, "/admin", AppLinkAnswer.Outcome.excluded), (documented, "/products/7", .opens),
            (documented, "/x?dl=1", .opens), (documented, "/x#app", .opens), (documented, "/shoes?in_app=true", .opens),
            (documented, "/shoes", .excluded),
            (#"{"?":{"dl":"*","in_app":"true"}}"#, "/?in_app=true&dl=abc", .opens),
            (#"{"?":{"dl":"*","in_app":"true"}}"#, "/?lang=en&in_app=true&tz=pst&dl=abc", .opens),
            (#"{"?":{"dl":"*","in_app":"true"}}"#, "/?lang=en&tz=pst&dl=abc", .unmatched),
            (#"{"?":{"id":"42"}}"#, "/?id=7&id=42", .opens), (#"{"?":{"id":"42"}}"#, "/?id=7;id=42", .opens),
            (##"{"?":{"id":"42"}}"##, "/", .unmatched), (##"{"#":"*"}"##, "/", .unmatched),
            (##"{"#":"*"}"##, "/#", .opens),
            (#"{"/":"/café/*"}"#, "/caf%C3%A9/x", .opens), (#"{"/":"/caf%C3%A9/*"}"#, "/caf%C3%A9/x", .unmatched),
            (#"{"/":"/a/*-x"}"#, "/a/b-x", .opens), (#"{"/":"/a/*-x"}"#, "/a/b-c-x", .unmatched),
            (#"{"/":"/about"}"#, "/about/", .unmatched), ("{}", "/", .unmatched),
            ("", "/x", .leftToApp), (#"{"/":""}"#, "/x", .leftToApp), (#"{"/":"/x","?":"a=1"}"#, "/x", .leftToApp),
            (#"{"/":"/y"},{"/":7}"#, "/x", .leftToApp),
            (#"{"comment":"x"}"#, "/x", .unmatched), (#"{"/":"/x","excluded":true}"#, "/x", .opens),
        ]
    )
    func explainsComponents(components: String, target: String, outcome: AppLinkAnswer.Outcome) throws {
        #expect(try Self.explain(components, target) == outcome)
    }

    @Test(
        "Mistakes in components are reported with what to do",
        arguments: [
            (documented, []),
            (#"{"/":"/café/*"}"#, []),
            (#"{"/":"/caf%C3%A9/*"}"#, ["warning: Android compares decoded URLs = write \"/café/*\""]),
            (#"{"/":"x"}"#, ["warning: a path begins with \"/\" = write \"/x\""]),
            (#"{"/":"/b/*?"}"#, ["warning: after \"*\" Android looks for the next character = write \"/b/?*\""]),
            (#"{"/":"/a/**"}"#, ["warning: after \"*\" Android looks for the next character = write \"*\" once"]),
            (#"{"/":"/$(lang)/x"}"#, ["warning: Google's file has no variables = write a component for each value"]),
            (#"{"/":"/x","?":"a=1"}"#, ["error: \"?\" is an object, not a string = write {\"name\": \"value\"}"]),
            (
                #"{"/":""}"#,
                ["error: \"/\" is empty, so Android discards all components: the intent filters of the app decide"]
            ),
            (
                "",
                [
                    "warning: \"dynamic_app_link_components\" is empty, so Android discards it: the intent filters of the app decide"
                ]
            ),
            (
                #"{"comments":"x"}"#,
                [
                    "warning: a component without \"/\", \"?\" and \"#\" takes no URL on Android = write \"/\": \"*\" for every URL"
                ]
            ),
            (
                #"{"/":"/help/*"},{"/":"/help/x"}"#,
                ["warning: no URL gets here, since {\"/\":\"/help/*\"} takes all of them first = leave it out"]
            ),
            (#"{"/":"/help/*"},{"/":"/help"}"#, []),
            (
                #"{"/":"/x","comment":"c"}"#,
                ["warning: a component has no member \"comment\" = did you mean \"comments\"?"]
            ),
            (
                #"{"/":"/x","excluded":true}"#,
                ["error: a component has no member \"excluded\" = did you mean \"exclude\"?"]
            ),
            (
                #"{"/":"/c/(a|b)"}"#,
                ["warning: \"|\" is a text, not an alternative = write a component for each"]
            ),
            (
                #"{"/":"e.example/x"}"#,
                ["warning: a path has no host, and \"e.example\" is its first component = write \"/x\""]
            ),
        ] as [(String, [String])]
    )
    func reportsComponents(components: String, expected: [String]) {
        let text =
            "[{\"relation\": [\"delegate_permission/common.handle_all_urls\"], \"target\": {\"namespace\": \"android_app\", \"package_name\": \"com.example.app\", \"sha256_cert_fingerprints\": [\"\(Self.print)\"]}, \"relation_extensions\": {\"delegate_permission/common.handle_all_urls\": {\"dynamic_app_link_components\": [\(components)]}}}]"
        let found = Self.problems(text).map { AppSiteAssociationTests.text($0).split(separator: ": ", maxSplits: 1)[1] }
        #expect(found.map(String.init) == expected)
    }

    @Test("Components of one app may be there once; the manifest of a web app is a URL")
    func statements() {
        let one =
            "{\"relation\": [\"delegate_permission/common.handle_all_urls\"], \"target\": {\"namespace\": \"android_app\", \"package_name\": \"com.example.app\", \"sha256_cert_fingerprints\": [\"\(Self.print)\"]}, \"relation_extensions\": {\"delegate_permission/common.handle_all_urls\": {\"dynamic_app_link_components\": [{\"/\": \"/a\"}]}}}"
        #expect(Self.problems("[\(one)]").isEmpty)
        #expect(Self.problems("[\(one), \(one)]").map(\.code) == ["components-twice"])
        let web: (String) -> [String] = { site in
            Self.problems(
                "[{\"relation\": [\"delegate_permission/common.query_webapk\"], \"target\": {\"namespace\": \"web\", \"site\": \"\(site)\"}}]"
            )
            .map(\.message)
        }
        #expect(web("https://www.example.com/manifest.json").isEmpty)
        #expect(web("https://www.example.com") == ["\"https://www.example.com\" is not the URL of a manifest"])
    }

    static func problems(_ text: String) -> [Diagnostic] {
        do throws(AppLinksError) {
            return try AssetLinks(reading: Array(text.utf8)).warnings
        } catch {
            return error.diagnostics
        }
    }

    @Test(
        "Mistakes are reported with their place and what to do",
        arguments: [
            ("{}", "1:1: error: the file is a list of statements, not an object = put brackets around it"),
            ("[]", "1:1: warning: the file has no entries"),
            ("[7]", "1:2: error: a statement is an object, not a number"),
            ("[{\"include\": \"http://a.test/\"}]", "1:14: error: an include is an https URL"),
            ("[{\"relation\": []}]", "1:2: error: the statement has no \"target\""),
            (
                "[{\"relations\": [], \"target\": WEB}]",
                "1:3: error: a statement has no member \"relations\" = did you mean \"relation\"?"
            ),
            (
                "[{\"relation\": [\"delegate_permission/common.handle_all_url\"], \"target\": WEB}]",
                "1:16: error: \"delegate_permission/common.handle_all_url\" is not a relation in use = did you mean \"delegate_permission/common.handle_all_urls\"?"
            ),
            ("[{\"relation\": [\"x/y\"], \"target\": WEB}]", "1:16: warning: \"x/y\" is not a relation in use"),
            ("[{\"relation\": [\"x\"], \"target\": WEB}]", "1:16: error: \"x\" is not a relation"),
            ("[{\"relation\": [], \"target\": {}}]", "1:29: error: the target has no \"namespace\""),
            (
                "[{\"relation\": [], \"target\": {\"namespace\": \"android\"}}]",
                "1:43: error: there is no namespace \"android\""
            ),
            (
                "[{\"relation\": [], \"target\": {\"namespace\": \"web\", \"site\": \"https://a.test/x\"}}]",
                "1:58: error: \"https://a.test/x\" is not a website"
            ),
            (
                "[{\"relation\": [], \"target\": {\"namespace\": \"web\", \"site\": \"https://*.a.test\"}}]",
                "1:58: warning: a site is one host, and no host has \"*\" = write a statement for each host"
            ),
            (
                "[{\"relation\": [], \"target\": {\"namespace\": \"web\", \"site\": \"HTTPS://A.test/\"}}]",
                "1:15: warning: \"relation\" is empty, so the statement has no effect"
            ),
            ("[{\"relation\": [], \"target\": {\"namespace\": \"web\"}}]", "1:29: error: the target has no \"site\""),
            (app("com.example.app", "[]"), "error: without a fingerprint no app is meant"),
            (app("app", "[\"PRINT\"]"), "error: \"app\" is not a package name"),
            (app("com.9x", "[\"PRINT\"]"), "error: \"com.9x\" is not a package name"),
            (
                app("com.example.app", "[\"ab:cd\"]"),
                "error: a SHA-256 fingerprint is 32 pairs of hexadecimal digits = keytool"
            ),
            (
                app("com.example.app", "[\"\(String(repeating: "AB", count: 32))\"]"),
                "error: a SHA-256 fingerprint is 32 pairs of hexadecimal digits = put colons between the pairs"
            ),
            (
                app("com.example.app", "[\"\(Array(repeating: "AB", count: 20).joined(separator: ":"))\"]"),
                "error: this is a SHA-1 fingerprint, of 20 bytes"
            ),
            (
                app("com.example.app", "[\"\(Array(repeating: "ab", count: 32).joined(separator: ":"))\"]"),
                "error: a fingerprint has capital letters = write AB:AB"
            ),
        ]
    )
    func reports(text: String, expected: String) {
        let text = text.replacing("WEB", with: "{\"namespace\": \"web\", \"site\": \"https://a.test\"}")
            .replacing("PRINT", with: Self.print)
        let isEmpty: (Diagnostic) -> Bool = { $0.message.hasPrefix("\"relation\" is empty") }
        let problems = Self.problems(text).filter { !isEmpty($0) || expected.hasSuffix(isEmpty($0) ? "no effect" : "") }
        #expect(problems.count == 1)
        #expect(problems.first.map(AppSiteAssociationTests.text)?.contains(expected) == true, "\(problems)")
    }

    private static func app(_ package: String, _ prints: String) -> String {
        "[{\"relation\": [], \"target\": {\"namespace\": \"android_app\", \"package_name\": \"\(package)\", \"sha256_cert_fingerprints\": \(prints)}}]"
    }
}
