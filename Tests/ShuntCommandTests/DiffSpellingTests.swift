import TestFolder
import Testing

/// Rules that are written otherwise and mean the same, and such that only look so.
@Suite("shunt diff: another spelling of the same rules")
struct DiffSpellingTests {
    private static func server(_ rules: String) -> String {
        "server {\nlisten 80;\nserver_name a.example;\n\(rules)\n}\n"
    }

    static let spellings: [(old: String, new: String)] = [
        (server("return 301 https://${host}/x;"), server("return 301 https://$host/x;")),
        (
            server("location / { proxy_pass http://127.0.0.1; proxy_read_timeout 60m; }"),
            server("location / { proxy_pass http://127.0.0.1; proxy_read_timeout 1h; }")
        ),
        (server("expires 7d;\nroot /srv;"), server("expires 1w;\nroot /srv;")),
        (server("client_max_body_size 1m;\nroot /srv;"), server("client_max_body_size 1024k;\nroot /srv;")),
        (
            "map $uri $m { default ${host}/; }\n" + server("return 200 $m;"),
            "map $uri $m { default $host/; }\n" + server("return 200 $m;")
        ),
    ]

    @Test("Another spelling of the same is not a change", arguments: spellings)
    func spelling(_ change: (old: String, new: String)) throws {
        let folder = try TestFolder(["old/a.conf": change.old, "new/a.conf": change.new])
        let outcome = try folder.run(["diff", "old", "new"])
        #expect(outcome.lines.first == "rules: no changes", "\(outcome.text)")
        #expect(outcome.status == 0)
    }

    static let others: [(old: String, new: String)] = [
        // The letter belongs to the name.
        ("return 301 /${host}s;", "return 301 /$hosts;"),
        ("location = /${a} { return 404; }", "location = /$a { return 404; }"),
        ("client_max_body_size 1m;", "client_max_body_size 60;"),
    ]

    @Test("A text that only resembles another spelling is a change", arguments: others)
    func otherSpelling(_ change: (old: String, new: String)) throws {
        func set(_ rules: String) -> String { "server {\nset $hosts 1;\n\(rules)\n}\n" }
        let folder = try TestFolder(["old/a.conf": set(change.old), "new/a.conf": set(change.new)])
        let outcome = try folder.run(["diff", "old", "new"])
        #expect(outcome.lines.first == "rules: 1 edited", "\(outcome.text)")
        #expect(outcome.status == 1)
    }

    @Test("A directive that moved to another block is a change")
    func moved() throws {
        let folder = try TestFolder([
            "old/a.conf": Self.server("location /a { deny all; }\nlocation / { }"),
            "new/a.conf": Self.server("location /a { }\ndeny all;\nlocation / { }"),
        ])
        let outcome = try folder.run(["diff", "old", "new"])
        #expect(outcome.lines.first == "rules: another order in a.conf", "\(outcome.text)")
        #expect(outcome.status == 1)
    }

    @Test("Directives that moved to an included file are not a change, and other changes are shown alone")
    func includes() throws {
        let inner = "location / { return 204; }\nlocation /a { return 403; }\n"
        let folder = try TestFolder([
            "old/a.conf": Self.server(inner), "new/a.conf": Self.server("include inc/*.inc;"), "new/inc/a.inc": inner,
            "other/a.conf": Self.server("include inc/*.inc;"),
            "other/inc/a.inc": "location / { return 204; }\nlocation /a { return 404; }\n",
        ])
        for (old, new) in [("old", "new"), ("new", "old")] {
            let same = try folder.run(["diff", old, new])
            #expect(same.lines.first == "rules: no changes", "\(same.text)")
            #expect(same.status == 0)
        }
        let edit = try folder.run(["diff", "old", "other"])
        #expect(
            edit.lines.prefix(3) == [
                "rules: 1 edited", "  edited   inc/a.inc:2:15  return 403", "       to  return 404",
            ]
        )
        #expect(edit.text.contains("a.example/a\n"), "\(edit.text)")
        #expect(edit.status == 1)
    }
}
