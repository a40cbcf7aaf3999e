import Foundation
import TestFolder
import Testing

/// Questions other than how a request is decided: why a rule was not the one, when the outcome is another, what a rule
/// is for.
@Suite("shunt explain --why-not and --until, shunt diff --history, shunt list --impact")
struct ExplainQuestionTests {
    private static let rules = """
        block host b.test;
        server {
            server_name a.test;
            location /old { rewrite ^/old/(\\d+)$ /new/$1 permanent; return 404; }
            location / { if ($arg_x = 1) { return 302 /y; } }
        }
        """

    @Test(
        "The reason why a rule does not apply, and the nearest request that reaches it",
        arguments: [
            ("http://a.test/old/x", "a.conf:4:21", ["it was tried, and did not match: /old/x", "a.test/old/0"]),
            ("http://a.test/old/7", "rules/a.conf:4:21", ["it did apply"]),
            ("http://b.test/old/7", "a.conf:4:21", ["it was not reached", "decided by rules/a.conf:1:1"]),
            (
                "http://a.test/", "a.conf:5",
                ["it was not reached", "chosen: location /", "not true: if ($arg_x = 1)", "?x=1"]
            ),
        ]
    )
    func whyNot(url: String, place: String, texts: [String]) throws {
        let folder = try TestFolder(["rules/a.conf": Self.rules])
        let outcome = try folder.run(["explain", "--rules", "rules", url, "--why-not", place])
        #expect(outcome.status == 0)
        for text in texts { #expect(outcome.text.contains(text), "\(outcome.text)") }
        let json = try folder.run(["explain", "--rules", "rules", url, "--why-not", place, "--format", "json"])
        #expect(json.text.hasPrefix(#"{"rule":{"file":"rules/a.conf","line":"#))
    }

    @Test("An if is named once, and only if it did not hold")
    func failedTests() throws {
        let rules = """
            if ($arg_a = 1 || $arg_b = 1) { block host held.test; }
            if ($arg_a = 1 || $arg_c = 1) { block host a.test; }

            """
        let folder = try TestFolder(["rules/a.conf": rules])
        let outcome = try folder.run(["explain", "--rules", "rules", "http://a.test/?b=1", "--why-not", "a.conf:2"])
        #expect(outcome.text.components(separatedBy: "not true: if ($arg_a = 1 || $arg_c = 1)").count == 2)
        #expect(!outcome.text.contains("not true: if ($arg_a = 1 || $arg_b = 1)"), "\(outcome.text)")
    }

    @Test("A place without a rule is an error, and an invalid place is wrong usage")
    func places() throws {
        let folder = try TestFolder(["rules/a.conf": Self.rules])
        let missing = try folder.run(["explain", "--rules", "rules", "http://a.test/", "--why-not", "a.conf:99"])
        #expect(missing.status == 3)
        #expect(missing.errors.contains("there is no rule at a.conf:99"))
        #expect(try folder.run(["explain", "--rules", "rules", "http://a.test/", "--why-not", "a.conf"]).status == 2)
    }

    @Test("The rules that can send a request to a URL, each with a request")
    func sources() throws {
        let folder = try TestFolder(["rules/a.conf": Self.rules])
        let outcome = try folder.run(["explain", "--rules", "rules", "--to", "/new/7"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.first == "rules/a.conf:4:21  rewrite ^/old/(\\d+)$ /new/$1 permanent")
        #expect(outcome.text.contains("confirmed: a.test/old/7 → redirect 301 http://a.test/new/7"), "\(outcome.text)")
        let json = try folder.run(["explain", "--rules", "rules", "--to", "/new/7", "--format", "json"])
        #expect(json.text.hasPrefix(#"{"rule":{"file":"rules/a.conf","line":4"#))
        let none = try folder.run(["explain", "--rules", "rules", "--to", "https://c.test/"])
        #expect(none.status == 1)
        #expect(none.lines == ["no rule is known to send a request to https://c.test/"])
        #expect(try folder.run(["explain", "--rules", "rules"]).status == 2)
        #expect(try folder.run(["explain", "--rules", "rules", "/x", "--to", "/y"]).status == 2)
    }

    private static let times = """
        if ($time >= 2027-01-01T00:00:00Z && $time < 2027-01-01T00:10:00Z) { block ^~ kl://a/; }
        if ($time_of_day >= 09:30 && $time_of_day < 09:31 && $weekday = mon) { block ^~ kl://b/; }
        """

    @Test(
        "The outcomes of a request over time, to the second",
        arguments: [
            (
                "kl://a/",
                ["2026-12-31T20:00:00Z forward", "2027-01-01T00:00:00Z block", "2027-01-01T00:10:00Z forward"]
            ),
            (
                // The fourth of January 2027 is a Monday.
                "kl://b/",
                ["2026-12-31T20:00:00Z forward", "2027-01-04T09:30:00Z block", "2027-01-04T09:31:00Z forward"]
            ),
            ("kl://c/", ["2026-12-31T20:00:00Z forward"]),
        ]
    )
    func timeline(url: String, outcomes: [String]) throws {
        let folder = try TestFolder(["rules/a.conf": Self.times])
        let arguments = ["explain", "--rules", "rules", url, "--at", "2026-12-31T20:00:00Z", "--until", "2027-01-08"]
        let outcome = try folder.run(arguments)
        #expect(outcome.status == 0)
        let found = outcome.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(found == outcomes)
        #expect(try folder.run(arguments + ["--format", "json"]).lines.count == outcomes.count)
    }

    @Test("A day that is not later, or too late, is wrong usage", arguments: ["2026-12-31", "2031-01-01", "soon"])
    func wrongDays(day: String) throws {
        let folder = try TestFolder(["rules/a.conf": Self.times])
        let arguments = ["explain", "--rules", "rules", "kl://a/", "--at", "2026-12-31T20:00:00Z", "--until", day]
        #expect(try folder.run(arguments).status == 2)
    }

    @Test("The revisions since which a URL goes where it goes")
    func history() throws {
        let folder = try TestFolder(["rules/a.conf": ""])
        func git(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"]
            process.arguments = ["git", "-C", folder.path] + author + arguments
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        try git(["init", "--quiet"])
        let versions = [
            "block host x.test;\n", "block host a.test;\n", "# A comment.\nblock host a.test;\n", "blok host a.test;\n",
            "block host a.test 410;\n",
        ]
        for (number, text) in versions.enumerated() {
            try folder.replace("rules/a.conf", text)
            try git(["add", "rules"])
            try git(["commit", "--quiet", "--message", "Version \(number)"])
        }
        let outcome = try folder.run(["diff", "--history", "git:HEAD:rules", "https://a.test/"])
        #expect(outcome.status == 0)
        let found = outcome.lines.filter { $0.hasPrefix("2") }
            .map { $0.split(separator: " ").dropFirst(2).prefix(2).joined(separator: " ") }
        #expect(found == ["block 410", "the rules", "block 403", "forward https://a.test/"])
        #expect(outcome.text.contains("    Ann: Version 4\n"))
        #expect(outcome.text.hasSuffix("3 changes in 5 revisions\n"))
        let json = try folder.run(["diff", "--history", "git:HEAD:rules", "https://a.test/", "--format", "json"])
        #expect(json.lines.count == 4)
        #expect(try folder.run(["diff", "--history", "rules", "https://a.test/"]).status == 3)
        #expect(try folder.run(["diff", "--history", "git:nothing:rules", "https://a.test/"]).status == 3)
    }

    @Test("A list of revisions has at most 16 MiB")
    func longHistory() throws {
        let folder = try TestFolder(["rules/a.conf": "", "bin/git": "#!/bin/sh\nhead -c 17000000 /dev/zero\n"])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/git")
        let outcome = try folder.run(
            ["diff", "--history", "git:HEAD:rules", "https://a.test/"],
            environment: ["PATH": "\(folder.path)/bin:/usr/bin:/bin"]
        )
        #expect(outcome.status == 3 && outcome.errors.contains("16777216"), "\(outcome.errors)")
    }

    @Test("The outcomes of requests without a rule, of a file or generated for it")
    func impact() throws {
        let folder = try TestFolder([
            "rules/a.conf": "#: owner=@shop\nblock host b.test;\nblock host c.test;\n",
            "urls.txt": "https://b.test/1\nhttps://b.test/2\nhttps://c.test/\nhttps://d.test/\n",
        ])
        let arguments = ["list", "--rules", "rules", "--impact", "a.conf:2"]
        let outcome = try folder.run(arguments + ["--requests", "urls.txt"])
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                rules/a.conf:2:1  block host b.test
                  owner: @shop
                  without it, 2 of 4 requests get another outcome
                    2  block 403 → forward
                        1  https://b.test/1
                        1  https://b.test/2

                """
        )
        let made = try folder.run(arguments)
        #expect(made.text.contains("requests generated for it get another outcome"))
        #expect(made.text.contains("block 403 → forward"))
        let json = try folder.run(arguments + ["--requests", "urls.txt", "--format", "json"])
        #expect(
            json.text.contains(#""requests":4,"changed":2,"groups":[{"from":"block 403","to":"forward","weight":2"#)
        )
        #expect(try folder.run(["list", "--rules", "rules", "--impact", "a.conf:9"]).status == 3)
        #expect(try folder.run(["list", "--rules", "rules", "--requests", "urls.txt"]).status == 2)
    }
}
