import TestFolder
import Testing

/// `shunt format --fix-list`: the clean list, and what was changed in it.
@Suite("Fixing lists of redirects")
struct ListFixTests {
    @Test("Rows that cannot be used are removed, chains get the last target, and each change is reported")
    func fix() throws {
        let folder = try TestFolder([
            "l.csv":
                "\u{feff}from;to;status\r\n/a;/b;301\r\n# kept\r\n\"/c\";\"/d\";\r\n/b;/x;301\r\n/l;/l;\r\n/a;/z;\r\n/f#g;/h;\r\n"
        ])
        let check = try folder.run(["format", "--fix-list", "--check", "l.csv"])
        #expect(check.status == 1)
        let outcome = try folder.run(["format", "--fix-list", "l.csv"])
        #expect(
            outcome.lines.prefix(4) == [
                "l.csv:2: the target is now /x", "l.csv:6: removed: this row leads back to itself",
                "l.csv:7: removed: this row is in the list already, with another target",
                "l.csv:8: removed: this row can never match: browsers do not send what follows a \"#\"",
            ]
        )
        let text = try folder.text("l.csv")
        #expect(text == "\u{feff}from;to;status\r\n/a;/x;301\r\n# kept\r\n\"/c\";\"/d\";\r\n/b;/x;301\r\n")
        #expect(try folder.run(["format", "--fix-list", "--check", "l.csv"]).status == 0)
    }

    @Test("The options of the list decide which rows cannot be used, and a message of the check has them")
    func options() throws {
        let folder = try TestFolder([
            "rules/a.conf": "redirects l.txt query=exact;", "rules/l.txt": "/c /c?x=1\n/d#x /e\n",
        ])
        let check = try folder.run(["check", "rules"])
        #expect(
            (check.text + check.errors).contains("shunt format --fix-list --list-options \"query=exact\" removes it"),
            "\(check.text)"
        )
        #expect(try folder.run(["format", "--fix-list", "--list-options", "query=exact", "rules/l.txt"]).status == 0)
        #expect(try folder.text("rules/l.txt") == "/c /c?x=1\n")
        let wrong = try folder.run(["format", "--fix-list", "--list-options", "query=x", "rules/l.txt"])
        #expect(wrong.status != 0 && wrong.errors.contains("invalid query=x: write query=keep, drop or exact"))
        for host in ["https://e.com", "e.com/", "e.com:8080", "/x"] {
            let wrong = try folder.run(["format", "--fix-list", "--list-options", "host=\(host)", "rules/l.txt"])
            let advice = "invalid host=\(host): write host=www.example.com, without a scheme, a port or a path"
            #expect(wrong.status != 0 && wrong.errors.contains(advice), "\(wrong.errors)")
        }
    }
}
