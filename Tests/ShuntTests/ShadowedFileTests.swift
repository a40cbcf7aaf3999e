import Shunt
import ShuntCore
import ShuntRules
import Testing

/// Rows of `_redirects` next to the files of a server.
struct ShadowedFileTests {
    @Test(
        "A row of _redirects with a wildcard yields to a file, unless it is forced",
        arguments: [
            ("/* /index.html 200", "/js/main.js", "/js/main.js"), ("/* /index.html 200", "/page", "/index.html"),
            ("/* /index.html 200!", "/js/main.js", "/index.html"), ("/* /x 301", "/js/main.js", "/js/main.js"),
            ("/* /x 301", "/docs/", "/docs/index.html"), ("/* /x 301", "/empty/", "301"),
            ("/js/:file /x 301!", "/js/main.js", "301"), ("/js/main.js /x 301", "/js/main.js", "301"),
        ]
    )
    func besideFiles(row: String, path: String, found: String) throws {
        var disk = InMemoryFileSystem([
            "/www/index.html": "i", "/www/js/main.js": "m", "/www/docs/index.html": "d", "/www/empty/f": "",
        ])
        disk.set("/r/a.conf", .file(Array("server { root /www; redirects lists/_redirects; }".utf8)))
        disk.set("/r/lists/_redirects", .file(Array(row.utf8)))
        var options = Engine.Options()
        options.fileSystem = disk
        let engine = Engine(try RuleSet(path: "/r", from: disk), options: options)
        let got = engine.withDecision(for: RuleRequest(target: path, host: "a.test")) { decision in
            decision.file.map { String(decoding: $0.path, as: UTF8.self) } ?? "\(decision.status ?? 0)"
        }
        #expect(got.replacing("/www", with: "") == found)
    }
}
