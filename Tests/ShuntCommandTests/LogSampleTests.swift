import TestFolder
import Testing

/// `shunt test --from-log`, and logs of other servers where requests are meant.
@Suite("Tests from logs")
struct LogSampleTests {
    private static let combined = #"192.0.2.1 - - [10/Oct/2026:13:55:36 +0200] "GET /a/x HTTP/1.1" 200 5 "-" "x""#
    private static let rules =
        "server { server_name a.example; location /a/ { return 204; } location / { return 404; } }\n"

    @Test("A log is read in its form, and its requests get the Host that is named")
    func forms() throws {
        let folder = try TestFolder([
            "r/a.conf": Self.rules, "log": Self.combined + "\n", "lines": "/a/x\n{\"target\": \"/b\"}\n",
        ])
        let log = try folder.run([
            "test", "--rules", "r", "--from-log", "log", "--log-format", "combined", "--host", "a.example",
        ])
        #expect(log.status == 0 && log.text.contains("/a/x") && log.text.contains("respond 204"), "\(log.text)")
        let lines = try folder.run(["test", "--rules", "r", "--from-log", "lines", "--host", "a.example"])
        #expect(lines.text.contains("respond 204") && lines.text.contains("respond 404"), "\(lines.text)")
    }

    @Test("A test without a decision, and a file where a directory of tests is meant, are errors")
    func noDecision() throws {
        let folder = try TestFolder([
            "r/a.conf": Self.rules, "t.requests": "GET /a a.example ->\nhttp://a.example/a ->\n",
        ])
        let read = try folder.run(["test", "--rules", "r", "t.requests"])
        #expect(read.status == 3)
        for line in 1...2 { #expect(read.errors.contains("t.requests:\(line):1: error: a decision is missing")) }
        let named = try folder.run(["test", "--rules", "r", "--tests", "t.requests"])
        #expect(named.status == 3 && named.errors.contains("cannot read the tests: this is a file, and no directory"))
    }

    @Test("A line of a log in another form is not a request")
    func otherForm() throws {
        let folder = try TestFolder(["r/a.conf": Self.rules, "log": Self.combined + "\n"])
        let sample = try folder.run(["test", "--rules", "r", "--from-log", "log"])
        #expect(sample.status == 3 && sample.errors.contains("log:1: this is a line of an access log"))
        #expect(sample.errors.contains("--log-format combined"))
        let hostless = try folder.run(["test", "--rules", "r", "--from-log", "log", "--log-format", "combined"])
        #expect(hostless.status == 3 && hostless.errors.contains("no host is known for them; write --host NAME"))
        let difference = try folder.run(["diff", "r", "r", "--log", "log"])
        #expect(difference.errors.contains("--log-format combined"))
        let bench = try folder.run(["bench", "--rules", "r", "--requests", "log"])
        #expect(bench.status == 3 && bench.errors.contains("write its URL"))
    }
}
