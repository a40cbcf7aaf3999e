import TestFolder
import Testing

@Suite("shunt diff: traffic that does not judge a change")
struct DiffTrafficTests {
    @Test("A path without a host is not a request, and requests that both sides refuse judge nothing")
    func withoutHost() throws {
        let folder = try TestFolder([
            "old.conf": "server { server_name a.test; location /a { return 301 /x; } }\n",
            "new.conf": "server { server_name a.test; location /a { return 301 /y; } }\n",
            "paths": "/a\n{\"target\": \"/a\"}\n", "refused": "http://\nhttp://\n",
        ])
        let arguments = ["diff", "old.conf", "new.conf", "--max-changed", "0", "--requests"]
        let paths = try folder.run(arguments + ["paths"])
        #expect(paths.status == 3)
        let problem = "the path has no host: write HOST/PATH, or name the host with --host"
        #expect(paths.errors.contains("shunt: warning: paths:1: \(problem)\n"), "\(paths.errors)")
        #expect(paths.errors.contains("shunt: warning: paths:2: \(problem)\n"), "\(paths.errors)")
        #expect(try folder.run(arguments + ["paths", "--host", "a.test"]).text.contains("  changed  2 (100 %)\n"))
        let refused = try folder.run(arguments + ["refused"])
        #expect(refused.status == 3)
        #expect(refused.text.contains("  2 fail with 400 on both sides, and judge nothing\n"), "\(refused.text)")
        let history = try folder.run(["diff", "--history", "git:HEAD:rules", "/a"])
        #expect(history.status == 3)
        #expect(history.errors == "shunt: error: /a: \(problem)\n", "\(history.errors)")
    }

    /// Settings before and after.
    static let settings = [
        ("root /srv/a;", "root /srv/b;"), ("types { text/html html; }", "types { text/html htm; }"),
        ("return 200 x; expires 1h;", "return 200 x; expires 2h;"),
        ("client_max_body_size 1m;", "client_max_body_size 2m;"),
        ("proxy_pass http://127.0.0.1:1; proxy_method GET;", "proxy_pass http://127.0.0.1:1; proxy_method POST;"),
        ("auth_request /b;", ""), ("satisfy any;", "satisfy all;"),
    ]

    @Test("A changed setting that no outcome shows is named, is status 1, and can be approved", arguments: settings)
    func unseen(old: String, new: String) throws {
        func rules(_ setting: String) -> String {
            "server { listen 80; server_name a.test; location /b { return 204; } location /a { \(setting) } }\n"
        }
        let folder = try TestFolder([
            "old.conf": rules(old), "new.conf": rules(new), "urls": "http://a.test/a\n",
        ])
        let arguments = ["diff", "old.conf", "new.conf", "--requests", "urls"]
        for options in [[], ["--no-witnesses"], ["--max-changed", "0"]] {
            let outcome = try folder.run(arguments + options)
            #expect(outcome.status == 1)
            #expect(outcome.text.contains("  no outcome of a request shows what "), "\(outcome.text)")
            #expect(!outcome.text.contains("no outcome changes"), "\(outcome.text)")
        }
        #expect(try folder.run(arguments + ["--write-approved", "ok"]).status == 1)
        #expect(try folder.run(arguments + ["--approved", "ok"]).status == 0)
    }

    @Test("A change that is approved for one location is not approved for another")
    func places() throws {
        func rules(_ location: String) -> String { "server { server_name a.test; \(location) }\n" }
        let folder = try TestFolder([
            "o.conf": rules(""), "n.conf": rules("location = /old { return 301 /new; }"),
            "m.conf": rules("location / { return 301 /new; }"), "urls": "http://a.test/old\n",
        ])
        let options = ["--requests", "urls"]
        #expect(try folder.run(["diff", "o.conf", "n.conf", "--write-approved", "ok"] + options).status == 1)
        #expect(try folder.run(["diff", "o.conf", "n.conf", "--approved", "ok"] + options).status == 0)
        // A budget is not kept by an approval.
        let budget = ["diff", "o.conf", "n.conf", "--approved", "ok", "--max-changed", "0"] + options
        #expect(try folder.run(budget).status == 1)
        let other = try folder.run(["diff", "o.conf", "m.conf", "--approved", "ok"] + options)
        #expect(other.status == 1)
        let rule = "action\tforward\tredirect 301\t\treturn 301 /new\t\tserver a.test { location"
        #expect(try folder.text("ok").contains("\(rule) = /old\n"))
    }
}
