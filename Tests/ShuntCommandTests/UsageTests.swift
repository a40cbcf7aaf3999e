import TestFolder
import Testing

@Suite("The command line")
struct UsageTests {
    @Test(
        "Wrong usage: exit status 2, a message with the mistake on standard error, nothing on standard output",
        arguments: [
            (["frobnicate"], "shunt has no command \"frobnicate\""),
            (["chekc", "rules"], "shunt has no command \"chekc\", did you mean \"check\"?"),
            (["explian", "--rules", "r", "x"], "shunt has no command \"explian\", did you mean \"explain\"?"),
            (["help", "chekc"], "shunt has no command \"chekc\", did you mean \"check\"?"),
            (["links", "chek"], "shunt links has no command \"chek\", did you mean \"check\"?"),
            (["test", "--rules", "r", "--min-coverage", "rulez=5"], "unknown kind \"rulez\", did you mean \"rules\"?"),
            (["test", "--rules", "r", "--min-coverage", "rules=101"], "write rules= and a number from 0 to 100."),
            (["test", "--rules", "r", "--columns", "a,b"], "--columns goes with --csv."),
            (["test", "--rules", "r", "--per-rule", "5"], "--per-rule and --log-format go with --from-log."),
            (["lint", "r", "--checks", ","], "--checks and --skip leave no check."),
            (
                ["lint", "r", "--checks", "open-redirect", "--skip", "open-redirect"],
                "--checks and --skip leave no check."
            ),
            (["--frobnicate"], "Unknown option '--frobnicate'"),
            (["check"], "Which rules? Name a directory or a file."),
            (["check", "a", "--format", "xml"], "Please provide one of 'text' and 'json'"),
            (["run"], "Missing expected argument '--rules <rules>'"),
            (["run", "--rules"], "Missing value for '--rules <rules>'"),
            (["run", "--rules", "rules", "extra"], "Unexpected argument 'extra'"),
            (["routes"], "Missing expected argument '--table <table>'"),
            (
                ["routes", "--table", "t", "--preset", "jlroute"],
                "unknown preset \"jlroute\", did you mean \"jlroutes\"?"
            ),
            (["routes", "--table", "t", "--option", "host"], "an option is written name=value, not \"host\""),
            (["routes", "--table", "t", "--option", "hots=host"], "unknown option \"hots\", did you mean \"host\"?"),
            (
                ["routes", "--table", "t", "--option", "host=hots"],
                "unknown value of host \"hots\", did you mean \"host\"?"
            ),
            (
                ["routes", "--table", "t", "--check", "--list"],
                "--check, --list and --generate cannot be combined."
            ),
            (["explain", "--rules", "rules"], "Missing expected argument '<url>'"),
            (["explain", "kl://a/b"], "Missing expected argument '--rules <rules>'"),
            (["explain", "--rules", "r", "kl://a", "--input", "a"], "An input is written name=value, not 'a'."),
            (["explain", "--rules", "r", "kl://a", "--header", "a"], "A header is written 'name: value', not 'a'."),
            (["explain", "--rules", "r", "kl://a", "--at", "noon"], "--at is not an ISO 8601 time"),
            (["run", "--rules", "r", "--at", "2026-13-01T00:00:00Z"], "--at is not an ISO 8601 time"),
            (["bench", "--rules", "r", "--requests", "r", "--at", "noon"], "--at is not an ISO 8601 time"),
            (["explain", "--rules", "r", "/", "--host", "a", "--header", "host: b"], "more than one Host"),
            (["explain", "--rules", "r", "kl://a", "--remote-addr", "here"], "\"remote_addr\" is not an IP address"),
            (["explain", "--rules", "r", "kl://a", "--listen", "a:b"], "\"listen\" is neither an address nor a port"),
        ]
    )
    func wrongUsage(arguments: [String], message: String) throws {
        let outcome = try TestFolder().run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("Wrong usage that the rules show has the usage of its command")
    func usageOfCommand() throws {
        let folder = try TestFolder(["r.conf": "route kl://a/b b;\n"])
        for (arguments, usage) in [
            (["links", "check", "--table", "r.conf", "--scheme", "x", "r.conf"], "Usage: shunt links check --table"),
            (["examples", "--rules", "r.conf", "none.conf"], "Usage: shunt examples --rules"),
        ] {
            let outcome = try folder.run(arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(usage), "\(outcome.errors)")
        }
    }

    @Test("A file that cannot be read, or is something else, is status 3")
    func otherFiles() throws {
        let folder = try TestFolder([
            "r.conf": "server { return 403; }\n", "x.log": "1.2.3.4 GET /b 200\n", "h.cfg": "RewriteEngine On\n",
            "b.har": "{\"log\":{\"entries\":[{\"request\":{}}]}}",
        ])
        let diff = ["diff", "r.conf", "r.conf", "--max-changed", "0"]
        for (arguments, problem) in [
            (["lint", "r.conf", "--baseline", "r.conf"], "r.conf is not a baseline: --write-baseline writes one"),
            (["import", "haproxy", "h.cfg"], "h.cfg has no section of HAProxy, such as \"frontend\""),
            (diff + ["--log", "x.log"], "x.log:1: this is neither a URL nor a path"),
            (diff + ["--log", "b.har", "--log-format", "har"], "b.har: entry 1 has no URL"),
        ] {
            let outcome = try folder.run(arguments)
            #expect(outcome.status == 3 && outcome.errors.contains(problem), "\(outcome.errors)")
            if arguments.contains("--log") { #expect(outcome.text.contains("traffic: none of 1 lines is a request")) }
        }
        _ = try folder.run(["lint", "r.conf", "--write-baseline", "base"])
        #expect(try folder.run(["lint", "r.conf", "--baseline", "base"]).status == 0)
        let fifo = try folder.run(["links", "check", "--table", "t.json", "--scheme", "kl", "/dev/null"])
        #expect(fifo.status == 3)
    }

    @Test("No argument at all is wrong usage too, and shows the help")
    func nothing() throws {
        let outcome = try TestFolder().run([])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("USAGE: shunt <subcommand>"))
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "The help teaches: it has examples, and the meaning of the exit status",
        arguments: [
            (["--help"], ["shunt check rules\n", "Exit status: 0", "NO_COLOR", "check  ", "run  ", "explain  "]),
            (["help", "check"], ["shunt check rules\n", "--format", "exit status is 0"]),
            (["check", "-h"], ["USAGE: shunt check"]),
            (["run", "--help"], ["kl://Pay/checkout?id=1\n", "\"target\"", "--document-root", "exit status is 1"]),
            (
                ["routes", "--help"],
                ["route GET /users/:id(uint) user;", "--preset", "--generate", "exit status is 0"]
            ),
            (["explain", "--help"], ["--input app_version=3.1.0", "--header", "--method", "--at", "--remote-addr"]),
        ]
    )
    func help(arguments: [String], expected: [String]) throws {
        let outcome = try TestFolder().run(arguments)
        #expect(outcome.status == 0)
        for text in expected { #expect(outcome.text.contains(text), "\(text) in \(outcome.text)") }
        #expect(outcome.text.hasSuffix("\n"))
        #expect(outcome.errors.isEmpty)
        for line in outcome.lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test("The version has the commit if it is known, and PCRE2's version")
    func version() throws {
        let outcome = try TestFolder().run(["--version"])
        #expect(
            outcome.text.wholeMatch(of: /shunt \d+\.\d+\.\d+ \((commit \S+, )?PCRE2 \d+\.\d+\)\n/) != nil,
            "\(outcome.text)"
        )
        #expect(outcome.status == 0)
    }
}
