import ShuntCore
import Testing

@testable import ShuntRules

/// Rule files that crash, hang or exhaust a loader that trusts them.
///
/// Several of them do so to nginx.
@Suite struct RuleFileAttackTests {
    private func load(_ files: [String: String]) -> ParsedRules {
        RuleFiles.load("/r/main.conf", from: InMemoryFileSystem(files))
    }

    private func errors(_ source: ParsedRules) -> [String] {
        source.orderedDiagnostics.filter { $0.severity == .error }.map { "\($0.location): \($0.message)" }
    }

    @Test(arguments: [
        (["main.conf": "include main.conf;"], "/r/main.conf:1:9", "/r/main.conf -> /r/main.conf"),
        (
            ["main.conf": "include ./a;", "a": "include main.conf;"], "/r/a:1:9",
            "/r/main.conf -> /r/a -> /r/main.conf"
        ),
        (
            ["main.conf": "include d/*.conf;", "d/x.conf": "include d/*.conf;"], "/r/d/x.conf:1:9",
            "/r/d/x.conf -> /r/d/x.conf"
        ),
        (["main.conf": "include a;", "a": "include b;", "b": "include a;"], "/r/b:1:9", "/r/a -> /r/b -> /r/a"),
    ])
    func includeLoops(files: [String: String], place: String, chain: String) {
        let source = load(Dictionary(uniqueKeysWithValues: files.map { ("/r/" + $0, $1) }))
        #expect(errors(source) == ["\(place): files include each other: \(chain)"])
    }

    @Test func includeLoopThroughALink() {
        var files = InMemoryFileSystem(["/r/main.conf": "include a;"])
        files.set("/r/a", .link("main.conf"))
        #expect(RuleFiles.load("/r/main.conf", from: files).diagnostics.map(\.code) == ["include-loop"])
    }

    @Test(arguments: [(15, 0), (16, 1)])
    func includeDepth(depth: Int, errorCount: Int) {
        var files = ["/r/main.conf": "include f1;"]
        for level in 1...depth { files["/r/f\(level)"] = level == depth ? "x;" : "include f\(level + 1);" }
        let source = load(files)
        #expect(source.errorCount == errorCount)
        #expect(source.diagnostics.allSatisfy { $0.code == "include-too-deep" })
        #expect(source.directives.count == 1 - errorCount)
    }

    @Test func includeTreeThatGrowsTenfold() {
        var files = ["/r/main.conf": String(repeating: "include f1;\n", count: 10)]
        for level in 1...6 {
            files["/r/f\(level)"] = String(repeating: level == 6 ? "x;\n" : "include f\(level + 1);\n", count: 10)
        }
        let source = load(files)
        #expect(source.diagnostics.map(\.code) == ["too-many-files"])
        #expect(source.diagnostics.first?.message == "the rule set includes more than 10000 files (limit \"files\")")
        #expect(source.directives.count < 100_000)
    }

    @Test func moreFilesThanTheLimit() {
        var limits = RuleLimits()
        limits.files = 20
        var files = InMemoryFileSystem(["/r/main.conf": "include d/*.conf;"])
        for number in 1...20 { files.set("/r/d/\(number).conf", .file([])) }
        let source = RuleFiles.load("/r/main.conf", from: files, limits: limits)
        #expect(source.diagnostics.map(\.message) == ["the rule set includes more than 20 files (limit \"files\")"])
        files.remove("/r/d/7.conf")
        #expect(RuleFiles.load("/r/main.conf", from: files, limits: limits).diagnostics.isEmpty)
        limits.listedNames = 18
        let messages = RuleFiles.load("/r/main.conf", from: files, limits: limits).diagnostics.map(\.message)
        #expect(messages == ["more than 18 file names to check (limit \"listed names\")"])
    }

    @Test func moreTextThanTheLimit() {
        var limits = RuleLimits()
        limits.totalBytes = 1_000
        let files = InMemoryFileSystem([
            "/r/main.conf": String(repeating: "include big;\n", count: 9),
            "/r/big": "#" + String(repeating: "x", count: 200),
        ])
        let source = RuleFiles.load("/r/main.conf", from: files, limits: limits)
        #expect(source.diagnostics.map(\.code) == ["too-much-text"])
        #expect(source.diagnostics.first?.location.line == 5)
        limits.totalBytes = 100
        #expect(
            RuleFiles.load("/r/main.conf", from: files, limits: limits).diagnostics.map(\.code) == ["too-much-text"]
        )
    }

    @Test func deepNesting() {
        let source = load([
            "/r/main.conf": String(repeating: "location /a { ", count: 10_000) + "x;"
                + String(repeating: "}", count: 10_000)
        ])
        #expect(errors(source) == ["/r/main.conf:1:909: blocks are nested deeper than 64 (limit \"nesting\")"])
    }

    @Test func nestingCountsThroughIncludes() {
        let half = String(repeating: "a { ", count: 33)
        let end = String(repeating: "} ", count: 33)
        let source = load(["/r/main.conf": half + "include b;" + end, "/r/b": half + end])
        #expect(source.diagnostics.map(\.code) == ["nesting-too-deep"])
    }

    @Test(
        arguments: [
            ("return 200 \"" + String(repeating: "a", count: 100_000) + "\";", "word-too-long"),
            ("return 200 " + String(repeating: "a", count: 100_000) + ";", "word-too-long"),
            ("return 200 \"" + String(repeating: "a", count: 100_000), "word-too-long"),
            ("return 200 " + String(repeating: "a", count: 65_536) + ";", nil),
            ("return 200 \"" + String(repeating: "a", count: 65_535) + "\";", nil),
            (String(repeating: "\\", count: 200_000), "word-too-long"),
        ] as [(String, String?)]
    )
    func longWords(rules: String, code: String?) {
        #expect(RuleFiles.load(text: rules).diagnostics.first?.code == code)
    }

    /// A problem in every byte must not take memory for each.
    @Test(arguments: [
        "}", "{", ";", "\"a\n", "x{", "'", "\\", "a \"b\"c;", "xyzzy;\n", "set $a b\n", "\u{1}", "$", "else{}",
    ])
    func nothingButProblems(piece: String) {
        var source = RuleFiles.load(text: String(repeating: piece, count: 5_000))
        _ = StructureCheck.run(&source)
        #expect(source.errorCount > 0)
        let errors = source.diagnostics.count { $0.severity == .error }
        #expect(errors <= RuleLimits.diagnostics)
        #expect(source.diagnostics.count <= RuleLimits.diagnostics + 10 * RuleLimits.likeDiagnostics)
        #expect(source.errorCount == errors + source.omittedErrors)
        let counted = source.orderedDiagnostics.filter { $0.severity == .error }.reduce(0) { $0 + $1.count }
        #expect(counted == source.errorCount)
    }

    @Test func onlyTextIsRead() {
        var files = InMemoryFileSystem()
        files.set("/r/main.conf", .file(Array("a;\n".utf8) + [0x7f, 0x45, 0, 1, 2, 3]))
        let source = RuleFiles.load("/r/main.conf", from: files)
        #expect(source.directives.isEmpty)
        #expect(
            errors(source) == [
                "/r/main.conf:2:1: the control byte U+007F is not allowed in a rule file",
                "/r/main.conf:2:3: the control byte U+0000 is not allowed in a rule file",
            ]
        )
    }

    @Test func lineEndings() {
        #expect(RuleFiles.load(text: "a;\r\nb;\r\n").diagnostics.isEmpty)
        #expect(RuleFiles.load(text: "a;\rb;\r").diagnostics.map(\.code) == ["control-byte", "control-byte"])
    }

    /// Any bytes at all: whatever comes out, nothing traps, and every place exists.
    @Test(arguments: 0..<200)
    func randomBytes(seed: UInt64) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
        func next(_ bound: Int) -> Int {
            state ^= state &<< 13
            state ^= state &>> 7
            state ^= state &<< 17
            return Int(state % UInt64(bound))
        }
        let pieces = [
            "server", "location", " ", " ", "\n", "{", "}", ";", "\"", "'", "\\", "$", "#", "~", "/a", "if", "else",
            "(", ")", "=",
            "include", "rules.conf", "set", "{2}", "\u{e9}", "\u{202e}", "\r\n", "map", "\u{7f}", "on",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<next(200) {
            if next(20) == 0 { bytes.append(UInt8(next(256))) } else { bytes += Array(pieces[next(pieces.count)].utf8) }
        }
        var files = InMemoryFileSystem()
        files.set("rules.conf", .file(bytes))
        var source = RuleFiles.load("rules.conf", from: files)
        let checked = StructureCheck.run(&source)
        for diagnostic in source.orderedDiagnostics {
            #expect(diagnostic.location.line >= 1 && diagnostic.location.column >= 1 && diagnostic.length >= 1)
        }
        var pending = checked
        while let directive = pending.popLast() {
            #expect(source.location(of: directive.name.position).file == "rules.conf")
            pending += directive.block
        }
    }
}
