import TestFolder
import Testing

@Suite("Exit statuses")
struct ExitStatusTests {
    private static let files = [
        "good.conf": "block host a.test;\nroute /a/:id a;\n", "bad.conf": "blokc host a.test;\n", "empty.conf": "\n",
        "urls.txt": "kl://b\n", "requests.txt": "kl://b\n", "nonsense.txt": "{\n",
    ]

    /// Each line of the table in docs/commands.md, by command.
    @Test(
        "0: yes, 1: no, 2: wrong usage, 3: there is no answer",
        arguments: [
            (["check", "good.conf"], "", Int32(0)),
            (["check", "bad.conf"], "", 1),
            (["check", "good.conf", "missing.conf"], "", 3),
            (["check", "empty.conf"], "", 1),
            (["check", "empty.conf", "--allow-empty"], "", 0),
            (["check"], "", 2),
            (["run", "--rules", "good.conf"], "kl://b\nhttps://a.test/\n", 0),
            (["run", "--rules", "good.conf"], "nonsense\nkl://b\n", 1),
            (["run"], "", 2),
            (["run", "--rules", "bad.conf"], "kl://b\n", 3),
            (["run", "--rules", "missing.conf"], "kl://b\n", 3),
            (["explain", "--rules", "good.conf", "https://a.test/"], "", 0),
            (["explain", "--rules", "good.conf", "nonsense"], "", 1),
            (["explain", "--rules", "good.conf"], "", 2),
            (["explain", "--rules", "bad.conf", "kl://b"], "", 3),
            (["list", "--rules", "good.conf"], "", 0),
            (["list"], "", 2),
            (["list", "--rules", "bad.conf"], "", 3),
            (["serve", "--rules", "bad.conf", "--listen", "127.0.0.1:0"], "", 3),
            (["serve", "--rules", "good.conf", "--listen", "nowhere"], "", 2),
            (["routes", "--table", "good.conf"], "/a/1\n", 0),
            (["routes", "--table", "good.conf"], "/b\n", 1),
            (["routes", "--table", "good.conf", "--check"], "", 0),
            (["routes", "--table", "bad.conf", "--check"], "", 1),
            (["routes", "--table", "good.conf", "--generate", "a"], "", 1),
            (["routes"], "", 2),
            (["routes", "--table", "bad.conf"], "/a/1\n", 3),
            (["bench", "--rules", "good.conf", "--requests", "requests.txt", "--seconds", "0.01"], "", 0),
            (["bench", "--rules", "good.conf"], "", 2),
            (["bench", "--rules", "bad.conf", "--requests", "requests.txt"], "", 3),
            (["bench", "--rules", "good.conf", "--requests", "nonsense.txt"], "", 3),
            (["bench", "--rules", "good.conf", "--requests", "missing.txt"], "", 3),
        ]
    )
    func statuses(arguments: [String], input: String, status: Int32) throws {
        let outcome = try TestFolder(Self.files).run(arguments, input: input)
        #expect(outcome.status == status, "\(outcome.text)\(outcome.errors)")
    }

    @Test("A directory that lost its files is an error of check, which names the way to mean it")
    func emptyDirectory() throws {
        let folder = try TestFolder(["rules/notes.txt": "no rules"])
        let outcome = try folder.run(["check", "rules"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("rules: error: there is no rule in \"rules\""), "\(outcome.text)")
        #expect(outcome.text.contains("--allow-empty"))
        #expect(try folder.run(["check", "rules", "--allow-empty"]).text.hasSuffix("no rules: no errors, 1 warning\n"))
    }
}
