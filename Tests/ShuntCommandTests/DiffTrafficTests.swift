import TestFolder
import Testing

@Suite("shunt diff: traffic that does not judge a change")
struct DiffTrafficTests {
    @Test("A path without a host is no request, and requests that both sides refuse judge nothing")
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
}
