import Shunt
import ShuntCore
import Testing

@testable import ShuntRules

/// Files that are not lists as a whole, and lines and rows that spreadsheets and other programs add.
@Suite("Files in the place of lists")
struct ListMistakeTests {
    private static func rules(_ directive: String, _ bytes: [UInt8]) throws(RuleSetError) -> RuleSet {
        var files = InMemoryFileSystem(["/r/a.conf": directive])
        files.set("/r/l.csv", .file(bytes))
        return try RuleSet(path: "/r", from: files)
    }

    @Test(
        "A list in UTF-16 or with lines of old Macs is refused as a whole",
        arguments: [
            "redirects l.csv;", "block networks l.csv;", "block agents l.csv;", "blocklist l.csv;",
            "geo $a { include l.csv 1; }", "map $host $a { include l.csv 1; }",
        ]
    )
    func encodings(directive: String) throws {
        let utf16 = "/a,/b\n".utf8.flatMap { [$0, 0] as [UInt8] }
        let mixed = "192.0.2.1\r192.0.2.2\r192.0.2.3\r\n"
        for (bytes, part) in [
            ([0xff, 0xfe] + utf16, "UTF-16"), (utf16, "UTF-16"), ([0] + utf16.dropLast(), "UTF-16"),
            (Array("192.0.2.1\r192.0.2.2\r".utf8), "carriage return"), (Array(mixed.utf8), "carriage return"),
        ] {
            let error = try #require(throws: RuleSetError.self) { try Self.rules(directive, bytes) }
            #expect(error.diagnostics.contains { $0.code == "invalid-list" && $0.message.contains(part) })
        }
    }

    @Test("Networks that leave a part of the clients out are a list as others")
    func mostNetworks() throws {
        for text in ["1.0.0.0-9.255.255.255\n11.0.0.0-223.255.255.255\n", "0.0.0.0/1\n", "2000::/4\n::/3\n"] {
            #expect(try Self.rules("block networks l.csv;", Array(text.utf8)).diagnostics.isEmpty)
        }
    }

    @Test("Lines of another form in a list of keys are left out and reported")
    func keys() throws {
        let text = "a.test # why;\nb.test;\nc.test 1;\n~^d\n*.e.test\nf.test; # why\n"
        for (hostnames, left) in [("", [2, 3, 4, 5, 6]), ("hostnames;", [2, 3, 4, 6])] {
            let map = "map $host $a { \(hostnames) include l.csv 1; } server { listen 80; return 200 $a; }"
            let rules = try Self.rules(map, Array(text.utf8))
            #expect(rules.diagnostics.map(\.code) == ["invalid-rows"])
            #expect(rules.diagnostics.flatMap(\.notes).map(\.location.line) == left)
        }
    }

    @Test(
        "Rows without a cell and the head of named columns are not rows",
        arguments: [
            ("", "from,to\n/a,/b\n,\n\"\",\"\"\n , ,\n"), ("columns=from,to", "Old,New\n/a,/b\n,,,\n"),
            ("columns=to,from", "sep=;\nNew;Old\n/b;/a\n"), ("columns=-,from,to", "7,/a,/b\n"),
        ]
    )
    func rows(options: String, text: String) throws {
        let rules = try Self.rules("redirects l.csv strict \(options);", Array(text.utf8))
        #expect(rules.model.redirectLists.first?.rows.count == 1)
        let decision = Engine(rules).decide(RuleRequest(url: "https://h.test/a"))
        guard case .redirect(let redirect) = decision.action else { return #expect(Bool(false)) }
        #expect(redirect.location == "https://h.test/b")
    }

    @Test(
        "A row with a URL or a number is not a head",
        arguments: [
            ("columns=from,to", "old,/new\n/a,/b\n"), ("columns=from,status", "old,410\n/a,410\n"),
            ("columns=from,-,status", "old,,410\n/a,x,410\n"), ("format=csv", "alpha,beta,302\n/a,/b,302\n"),
        ]
    )
    func firstRow(options: String, text: String) throws {
        let rules = try Self.rules("redirects l.csv \(options);", Array(text.utf8))
        #expect(rules.model.redirectLists.first?.rows.map(\.isLeftOut) == [true, false])
    }

    @Test(
        "Invisible signs alone are not a word, wherever they are",
        arguments: ["_redirects", "plain"],
        [
            "/a /b \u{feff}", "/a /b \u{200b} 302\n", "/a \u{200b} /b\n", "\u{200b} /a /b\n", "\u{a0}\n/a /b\n\u{200b}",
            "/a /b\n\u{200b} # x",
        ]
    )
    func invisibleWords(form: String, text: String) throws {
        let rules = try Self.rules("redirects l.csv format=\(form);", Array(text.utf8))
        #expect(rules.diagnostics.isEmpty)
        let decision = Engine(rules).decide(RuleRequest(url: "https://h.test/a"))
        guard case .redirect(let redirect) = decision.action else { return #expect(Bool(false)) }
        #expect(redirect.location == "https://h.test/b")
        #expect(redirect.status == (text.contains("302") ? 302 : 301))
    }
}
