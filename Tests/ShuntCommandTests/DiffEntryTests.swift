import TestFolder
import Testing

/// A changed entry of a table: a request with another outcome is found, or the answer is no.
@Suite("shunt diff: entries of tables")
struct DiffEntryTests {
    /// Entries of a map before and after, and the request that shows the change; nil where none does.
    static let entries: [(old: String, new: String, witness: String?)] = [
        ("~^/x /y;", "~*^/x /y;", "a.test/X"),
        ("~^/(a|b) /y;", "~^/(a|b|c) /y;", "a.test/c"),
        ("~^/(a|b|c) /y;", "~^/(a|b) /y;", "a.test/c"),
        ("~^/[a-z]+$ /y;", "~^/[a-z0-9]+$ /y;", "a.test/0"),
        // Keys are compared without regard to case.
        ("/x /y;", "~^/x$ /y;", "a.test/X"),
        ("~^/(a|b) /y;", "~^/(?:a|b) /y;", nil),
    ]

    @Test("An entry of a map that takes other values is shown by a request", arguments: entries)
    func maps(_ edit: (old: String, new: String, witness: String?)) throws {
        let rules = "server { server_name a.test; if ($m) { return 301 $m; } location / { return 204; } }\n"
        try expect(
            old: "map $uri $m { default \"\"; \(edit.old) }\n\(rules)",
            new: "map $uri $m { default \"\"; \(edit.new) }\n\(rules)",
            edit.witness
        )
    }

    @Test("Another size of a share is shown by a request", arguments: [("50%", "90%"), ("2%", "1%")])
    func shares(old: String, new: String) throws {
        func rules(_ share: String) -> String {
            "split_clients $arg_id $m { \(share) /x; * \"\"; } server { if ($m) { return 301 $m; } }\n"
        }
        try expect(old: rules(old), new: rules(new), "localhost/?id=")
    }

    @Test(
        "A rule or an entry that needs a second condition to change an outcome is not taken for one that changes nothing",
        arguments: [
            (
                "map $arg_x $m { default 0; 1 1; }", "map $arg_x $m { default 0; }",
                "location / { if ($m = 1) { rewrite ^/[0-9]+$ /12 redirect; } return 410; }"
            ),
            (
                "geo $g { default 0; 10.0.0.0/8 1; } map $g$request_method $n { default 0; 1POST 1; }",
                "geo $g { default 0; } map $g$request_method $n { default 0; 1POST 1; }",
                "location / { if ($n) { return 403; } return 204; }"
            ),
        ]
    )
    func joinedConditions(old: String, new: String, rules: String) throws {
        let server = "server { listen 80; server_name a.test; \(rules) }\n"
        let folder = try TestFolder(["old.conf": old + "\n" + server, "new.conf": new + "\n" + server])
        #expect(try folder.run(["diff", "old.conf", "new.conf"]).status == 1)
        #expect(try folder.run(["diff", "new.conf", "old.conf"]).status == 1)
    }

    @Test("A rewrite that continues in a location with a condition is not treated as one that changes nothing")
    func rewriteToCondition() throws {
        func server(_ rule: String) -> String {
            """
            server { server_name a.test; \(rule)
            location = /b { if ($request_method = POST) { return 403; } return 204; } location / { return 204; } }

            """
        }
        let folder = try TestFolder(["old.conf": server(""), "new.conf": server("rewrite ^/a/(.*)$ /$1;")])
        #expect(try folder.run(["diff", "old.conf", "new.conf"]).status == 1)
        #expect(try folder.run(["diff", "new.conf", "old.conf"]).status == 1)
    }

    @Test("Another order in an included file is shown by a request")
    func order() throws {
        let rules = "map $uri $m { default \"\"; include m.map; } server { if ($m) { return 301 $m; } }\n"
        let folder = try TestFolder([
            "old/a.conf": rules, "old/m.map": "~^/a /b;\n~^/ab /d;\n",
            "new/a.conf": rules, "new/m.map": "~^/ab /d;\n~^/a /b;\n",
        ])
        let outcome = try folder.run(["diff", "old", "new"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("localhost/ab\n"))
    }

    private func expect(old: String, new: String, _ witness: String?) throws {
        let folder = try TestFolder(["old.conf": old, "new.conf": new])
        let outcome = try folder.run(["diff", "old.conf", "new.conf"])
        #expect(outcome.status == 1)
        if let witness {
            #expect(outcome.text.contains("  1  \(witness)"), "\(outcome.text)")
        } else {
            #expect(outcome.text.contains("changes, and no proof that it changes nothing\n"))
        }
    }
}
