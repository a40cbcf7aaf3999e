import ShuntCore
import ShuntRules
import Testing

/// Advice where a brace, a semicolon or a quote is missing, and where a sign is one too many.
@Suite struct MissingSignTests {
    @Test(
        "The place, and the way out",
        arguments: [
            (
                "server { if ($http_a ~* a{2}) { return 403; } }",
                "1:26 a word with \"{\" in it must be in quotes -> write \"a{2}\" with its quotes before the \")\""
            ),
            (
                "server { if ($http_a ~* (a{2})) { return 403; } }",
                "1:27 a word with \"{\" in it must be in quotes -> write \"(a{2})\" with its quotes before the \")\""
            ),
            (
                "server {\n location /a\n  return 200 ok;\n }\n",
                "2:13 the directive \"location\" runs on into the next line -> put \"{\" after \"/a\""
            ),
            (
                "server {\n return 200 ok}\n",
                "2:16 the file ends before the \";\" that ends the directive \"return\" -> write \"; }\" for the \"}\" of \"ok}\""
            ),
            (
                "split_clients $arg_a $v { * d; * e; }\nserver { return 200 $v; }",
                "1:32 \"*\" matches the rest, so it must be the last entry -> remove one of them"
            ),
            ("server { listen 80, 81; }", "1:17 invalid host in \"80,\" -> write one \"listen\" for each address"),
        ]
    )
    func advice(text: String, expected: String) throws {
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: text) }
        let found = error?.diagnostics
            .map { "\($0.location.line):\($0.location.column) \($0.message) -> \($0.suggestion ?? "")" }
        #expect(found?.contains(expected) == true, "\(found ?? [])")
    }

    @Test("A file in UTF-16 is called one", arguments: [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]])
    func otherEncoding(mark: [UInt8]) throws {
        let bytes = mark + "server { }".utf16.flatMap { [UInt8($0 & 0xff), 0] }
        var files = InMemoryFileSystem()
        files.set("/r/a.conf", .file(bytes))
        let error = #expect(throws: RuleSetError.self) { try RuleSet(path: "/r", from: files) }
        #expect(error?.diagnostics.first?.message == "the file is in UTF-16")
        #expect(error?.diagnostics.first?.suggestion == "save the file as UTF-8")
    }
}
