import TestFolder
import Testing

/// `shunt diff` of lists.
@Suite("The changes by an edited row of a list")
struct ListDifferenceTests {
    /// The directive, the name of the list, its text before and after, and true if a request shows the change.
    static let edits: [(directive: String, name: String, old: String, new: String, isShown: Bool)] = [
        ("block networks l;", "l", "192.0.2.0/24", "192.0.2.0/25", true),
        ("block networks l;", "l", "10.0.0.0/9", "10.0.0.0/8", true),
        ("server { block networks l; return 204; }", "l", "10.0.0.1-10.0.0.5", "10.0.0.1-10.0.0.9", true),
        ("block agents l;", "l", "/^foo[a-m]/", "/^foo[a-z]/", false), ("block agents l;", "l", "BadBot", "Bad", true),
        ("redirects _redirects;", "_redirects", "/a/:x /b/:x", "/a/* /b/:splat", true),
        ("redirects l.csv;", "l.csv", bulk("false,false,false"), bulk("true,false,false"), true),
        ("redirects l.csv;", "l.csv", bulk("false,false,false"), bulk("false,false,true"), true),
        ("redirects l.csv;", "l.csv", bulk("false,false,false"), bulk("false,true,false"), true),
        ("redirects v.json;", "v.json", vercel("\\\\d+"), vercel("\\\\w+"), true),
        ("redirects l;", "l", "/a /b", "/a /c", true),
    ]

    @Test(
        "Another option of a list is shown by a request",
        arguments: [
            ("query=drop", "?a=b"), ("slash=either", "/a/"), ("case=either", "/A"), ("status=302", "redirect 302"),
            ("host=b.example", "https://www.example.com/a"),
        ]
    )
    func options(option: String, shown: String) throws {
        let folder = try TestFolder([
            "o/a.conf": "redirects l;", "o/l": "/a /b\n", "n/a.conf": "redirects l \(option);", "n/l": "/a /b\n",
        ])
        let text = try folder.run(["diff", "o", "n"]).text
        #expect(text.contains(shown) && text.contains("outcomes change;"), "\(text)")
        #expect(!text.contains("no test request found"), "\(text)")
    }

    private static func bulk(_ flags: String) -> String {
        "source_url,target_url,status_code,preserve_query_string,include_subdomains,subpath_matching\n"
            + "a.example/x,https://b.example/,301,\(flags)"
    }

    private static func vercel(_ digits: String) -> String {
        #"{"redirects": [{"source": "/a/:x(\#(digits))", "destination": "/b/:x"}]}"#
    }

    @Test("It is shown by a request, or is not called without effect", arguments: edits)
    func edited(directive: String, name: String, old: String, new: String, isShown: Bool) throws {
        let folder = try TestFolder([
            "o/a.conf": directive, "o/\(name)": old, "n/a.conf": directive, "n/\(name)": new,
        ])
        let outcome = try folder.run(["diff", "o", "n"])
        #expect(outcome.status == 1, "\(outcome.text)")
        #expect(outcome.text.contains("no proof that it changes nothing") == !isShown, "\(outcome.text)")
    }

    @Test("A row of JSON over several lines is judged as one")
    func rowsOfJSON() throws {
        func list(_ target: String) -> String {
            "{\n\"redirects\": [\n{\n\"source\": \"/a\",\n\"destination\": \"\(target)\"\n}\n]\n}\n"
        }
        let folder = try TestFolder([
            "o/a.conf": "redirects v.json;", "o/v.json": list("/b"), "n/a.conf": "redirects v.json;",
            "n/v.json": list("/c"),
        ])
        let text = try folder.run(["diff", "o", "n"]).text
        #expect(text.contains(#"{ "source": "/a", "destination": "/c" }"#), "\(text)")
        #expect(text.contains("/a\n") && !text.contains("no test request found"), "\(text)")
    }

    @Test(
        "A line that a blocklist gains or loses is shown by a request",
        arguments: [
            ("evil.example", "https://a.evil.example/"), ("0.0.0.0\tevil.example # ads", "https://evil.example/"),
            ("||evil.example^", "https://evil.example/"), ("*.evil.example", "https://a.evil.example/"),
        ]
    )
    func blocklist(line: String, url: String) throws {
        let folder = try TestFolder([
            "o/a.conf": "blocklist l;", "o/l": "a.example\n", "n/a.conf": "blocklist l;", "n/l": "a.example\n\(line)\n",
        ])
        let added = try folder.run(["diff", "o", "n"]).text
        #expect(added.contains("forward \(url) → block 403") && !added.contains("no test request found"), "\(added)")
        let removed = try folder.run(["diff", "n", "o"]).text
        #expect(removed.contains("block 403 → forward \(url)"), "\(removed)")
    }

    @Test("Rows that are left out need no request, and a space in a row is one of a path")
    func leftOut() throws {
        let folder = try TestFolder([
            "o/a.conf": "redirects l.csv;", "o/l.csv": "from,to\n/a b,/c\n/x,/x\n/y#z,/c\nrelative,/c\n",
            "n/a.conf": "redirects l.csv;", "n/l.csv": "from,to\n/a b,/c\n",
        ])
        let outcome = try folder.run(["diff", "o", "n"])
        #expect(!outcome.text.contains("no test request found"), "\(outcome.text)")
        let examples = try folder.run(["examples", "--rules", "n", "--as", "lines"])
        #expect(examples.text.contains("/a%20b"), "\(examples.text)\(examples.errors)")
    }

    @Test("Requests of logs are distinguished by what a list reads")
    func traffic() throws {
        let lines = (1...4).map { #"{"url": "http://a/", "remote_addr": "192.0.2.\#($0)"}"# }
        let agents = ["good", "bad"].map { #"{"url": "http://a/", "headers": {"User-Agent": "\#($0)"}}"# }
        let folder = try TestFolder([
            "o/a.conf": "server { return 200; }",
            "n/a.conf": "block networks l; server { block agents a; return 200; }",
            "n/l": "192.0.2.3", "n/a": "bad", "requests": (lines + agents).joined(separator: "\n"),
        ])
        let text = try folder.run(["diff", "o", "n", "--requests", "requests", "--no-witnesses"]).text
        #expect(text.contains("6 requests, 6 distinct") && text.contains("changed  2 "), "\(text)")
    }
}
