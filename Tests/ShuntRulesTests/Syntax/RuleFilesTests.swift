import ShuntCore
import Testing

@testable import ShuntRules

/// The files that are loaded for a path, and their order.
@Suite struct RuleFilesTests {
    private func names(_ source: ParsedRules) -> [String] {
        source.directives.map { ([$0.name] + $0.arguments).map(\.text).joined(separator: " ") }
    }

    private func codes(_ source: ParsedRules) -> [String] {
        source.orderedDiagnostics.map { "\($0.location) \($0.severity.rawValue) \($0.code)" }
    }

    @Test func readsADirectoryInTheOrderOfNames() {
        let files = InMemoryFileSystem([
            "/r/20-b.conf": "b;", "/r/10-a.conf": "a;", "/r/readme.md": "no", "/r/lists/x.conf": "no;",
        ])
        let source = RuleFiles.load("/r", from: files)
        #expect(names(source) == ["a", "b"])
        #expect(source.files.map(\.name) == ["/r/10-a.conf", "/r/20-b.conf"])
        #expect(source.diagnostics.isEmpty)
    }

    @Test func skipsHiddenAndBackupFilesWithANote() {
        let files = InMemoryFileSystem([
            "/r/a.conf": "a;", "/r/a.conf~": "garbage {", "/r/.b.conf.swp": "{", "/r/#c.conf#": "{",
            "/r/d.conf.bak": "{",
            "/r/e/": "", "/r/..data/x": "",
        ])
        let source = RuleFiles.load("/r", from: files)
        #expect(names(source) == ["a"])
        #expect(source.errorCount == 0)
        #expect(source.diagnostics.map(\.code) == ["skipped-file", "skipped-file", "skipped-file", "skipped-file"])
        #expect(source.diagnostics.allSatisfy { $0.severity == .note })
    }

    @Test func warnsOfADirectoryWithoutRules() {
        let source = RuleFiles.load("/r", from: InMemoryFileSystem(["/r/readme.md": ""]))
        #expect(codes(source) == ["/r:1:1 warning no-rule-files"])
    }

    @Test func followsTheLinksOfAKubernetesVolume() {
        var files = InMemoryFileSystem(["/r/..2026/a.conf": "a;"])
        files.set("/r/..data", .link("..2026"))
        files.set("/r/a.conf", .link("..data/a.conf"))
        let source = RuleFiles.load("/r", from: files)
        #expect(names(source) == ["a"])
        #expect(source.errorCount == 0)
    }

    @Test func putsIncludesInTheirPlace() {
        let files = InMemoryFileSystem([
            "/r/nginx.conf": "a; http { include conf.d/*.conf; z; map $a $b { include keys; k v; } } include one;",
            "/r/conf.d/2.conf": "two;", "/r/conf.d/1.conf": "one { include sub; }", "/r/conf.d/.h.conf": "hidden;",
            "/r/keys": "x y;", "/r/sub": "deep;", "/r/one": "last;",
        ])
        let source = RuleFiles.load("/r/nginx.conf", from: files)
        #expect(source.diagnostics.isEmpty)
        #expect(names(source) == ["a", "http", "last"])
        let http = source.directives[1].block ?? []
        #expect(http.map(\.name.text) == ["one", "two", "z", "map"])
        #expect(http[0].block?.map(\.name.text) == ["deep"])
        #expect(http[3].block?.map(\.name.text) == ["x", "k"])
        #expect(source.location(of: http[1].name.position).description == "/r/conf.d/2.conf:1:1")
    }

    @Test func includesAFileTwice() {
        let files = InMemoryFileSystem(["/r/main.conf": "a { include s; } b { include ./s; }", "/r/s": "x; } y;"])
        let source = RuleFiles.load("/r/main.conf", from: files)
        #expect(source.directives.map { $0.block?.map(\.name.text) } == [["x", "y"], ["x", "y"]])
        #expect(source.files.count == 2)
        // Its problem is reported once.
        #expect(codes(source) == ["/r/s:1:4 error unexpected-brace"])
    }

    @Test func reportsAMistakeOfAFileThatIsIncludedTwiceOnce() {
        let files = InMemoryFileSystem([
            "/r/a.conf": "server { include x; } server { include x; }", "/r/x": "retrun 200;",
        ])
        var source = RuleFiles.load("/r/a.conf", from: files)
        _ = StructureCheck.run(&source)
        #expect(codes(source) == ["/r/x:1:1 error unknown-directive"] && source.errorCount == 1)
    }

    static let refusals: [(String, String?, String?)] = [
        ("include missing.conf;", "unreadable-file", "cannot read \"/r/missing.conf\": no such file"),
        ("include missing-*.conf;", nil, nil),
        ("include \"\";", "unreadable-file", "\"\" is not a file name"),
        ("include d;", "not-a-file", "\"/r/d\" is a directory, not a regular file"),
        ("include pipe;", "not-a-file", "\"/r/pipe\" is a named pipe, not a regular file"),
        ("include zero;", "outside-rule-directory", "\"zero\" leads outside the rule directory \"/r\""),
        ("include device;", "not-a-file", "\"/r/device\" is a device, not a regular file"),
        ("include p*;", "not-a-file", "\"/r/pipe\" is a named pipe, not a regular file"),
        ("include secret;", "unreadable-file", "cannot read \"/r/secret\": permission denied"),
        (
            "include ../etc/passwd;", "outside-rule-directory",
            "\"../etc/passwd\" leads outside the rule directory \"/r\""
        ),
        ("include ../r/ok;", nil, nil),
        ("include ../r2/x;", "outside-rule-directory", "\"../r2/x\" leads outside the rule directory \"/r\""),
        ("include ../nowhere;", "outside-rule-directory", "\"../nowhere\" leads outside the rule directory \"/r\""),
        ("include /etc/shadow;", "outside-rule-directory", "\"/etc/shadow\" leads outside the rule directory \"/r\""),
        ("include /etc/*;", "outside-rule-directory", "\"/etc/*\" leads outside the rule directory \"/r\""),
        ("include link;", "outside-rule-directory", "\"link\" leads outside the rule directory \"/r\""),
        ("include linked/*;", "outside-rule-directory", "\"linked\" leads outside the rule directory \"/r\""),
        ("include */passwd;", "outside-rule-directory", "\"link\" leads outside the rule directory \"/r\""),
        ("include */none/passwd;", "outside-rule-directory", "\"link\" leads outside the rule directory \"/r\""),
        ("include o*;", nil, nil),
        (
            "include linked/passwd;", "outside-rule-directory",
            "\"linked/passwd\" leads outside the rule directory \"/r\""
        ),
        (
            "include round;", "unreadable-file",
            "cannot read \"/r/round\": a symbolic link is not allowed here, or there are too many"
        ),
        ("include a b;", nil, nil),
    ]

    @Test(arguments: refusals)
    func refusesWhatIsNotARuleFile(rules: String, code: String?, message: String?) {
        var files = InMemoryFileSystem([
            "/r/main.conf": rules, "/etc/passwd": "root:x {", "/etc/shadow": "s", "/r2/x": "x;", "/r/d/f": "f;",
            "/r/ok": "ok;",
        ])
        files.set("/r/pipe", .special(.pipe))
        files.set("/dev/zero", .special(.device))
        files.set("/r/zero", .link("/dev/zero"))
        files.set("/r/device", .special(.device))
        files.set("/r/secret", .unreadable)
        files.set("/r/link", .link("../etc/passwd"))
        files.set("/r/linked", .link("/etc"))
        files.set("/r/round", .link("round"))
        let source = RuleFiles.load("/r/main.conf", from: files)
        #expect(source.diagnostics.first?.code == code)
        #expect(source.diagnostics.first?.message == message)
        #expect(source.diagnostics.count == (code == nil ? 0 : 1))
        // Not a byte of a file outside is shown.
        #expect(!DiagnosticRenderer().render(source.orderedDiagnostics).contains("root:x"))
    }

    @Test func trustsNamedDirectories() {
        var files = InMemoryFileSystem(["/r/main.conf": "include m/*.conf;", "/usr/share/m/x.conf": "x;"])
        files.set("/r/m/x.conf", .link("/usr/share/m/x.conf"))
        #expect(RuleFiles.load("/r/main.conf", from: files).errorCount == 1)
        #expect(names(RuleFiles.load("/r/main.conf", from: files, trusting: ["/usr/share/m"])) == ["x"])
    }

    @Test func acceptsAMainFileThatIsALink() {
        var files = InMemoryFileSystem(["/else/where.conf": "a; include b;", "/r/b": "b;"])
        files.set("/r/main.conf", .link("/else/where.conf"))
        #expect(names(RuleFiles.load("/r/main.conf", from: files)) == ["a", "b"])
    }

    @Test func takesRelativePaths() {
        let files = InMemoryFileSystem([
            "/rules/a.conf": "include sub/*.inc;", "/rules/sub/x.inc": "x; }", "/one.conf": "one; include two;",
            "/two": "two;",
        ])
        #expect(codes(RuleFiles.load("rules", from: files)) == ["rules/sub/x.inc:1:4 error unexpected-brace"])
        #expect(codes(RuleFiles.load("rules/", from: files)) == ["rules/sub/x.inc:1:4 error unexpected-brace"])
        #expect(names(RuleFiles.load("one.conf", from: files)) == ["one", "two"])
        #expect(codes(RuleFiles.load("none.conf", from: files)) == ["none.conf:1:1 error unreadable-file"])
    }

    @Test func hashesNamesAndContents() {
        func hash(_ files: [String: String]) -> String {
            RuleFiles.load("/r", from: InMemoryFileSystem(files)).contentHash
        }
        let first = hash(["/r/a.conf": "a;"])
        #expect(first.utf8.count == 64)
        #expect(first == hash(["/r/a.conf": "a;", "/r/other": "x"]))
        #expect(first != hash(["/r/b.conf": "a;"]))
        #expect(first != hash(["/r/a.conf": "a; "]))
        #expect(hash(["/r/a.conf": "ab", "/r/b.conf": "c"]) != hash(["/r/a.conf": "a", "/r/b.conf": "bc"]))
    }

    @Test func readsListsThroughTheSameGate() throws {
        var files = InMemoryFileSystem([
            "/r/a.conf": "blocklist lists/ads.txt; blocklist ../etc/passwd; blocklist none;"
        ])
        files.set("/r/lists/ads.txt", .file(Array("ads.test\nx y\n".utf8)))
        files.set("/etc/passwd", .file(Array("root".utf8)))
        var source = RuleFiles.load("/r", from: files)
        let before = source.contentHash
        let words = source.directives.map { $0.arguments[0] }
        let read = source.readList(words[0])
        let index = try #require(read)
        #expect(source.files[Int(index)].bytes == Array("ads.test\nx y\n".utf8))
        #expect(source.files[Int(index)].name == "/r/lists/ads.txt")
        #expect(source.contentHash != before)
        let again = words.map { source.readList($0) }
        #expect(again == [index, nil, nil])
        #expect(
            codes(source) == ["/r/a.conf:1:36 error outside-rule-directory", "/r/a.conf:1:61 error unreadable-file"]
        )
        let place = SourcePosition(file: index, line: 2, column: 3)
        #expect(source.diagnostic(.error(.invalidValue), "m", at: place).sourceLine == "x y")
    }
}
