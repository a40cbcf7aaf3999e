import SeededRandom
import Shunt
import ShuntCore
import ShuntRules
import ShuntTools
import Testing

/// Fixed lists of redirects: what they decide is what the lists decided.
@Suite("Fixed lists of redirects")
struct RedirectListFixTests {
    private static func fix(_ name: String, _ options: String, _ text: String) -> RedirectListFix {
        var read = RedirectListOptions()
        for word in options.split(separator: " ") { #expect(read.take(String(word)) == nil) }
        return RedirectListFix(FormatSource(name: name, bytes: Array(text.utf8)), read)
    }

    /// A list, its options, and the list when it is fixed; nil where it stays unchanged.
    static let lists: [(name: String, options: String, text: String, fixed: String?)] = [
        ("l", "", "/a /b\n/b /c\n/c /d\n", "/a /d\n/b /d\n/c /d\n"),
        ("l", "", "/a -> /b\n/b /c;\n", "/a -> /c\n/b /c;\n"),
        // The next row is not a redirect.
        ("l", "", "/a /b\n/b 410\n", nil), ("l", "", "/a /b\n/b /c 200\n", nil), ("l", "", "/a /b 200\n/b /c\n", nil),
        // Another host.
        (
            "l", "", "https://a.test/a https://b.test/x\nhttps://b.test/x /y\n",
            "https://a.test/a https://b.test/y\nhttps://b.test/x /y\n"
        ),
        ("l", "base=https://w.test", "/a https://w.test/b\n/b /c\n", "/a /c\n/b /c\n"),
        ("l", "host=w.test", "/a https://w.test/b\n/b /c\n", "/a https://w.test/c\n/b /c\n"),
        ("l", "", "/a https://w.test/b\n/b /c\n", nil),
        // A status that promises more than both.
        ("l", "", "/a /b 301\n/b /c 302\n", nil), ("l", "", "/a /b 308\n/b /c 301\n", nil),
        ("l", "", "/a /b 301\n/b /c 303\n", nil),
        ("l", "", "/a /b 302\n/b /c 301\n", "/a /c 302\n/b /c 301\n"),
        ("l", "", "/a /b 307\n/b /c 308\n", "/a /c 307\n/b /c 308\n"),
        ("l", "", "/a /b 303\n/b /c 308\n", "/a /c 303\n/b /c 308\n"),
        // A query or a fragment that would be lost.
        ("l", "", "/a /b?x=1\n/b /c\n", nil), ("l", "", "/a /b#f\n/b /c\n", nil),
        ("l", "", "/a /b\n/b /c#f\n", "/a /c#f\n/b /c#f\n"),
        ("l", "", "/a /b\n/b /c\n/b?x=1 /d\n", nil), ("l", "", "/a /b\n/b /c\n/%42/?x=1 /d\n", nil),
        ("l", "", "/a /b\n/b /c\n/p?x=1 /d\n", "/a /c\n/b /c\n/p?x=1 /d\n"),
        ("l", "", "/a /b\n/b /c\nhttps://h.test/p /d\n", "/a /c\n/b /c\nhttps://h.test/p /d\n"),
        ("l", "", "/a /b\n/b /c\nhttps://h.test/b /d\n", nil),
        ("l", "", "/a /b\n/b /c\nh.test/* https://o.test/d\n", nil),
        ("l", "", "/a /b\n/b /c\n/x/../b?x=1 /d\n", nil),
        (
            "l.csv", "",
            "source,target,regex,code,type,hits,title,status\n/a,/b,0,301,url,1,,active\nb,/c,0,301,url,1,,active\n/x,/y,0,301,url,1,,disabled\n^/r/(.*)$,/s/$1,1,301,url,1,,active\n",
            "source,target,regex,code,type,hits,title,status\n/a,/c,0,301,url,1,,active\nb,/c,0,301,url,1,,active\n/x,/y,0,301,url,1,,disabled\n^/r/(.*)$,/s/$1,1,301,url,1,,active\n"
        ),
        ("l", "query=drop", "/a /b\n/b /c\n/b?x=1 /d\n", "/a /c\n/b /c\n/b?x=1 /d\n"),
        ("l", "query=exact", "/a /b\n/b /c\n/b?x=1 /d\n", "/a /c\n/b /c\n/b?x=1 /d\n"),
        ("l", "", "/a /b\n/b https://h.test:8443\n", "/a https://h.test:8443\n/b https://h.test:8443\n"),
        // Rows that other options make sound.
        ("l", "", "/c /c?x=1\n/d /e\n", "/d /e\n"), ("l", "query=exact", "/c /c?x=1\n", nil),
        ("l", "", "/a\n/b /c\n", "/b /c\n"), ("l", "status=410", "/a\n/b\n", nil),
        ("l", "slash=either", "/a /b\n/a/ /c\n", "/a /b\n"), ("l", "", "/a /b\n/a/ /c\n", nil),
        ("l.csv", "columns=to,from", "/a,/b\n/c,/b\n", "/a,/b\n"),
        ("l", "", "https://g.test/c /d\n/d /c\n", nil),
        // A text that would mean something else in the other row.
        ("l", "", "/w/* /b\n/b /c*\n", nil), ("_redirects", "", "/w/:x /b\n/b /c-:x\n", nil),
        ("_redirects", "", "/a /b\n/* /z\n/b /a\n", nil),
        ("l.csv", "", "from,to\n/a,/b\n/b,\"/c,d\"\n", "from,to\n/a,\"/c,d\"\n/b,\"/c,d\"\n"),
        ("l.csv", "", "from,to\n\"/a\", \" /b \"\n/b,\"/c,d\"\n", "from,to\n\"/a\", \" /c,d \"\n/b,\"/c,d\"\n"),
        ("l.csv", "", "from,to\n/a,/b\n/b,\"/c\"\"d\"\n", nil),
        ("l.csv", "", "from,to\n\"/a\"\"\",\"/b\"\n/b,/c\n", "from,to\n\"/a\"\"\",\"/c\"\n/b,/c\n"),
        // A quote that is closed in another line, and a first line that names the form.
        ("l.csv", "", "from,to\n\"/a,/b\n/c,/d\n/e,\"/f\"\n", nil),
        ("l", "", "a.test/x#f,https://b.test,301,TRUE\na.test/y,https://b.test/2\n", nil),
        ("l", "", "/a /a\n", "# no rows\n"), ("l", "", "/a /b/x\n/b/* /c\n", "/a /c\n/b/* /c\n"), ("l", "", "", nil),
        ("l.json", "", "[{\"source\": \"/a\", \"destination\": \"/a\"}]", nil),
        // A list that cannot be read as lines of UTF-8.
        ("l.csv", "", "from,to\r/a,/b\r/c,/d\r\n", nil), ("l", "", "/\0a\0 \0/\0a\0\n\0", nil),
        ("l", "", "/a /a\r\n/b /c\r\n", "/b /c\r\n"),
    ]

    @Test("Rows are removed and chains are shortened where no request gets anything else by that", arguments: lists)
    func fixes(name: String, options: String, text: String, fixed: String?) {
        let fix = Self.fix(name, options, text)
        #expect(String(decoding: fix.bytes, as: UTF8.self) == fixed ?? text, "\(fix.changes)")
        let again = Self.fix(name, options, fixed ?? text)
        #expect(again.bytes == Array((fixed ?? text).utf8))
    }

    @Test("A row that stays is reported")
    func reports() {
        #expect(
            Self.fix("l.csv", "", "from,to,status\n/a,/b,301\n/b,/c,302\n\"/d\n/e,\"").changes == [
                "l.csv:2: not shortened: the next row does more than to lead on",
                "l.csv:4: not removed: a quote in this row ends in another line",
            ]
        )
        #expect(
            Self.fix("l", "", "a.test/x#f,https://b.test,301,TRUE\na.test/y,https://b.test/2\n").changes == [
                "l: unchanged: with these changes the other rows would mean something else"
            ]
        )
    }

    private static let optionSets = [
        "", "query=exact", "query=drop", "slash=either case=either", "base=https://h.test", "host=h.test",
    ]

    @Test("Requests end where they ended, with the same method, and last no longer", arguments: 1...8)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
        var changed = 0
        for _ in 0..<60 {
            let name = pick(["l", "l.csv", "_redirects", "l.bulk.csv"])
            let options = pick(Self.optionSets) + (name == "l.bulk.csv" ? " format=bulk" : "")
            let separator = name.hasSuffix(".csv") ? "," : " "
            var text = name == "l.csv" ? "from,to,status\n" : ""
            for _ in 0..<Int.random(in: 2...9, using: &random) {
                let origins =
                    name == "l.bulk.csv"
                    ? ["h.test", "https://h.test", "http://h.test"] : ["", "", "", "https://h.test", "https://g.test"]
                let from =
                    pick(origins)
                    + pick(["/a", "/b", "/c", "/d", "/b/", "/a?x=1", "/b?y=2", "/w/*", "/b*", "/", "/:x", "/b y=:y"])
                let to =
                    pick(name == "l.bulk.csv" ? ["https://h.test", "http://h.test"] : origins)
                    + pick([
                        "/a", "/b", "/c", "/d", "/b", "/c", "/b?x=1", "/d#f", "/c,d", "/e", "/w/1", "/:x", "/w/:splat",
                    ])
                let row = [
                    from, to.contains(",") && separator == "," ? "\"\(to)\"" : to,
                    pick(["", "301", "301", "302", "303", "307", "308", "200"]),
                ]
                text +=
                    row.joined(separator: separator)
                    + (name == "l.bulk.csv" ? ",\(pick(["", "TRUE"])),\(pick(["", "TRUE"])),\(pick(["", "TRUE"]))" : "")
                    + "\n"
            }
            let fix = Self.fix(name, options, text)
            let fixed = String(decoding: fix.bytes, as: UTF8.self)
            guard fixed != text else { continue }
            changed += 1
            let before = try Self.engine(name, options, text)
            let after = try Self.engine(name, options, fixed)
            for origin in ["http://h.test", "https://h.test", "https://g.test"] {
                for path in [
                    "/a", "/b", "/c", "/d", "/b/", "/a?x=1", "/b?y=2", "/b?x=1", "/a?y=2", "/w/1", "/bb", "/", "/A",
                ] {
                    let (old, new) = (Self.follow(origin + path, before), Self.follow(origin + path, after))
                    #expect(
                        old.end == new.end && old.method == new.method,
                        "\(origin + path) \(options)\n\(text)->\n\(fixed)"
                    )
                    #expect(old.isLasting || !new.isLasting, "\(origin + path) \(options)\n\(text)->\n\(fixed)")
                }
            }
        }
        #expect(changed > 20)
    }

    private static func engine(_ name: String, _ options: String, _ text: String) throws -> Engine {
        let files = InMemoryFileSystem(["/r/a.conf": "redirects \(name) \(options);", "/r/\(name)": text])
        return Engine(try RuleSet(path: "/r", from: files))
    }

    /// The end of the redirects of a URL, the least that is left of the method, and true if all are for ever.
    private static func follow(_ url: String, _ engine: Engine) -> (end: String, method: Int, isLasting: Bool) {
        var (url, fragment, method, isLasting) = (url, "", 2, true)
        for _ in 0..<25 {
            let decision = engine.decide(RuleRequest(url: url))
            guard case .redirect(let redirect) = decision.action else {
                if case .forward(let forward) = decision.action { url = forward.url }
                return ("\(decision.kind) \(decision.status ?? 0) \(url)\(fragment)", method, isLasting)
            }
            let location = redirect.location
            url = String(location.prefix { $0 != "#" })
            if url != location { fragment = String(location.dropFirst(url.count)) }
            method = min(method, redirect.status == 303 ? 0 : redirect.status < 303 ? 1 : 2)
            isLasting = isLasting && [301, 308].contains(redirect.status)
        }
        return ("circle", 0, true)
    }
}
