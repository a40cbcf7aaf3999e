import Foundation
import Testing

@testable import ShuntRules

/// `docs/directives.md`, which is made of the table of directives.
@Suite struct DirectivesPageTests {
    private static let path = "docs/directives.md"
    private static let mark = "<!-- From here on the tests write this page. -->\n"

    /// The anchor of the section of each directive, which may be about several.
    private static let anchors: [String: String] = {
        let sections = (try? Document("docs/rules.md").sections) ?? []
        return sections.filter { $0.level == 3 }
            .reduce(into: [:]) { anchors, section in
                for name in section.names where anchors[name] == nil { anchors[name] = LinkTests.anchor(section.title) }
            }
    }()

    private static let fatesPage = "docs/serving-nginx-conf.md"
    private static let fatesMark = "<!-- The tests write from here. -->\n"
    private static let fatesEnd = "<!-- To here. -->\n"

    @Test("The page with all directives is the table of directives")
    func page() throws {
        try Self.hold(Self.path, from: Self.mark, to: nil, Self.tables())
    }

    @Test("The page on serving has the fate of every directive")
    func fates() throws {
        try Self.hold(Self.fatesPage, from: Self.fatesMark, to: Self.fatesEnd, Self.fates())
        let text = try String(contentsOfFile: Document.root + "/" + Self.fatesPage, encoding: .utf8)
        for row in DirectiveTable.standard.all where Self.otherProtocols.contains(where: row.name.hasPrefix) {
            if case .withoutEffect(nil) = row.fate { continue }
            #expect(text.contains("`\(row.name)`"), "\(row.name) has another fate than its kin")
        }
    }

    /// Compares a part of a page with its text, or writes it.
    private static func hold(_ path: String, from mark: String, to end: String?, _ expected: String) throws {
        let file = Document.root + "/" + path
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let start = try #require(text.range(of: mark)?.upperBound)
        let stop = try end.map { try #require(text.range(of: $0)?.lowerBound) } ?? text.endIndex
        guard !Document.isRecording else {
            return try (text[..<start] + expected + text[stop...])
                .write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(
            text[start..<stop] == expected,
            "record it: SHUNT_RECORD_DOCUMENTS=1 swift test --filter DirectivesPageTests"
        )
    }

    /// The beginnings of the parameters of other protocols.
    private static let otherProtocols = ["fastcgi_", "grpc_", "memcached_", "scgi_", "tunnel_", "uwsgi_"]

    private static func fates() -> String {
        var done: Set<String> = []
        var withoutEffect: Set<String> = []
        var notes: [String: Set<String>] = [:]
        var missing: [String: Set<String>] = [:]
        var refused: [String: Set<String>] = [:]
        for row in DirectiveTable.standard.all {
            switch row.fate {
            case .done: done.insert(row.name)
            case .withoutEffect(let note?): notes[note, default: []].insert(row.name)
            case .withoutEffect(nil): withoutEffect.insert(row.name)
            case .unserved(let consequence): missing[consequence, default: []].insert(row.name)
            case .refused(let advice): refused[advice, default: []].insert(row.name)
            }
        }
        func rows(_ table: [String: Set<String>]) -> String {
            table.map { "| \(list($0.value)) | \($0.key) |\n" }.sorted().joined()
        }
        func list(_ names: Set<String>) -> String { names.sorted().map { "`\($0)`" }.joined(separator: " ") }
        let modules = UnservedDirectives.moduleNames.sorted().joined(separator: ", ")
        return """

            ### Decisive and not done

            With one of these `shunt serve` does not start, and a reload is refused.

            | directive | without it |
            |---|---|
            \(rows(missing))
            These cannot be loaded at all, nor can directives of other modules, unless `ignore_directive` names them. Other modules are
            \(modules).

            | directive | in its place |
            |---|---|
            \(rows(refused))
            ### Without effect on answers and upstreams

            Parameters of directives above are among them: alone they do nothing. Those of other protocols are all that begin with `fastcgi_`,
            `grpc_`, `memcached_`, `scgi_`, `tunnel_` and `uwsgi_`, except those that this page names elsewhere. The others are:

            \(lines(withoutEffect.subtracting(done).filter { name in !otherProtocols.contains { name.hasPrefix($0) } }))
            | directive | in its place |
            |---|---|
            \(rows(notes))
            ### Done

            All others of [the directives that decide](directives.md#directives-that-decide), and in an `upstream`
            \(list(done.subtracting(DirectiveTable.standard.all.filter(\.role.isDeciding).map(\.name)))).

            """
    }

    private static func tables() -> String {
        let names = Set(DirectiveTable.standard.all.filter(\.role.isDeciding).map(\.name)).sorted()
        let links = names.map { "[`\($0)`](rules.md#\(anchors[$0] ?? $0))" }
        return "\n## Directives that decide\n\n" + links.joined(separator: "\n") + "\n"
    }

    /// Names in lines of at most 130 bytes.
    private static func lines(_ names: Set<String>) -> String {
        var result = ""
        var line = ""
        for name in names.sorted() {
            if line.utf8.count + name.utf8.count > 125 {
                result += line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + "`\(name)`"
        }
        return result + line + "\n"
    }
}
