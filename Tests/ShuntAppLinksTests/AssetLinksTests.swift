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

    @Test("All of the format is read, and writing it gives the same again")
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

    @Test(
        "What is wrong is reported with its place and what to do",
        arguments: [
            ("{}", "1:1: error: the file is a list of statements, not an object = put brackets around it"),
            ("[]", "1:1: warning: the file says nothing"),
            ("[7]", "1:2: error: a statement is an object, not a number"),
            ("[{\"include\": \"http://a.test/\"}]", "1:14: error: an include is an https URL"),
            ("[{\"relation\": []}]", "1:2: error: the statement has no \"target\""),
            (
                "[{\"relations\": [], \"target\": WEB}]",
                "1:3: error: a statement has no member \"relations\" = did you mean \"relation\"?"
            ),
            (
                "[{\"relation\": [\"delegate_permission/common.handle_all_url\"], \"target\": WEB}]",
                "1:16: error: \"delegate_permission/common.handle_all_url\" is no relation in use = did you mean \"delegate_permission/common.handle_all_urls\"?"
            ),
            ("[{\"relation\": [\"x/y\"], \"target\": WEB}]", "1:16: warning: \"x/y\" is no relation in use"),
            ("[{\"relation\": [\"x\"], \"target\": WEB}]", "1:16: error: \"x\" is no relation"),
            ("[{\"relation\": [], \"target\": {}}]", "1:29: error: the target has no \"namespace\""),
            (
                "[{\"relation\": [], \"target\": {\"namespace\": \"android\"}}]",
                "1:43: error: there is no namespace \"android\""
            ),
            (
                "[{\"relation\": [], \"target\": {\"namespace\": \"web\", \"site\": \"https://a.test/\"}}]",
                "1:58: error: \"https://a.test/\" is no website"
            ),
            ("[{\"relation\": [], \"target\": {\"namespace\": \"web\"}}]", "1:29: error: the target has no \"site\""),
            (app("com.example.app", "[]"), "error: without a fingerprint no app is meant"),
            (app("app", "[\"PRINT\"]"), "error: \"app\" is no package name"),
            (app("com.9x", "[\"PRINT\"]"), "error: \"com.9x\" is no package name"),
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
        let problems: [Diagnostic]
        do throws(AppLinksError) {
            problems = try AssetLinks(reading: Array(text.utf8)).warnings
        } catch {
            problems = error.diagnostics
        }
        #expect(problems.count == 1)
        #expect(problems.first.map(AppSiteAssociationTests.text)?.contains(expected) == true, "\(problems)")
    }

    private static func app(_ package: String, _ prints: String) -> String {
        "[{\"relation\": [], \"target\": {\"namespace\": \"android_app\", \"package_name\": \"\(package)\", \"sha256_cert_fingerprints\": \(prints)}}]"
    }
}
