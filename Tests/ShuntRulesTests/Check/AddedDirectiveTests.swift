import ShuntCore
import Testing

@testable import ShuntRules

/// The steps of `docs/architecture.md` for adding a flag: a row, and a field of the settings.
@Suite struct AddedDirectiveTests {
    private static let table = DirectiveTable(
        DirectiveTable.standard.all + [.flag("list_files", [.server, .location], \.listsDirectories)]
    )

    private static func compile(_ text: String) -> Compiler.Result {
        Compiler.compile(RuleFiles.load(text: text), directives: table)
    }

    @Test("A row is enough for a flag to be known, set and inherited")
    func flag() throws {
        let text = """
            server {
                list_files on;
                location /off { list_files off; location /off/on { list_files ON; } }
                location /inherited { }
            }
            server { }
            """
        let program = try #require(Self.compile(text).program)
        let servers = program.tables.servers.map { program.tables.settings[$0.settings].listsDirectories }
        #expect(servers == [true, false])
        let locations = Dictionary(
            uniqueKeysWithValues: program.tables.locations.map {
                ($0.text, program.tables.settings[$0.settings].listsDirectories)
            }
        )
        #expect(locations == ["/off": false, "/off/on": true, "/inherited": true])
        #expect(RuleFiles.load(text: text).diagnostics.isEmpty)
        #expect(Compiler.compile(RuleFiles.load(text: text)).program == nil)
    }

    @Test(
        "A row brings its messages",
        arguments: [
            ("server { list_files; }", "argument-count", "write: list_files on | off;"),
            ("server { list_files maybe; }", "invalid-flag", nil),
            ("server { list_files on; list_files off; }", "duplicate-directive", "remove one of them"),
            ("list_files on;", "misplaced-directive", nil),
            ("server { list_file on; }", "unknown-directive", "did you mean \"list_files\"?"),
        ]
    )
    func messages(text: String, code: String, suggestion: String?) throws {
        let problem = try #require(Self.compile(text).source.diagnostics.first)
        #expect(problem.code == code)
        #expect(problem.suggestion == suggestion)
    }
}
