import TestFolder
import Testing

/// The files of websites about apps, on the command line; their output is shown in `docs/app-links.md`.
@Suite("shunt app-links")
struct AppLinksCommandTests {
    private static let apple = """
        {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [
          {"/": "/item/private/*", "exclude": true},
          {"/": "/item/*"}
        ]}]}}
        """
    private static let print = Array(repeating: "0F", count: 32).joined(separator: ":")

    @Test("check counts, and ends with 1 where there is an error")
    func check() throws {
        let folder = try TestFolder(["apple": Self.apple, "android.json": "[]", "wrong": "{\"applinks\": []}"])
        let fine = try folder.run(["app-links", "check", "apple", "android.json"])
        #expect(fine.lines.last == "2 files, no errors, 1 warning" && fine.status == 0)
        let wrong = try folder.run(["app-links", "check", "wrong", "missing"])
        #expect(wrong.lines.first == "wrong:1:14: error: \"applinks\" is an object, not an array [type]")
        #expect(wrong.lines.last == "2 files, 2 errors, no warnings" && wrong.status == 1)
        #expect(try folder.run(["app-links", "check"]).status == 2)
    }

    @Test("A statement without the list around it, and all with the name of Google's file, is Google's")
    func kinds() throws {
        let folder = try TestFolder([
            "one.json": #"{"relation": [], "target": {}}"#, ".well-known/assetlinks.json": "{}",
        ])
        for name in ["one.json", ".well-known/assetlinks.json"] {
            let outcome = try folder.run(["app-links", "check", name])
            #expect(outcome.lines.first?.hasSuffix("the file is a list of statements, not an object [type]") == true)
            #expect(outcome.status == 1)
        }
    }

    @Test("explain names the component, and ends with 1 where a URL opens no app")
    func explain() throws {
        let folder = try TestFolder(["apple": Self.apple, "wrong": "{"])
        let opens = try folder.run(["app-links", "explain", "apple", "https://example.com/item/7"])
        #expect(
            opens.lines == [
                "https://example.com/item/7: opens ABCDE12345.com.example.app, by apple:3:3 {\"/\":\"/item/*\"}"
            ]
        )
        #expect(opens.status == 0)
        let urls = ["https://example.com/item/private/7", "https://example.com/x", "none"]
        let stays = try folder.run(["app-links", "explain", "apple"] + urls)
        #expect(stays.lines.count == 3 && stays.status == 1)
        #expect(stays.lines[0].contains("does not open ABCDE12345.com.example.app, by apple:2:3"))
        #expect(stays.lines[1].hasSuffix("since no component takes it"))
        #expect(try folder.run(["app-links", "explain", "wrong", "https://example.com/"]).status == 3)
        try folder.write("placeholder", Self.apple.replacing("ABCDE12345", with: "TEAM_ID"))
        let placeholder = try folder.run(["app-links", "explain", "placeholder", "https://example.com/item/7"])
        #expect(placeholder.lines == ["https://example.com/item/7: no app"] && placeholder.status == 1)
    }

    @Test("write makes a file that check accepts, of a table or of rules")
    func write() throws {
        let folder = try TestFolder([
            "table.json": "[{\"pattern\": \"https://example.com/item/:id\", \"id\": \"item\"}]",
            "rules.conf": "route /item/:id item; route /n/:id(uint) number;",
        ])
        let target = ["--host", "example.com", "--app", "ABCDE12345.com.example.app"]
        let apple = try folder.run(["app-links", "write", "--table", "table.json"] + target)
        #expect(apple.status == 0)
        try folder.write(apple.output, to: "apple")
        #expect(try folder.run(["app-links", "check", "apple"]).text == "1 file, no errors, no warnings\n")
        #expect(try folder.run(["app-links", "explain", "apple", "https://example.com/item/7"]).status == 0)
        #expect(try folder.run(["app-links", "explain", "apple", "https://example.com/item/7/x"]).status == 1)

        let refused = try folder.run(["app-links", "write", "--table", "rules.conf"] + target)
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(
            refused.errors.contains("rules.conf:1:")
                && refused.errors.contains("the nearest that is wider is \"/n/?*\"")
        )
        let wider = try folder.run(["app-links", "write", "--table", "rules.conf", "--wider"] + target)
        #expect(wider.status == 0 && wider.errors.contains("warning"))

        let android = ["--host", "example.com", "--package", "com.example.app", "--fingerprint", Self.print]
        let assets = try folder.run(["app-links", "write", "--table", "table.json"] + android)
        #expect(assets.status == 0 && assets.text.hasPrefix("[\n"))
        let twice = try folder.run(["app-links", "write", "--table", "table.json"] + target + target.suffix(2))
        #expect(twice.output == apple.output)
        #expect(try folder.run(["app-links", "write", "--table", "missing.json"] + target).status == 3)
        for host in ["https://example.com", "", "example.com:443", "example.com/x"] {
            let wrong = ["app-links", "write", "--table", "table.json", "--host", host] + target.suffix(2)
            #expect(try folder.run(wrong).status == 2, "\(host)")
        }
        for wrong in [["--host", "a.test"], target + android, ["--host", "a.test", "--package", "com.example.app"]] {
            #expect(try folder.run(["app-links", "write", "--table", "table.json"] + wrong).status == 2)
        }
    }
}
