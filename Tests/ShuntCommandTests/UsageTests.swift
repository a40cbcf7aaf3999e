import TestFolder
import Testing

@Suite("The command line")
struct UsageTests {
    @Test(
        "Wrong usage: exit status 2, a message on standard error that says what is wrong, nothing on standard output",
        arguments: [
            (["frobnicate"], "Unexpected argument 'frobnicate'"),
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

    @Test("No argument at all is wrong usage too, and shows the help")
    func nothing() throws {
        let outcome = try TestFolder().run([])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("USAGE: shunt <subcommand>"))
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "The help teaches: it has examples, and says what the exit status means",
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
