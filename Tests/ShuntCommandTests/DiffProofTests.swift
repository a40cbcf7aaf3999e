import Foundation
import TestFolder
import Testing

/// Proofs about edited rules without any request, and changes that logs judge.
@Suite("shunt diff: edited rules")
struct DiffProofTests {
    /// Two rule sets of one rule that is edited, and whether that is proved to change nothing.
    static let edits: [(old: String, new: String, isProved: Bool)] = [
        (
            "rewrite_url ^https://a/(\\d+)$ https://b/$1 301;", "rewrite_url ^https://a/([0-9]+)$ https://b/$1 301;",
            true
        ),
        (
            "rewrite_url ^https://a/(\\d+)$ https://b/$1 301;", "rewrite_url ^https://a/(\\w+)$ https://b/$1 301;",
            false
        ),
        // What is captured is another text.
        (
            "rewrite_url ^https://a/(x+)(x*)$ https://b/$1 301;",
            "rewrite_url ^https://a/(x+?)(x*)$ https://b/$1 301;", false
        ),
        // The names are those of the other groups.
        (
            "rewrite_url ^https://a/(?<x>b)(?<y>c)$ https://b/$x 301;",
            "rewrite_url ^https://a/(?<y>b)(?<x>c)$ https://b/$x 301;", false
        ),
        ("block ~ ^https://a/(b|c);", "block ~ ^https://a/[bc];", true),
        ("block ~ ^https://a/b;", "block ~ ^https://a/b 410;", false),
        ("server {\nlocation ~ ^/[ab]/ { return 204; }\n}", "server {\nlocation ~ ^/(?:a|b)/ { return 204; }\n}", true),
        // The end may be before a line feed, which a path may have.
        ("server {\nlocation ~ ^/a$ { return 204; }\n}", "server {\nlocation ~ ^/a\\z { return 204; }\n}", false),
        ("server {\nrewrite ^/a$ /b last;\n}", "server {\nrewrite ^/a$ /b break;\n}", true),
        (
            "server {\nrewrite ^/a$ /b last;\nrewrite ^/b$ /c last;\n}",
            "server {\nrewrite ^/a$ /b;\nrewrite ^/b$ /c last;\n}", false
        ),
        ("server {\nlocation /a { return 302 /b; }\n}", "server {\nlocation /a { return 302 /c; }\n}", false),
    ]

    @Test("An edited expression or flag that changes nothing is proved to, and no other", arguments: edits)
    func proofs(_ edit: (old: String, new: String, isProved: Bool)) throws {
        let folder = try TestFolder(["old.conf": edit.old, "new.conf": edit.new])
        let outcome = try folder.run(["diff", "old.conf", "new.conf"])
        #expect(outcome.text.contains("proved: no request changes") == edit.isProved, "\(outcome.text)")
        #expect(outcome.text.hasSuffix("(proved for 1 of 1 changed rules)\n") == edit.isProved)
        #expect(outcome.status == 0 || !edit.isProved)
        let known = try JSON(try folder.run(["diff", "old.conf", "new.conf", "--format", "json"]).text)
        let equal = known["structure"]["edited"][0]["equal"].string
        #expect((equal == "proved") == edit.isProved)
        #expect(equal != nil)
    }

    @Test("The argument that is another one is named, and whether requests are known that it changes")
    func argument() throws {
        let folder = try TestFolder([
            "old.conf": "server {\nlocation /a { return 302 /b; }\n}",
            "new.conf": "server {\nlocation /a { return 301 /b; }\n}",
        ])
        let outcome = try folder.run(["diff", "old.conf", "new.conf"])
        #expect(outcome.text.contains("           argument 1: 302 → 301\n"))
        let json = try JSON(try folder.run(["diff", "old.conf", "new.conf", "--format", "json"]).text)
        #expect(json["structure"]["edited"][0]["argument"].number == 1)
        #expect(json["structure"]["edited"][0]["equal"].string == "different")
    }

    @Test("White space in parentheses, and superfluous quotes, are not an edit")
    func form() throws {
        let folder = try TestFolder([
            "old.conf": "server { if ($arg_a = b) { return 301 /x; } location ~ ^/a { return 204; } }\n",
            "new.conf": "server { if ( $arg_a = b ) { return 301 '/x'; } location ~ \"^/a\" { return 204; } }\n",
        ])
        let same = try folder.run(["diff", "old.conf", "new.conf"])
        #expect(same.status == 0 && same.text.hasPrefix("rules: no changes\n"), "\(same.text)")
    }

    @Test("Another status is one group of all hits")
    func status() throws {
        let hits = (1...50).map { "http://a.test/a/\($0)\n" }.joined()
        let folder = try TestFolder([
            "old.conf": "server {\nlocation /a/ { return 302 /b; }\n}",
            "new.conf": "server {\nlocation /a/ { return 301 /b; }\n}", "urls.txt": hits + "http://a.test/other\n",
        ])
        let arguments = [
            "diff", "old.conf", "new.conf", "--requests", "urls.txt", "--no-witnesses", "--format", "json",
        ]
        let json = try JSON(try folder.run(arguments).text)
        #expect(json["traffic"]["changed"].number == 50)
        #expect(json["traffic"]["groups"][0]["kind"].string == "status")
        #expect(json["traffic"]["groups"][0]["weight"].number == 50)
        #expect(json["traffic"]["groups"][1].string == nil)
    }

    @Test("The same outcome by another rule is not a change, and is counted on request")
    func sameOutcome() throws {
        let folder = try TestFolder([
            "old.conf": "block host a.test;\n", "new.conf": "block ~ ^https?://a\\.test/;\n",
            "urls.txt": "https://a.test/\n",
        ])
        let arguments = ["diff", "old.conf", "new.conf", "--requests", "urls.txt", "--no-witnesses"]
        let plain = try folder.run(arguments)
        #expect(plain.status == 0)
        #expect(!plain.text.contains("by another rule"))
        let outcome = try folder.run(arguments + ["--show-same-outcome"])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("  1  block host a.test → block ~ ^https?://a\\.test/\n"))
    }

    @Test("One of many entries of a table is found with a request for it")
    func entries() throws {
        func rules(_ value: Int) -> String {
            let entries = (1...2_000).map { "/page-\($0) \($0 == 1_234 ? value : $0);\n" }.joined()
            return "map $uri $page { default 0;\n\(entries)}\nserver {\nif ($page = 7777) { return 204; }\n}\n"
        }
        let folder = try TestFolder([
            "old.conf": rules(1), "new.conf": rules(7_777), "urls.txt": "http://a/page-1234\n",
        ])
        let outcome = try folder.run(["diff", "old.conf", "new.conf", "--requests", "urls.txt", "--no-witnesses"])
        #expect(outcome.text.contains("           argument 1: 1 → 7777\n"), "\(outcome.text)")
        #expect(outcome.text.contains("  changed  1 (100 %)\n"))
    }

    @Test("10,000 requests without a change bound the share of others")
    func bound() throws {
        let lines = (1...100).map { #"{"url": "http://a.test/\#($0)", "weight": 100}"# + "\n" }.joined()
        let folder = try TestFolder([
            "old.conf": "block host b.test;\n", "new.conf": "block host c.test;\n", "urls.txt": lines,
        ])
        let outcome = try folder.run(["diff", "old.conf", "new.conf", "--requests", "urls.txt", "--no-witnesses"])
        #expect(
            outcome.text.hasSuffix("with 95 % confidence under 0.03 % of similar requests change\n"),
            "\(outcome.text)"
        )
    }
}
