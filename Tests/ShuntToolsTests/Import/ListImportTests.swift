import Shunt
import ShuntRules
import Testing

@testable import ShuntTools

/// Lists of redirects as rules: each decides as its row does.
@Suite("Rules made of lists of redirects")
struct ListImportTests {
    /// The name of a list, its options, its text, and URLs that are asked of the list and of the rules.
    static let lists: [(name: String, options: String, text: String, urls: String)] = [
        (
            "l.txt", "",
            "/a /b\n/c /d?x=1 302\n/e /f#s\n/g 410\n/h/* /i/:splat\n/j https://x.test/%2F\n/k /l 307\n/m?x=1 /n\n"
                + "h.test/o /p\n/o /q\n/caf\u{e9} /r\n/s.t /u\n",
            "/a /a?y /a/ /A /c /c?y=2 /e /e?y /g /h/1/2?y /h/a%20b /j /j?y /k /k?y /m?x=1 /m /m?x=2 /o //h2.test/o /caf%C3%A9 /s.t /sxt"
        ),
        (
            "l.txt", "query=drop slash=either case=either", "/a /b\n/C/ /d\n/e/* /f/:splat\n",
            "/a?x /A/ /c /C/?y /e /E/1/?z"
        ),
        ("l.txt", "query=exact status=308", "/a /b\n/a?x=1 /c\n", "/a /a?x=1 /a?x=2"),
        ("l.csv", "host=h.test base=https://n.test", "from,to\n/a,/b\n/c,https://z.test\n", "/a //h2.test/a /c?x"),
        (
            "_redirects", "", "# Pages\n/a/:x /b/:x\n/a/* /c 302\nhttp://h.test/d https://h.test/d 301!\n/e /f 200\n",
            "/a/1 /a/1/ /a/1/2 /d"
        ),
        (
            "b.csv", "",
            "h.test/,https://n.test/,301,false,true,true\nh.test/a,https://n.test/z,302,true\nhttps://h.test/a,https://n.test/y\n",
            "/a?x /b //s.h.test/c //xh.test/c /a/b"
        ),
        (
            "v.json", "",
            #"{"redirects": [{"source": "/a", "destination": "/b"}, {"source": "/c", "destination": "/d", "statusCode": 301}]}"#,
            "/a /a?x /c /c?x"
        ),
    ]

    @Test("A rule decides as its row does", arguments: lists)
    func decisions(name: String, options: String, text: String, urls: String) throws {
        let read = try RedirectListOptions(words: options)
        let imported = try ListImport.rules(named: name, bytes: Array(text.utf8), options: read)
        #expect(imported.notes.isEmpty, "\(imported.notes)")
        let files = InMemoryFileSystem([
            "/r/a.conf": "server { listen 80; redirects \(name) \(options); }", "/r/\(name)": text,
        ])
        let (list, rules) = (Engine(try RuleSet(path: "/r", from: files)), Engine(try RuleSet(text: imported.text)))
        for word in urls.split(separator: " ") {
            let url = "http:" + (word.hasPrefix("//") ? "\(word)" : "//h.test\(word)")
            let (expected, found) = (list.decide(RuleRequest(url: url)), rules.decide(RuleRequest(url: url)))
            #expect(Self.text(found) == Self.text(expected), "\(url)\n\(imported.text)")
        }
    }

    private static func text(_ decision: Decision) -> String {
        switch decision.action {
        case .redirect(let redirect): "\(redirect.status) \(redirect.location)"
        case .forward(let forward): "forward \(forward.url)"
        default: "\(decision.kind) \(decision.status ?? 0)"
        }
    }

    @Test("A row without a counterpart is a comment, and refuses where it did")
    func notes() throws {
        let text = "/a /b\n# Why\n/a /c\n/d /e/$x\n/f/* /g?x=:splat\n/h/* /i/:splat 308\n"
        let imported = try ListImport.rules(
            named: "_redirects",
            bytes: Array(text.utf8),
            options: RedirectListOptions()
        )
        #expect(imported.notes.map(\.line) == [3, 4, 5, 6])
        #expect((imported.count, imported.importedCount) == (5, 1))
        let refusal = "/i?a=$b 403\n"
        let refused = try ListImport.rules(named: "l", bytes: Array(refusal.utf8), options: RedirectListOptions())
        #expect(refused.notes.map(\.line) == [1])
        let engine = Engine(try RuleSet(text: refused.text))
        #expect(engine.decide(RuleRequest(url: "http://h.test/i?x")).status == 403)
        #expect(engine.decide(RuleRequest(url: "http://h.test/ix")).status != 403)
    }

    @Test("Rules have the lines and the comments of the list")
    func text() throws {
        let imported = try ListImport.rules(
            named: "_redirects",
            bytes: Array("# Shop\n/old /new\n/team/* /people/:splat 302\n".utf8),
            options: RedirectListOptions(words: "slash=exact")
        )
        #expect(
            imported.text == """
                # Imported from _redirects by shunt import redirects.

                server {
                    listen 80;

                    # Shop
                    rewrite ^/old$ /new permanent;  # _redirects:2
                    rewrite ^/team/((?s:.*))$ /people/$1 redirect;  # _redirects:3
                }

                """
        )
    }

    @Test("A file that is not a list is an error")
    func errors() {
        for (name, text) in [("v.json", "{"), ("l.txt", "<html>")] {
            #expect(throws: ImportError.self) {
                try ListImport.rules(named: name, bytes: Array(text.utf8), options: RedirectListOptions())
            }
        }
    }
}
