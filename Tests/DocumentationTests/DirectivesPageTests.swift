import Foundation
import ShuntRules
import Testing

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

    @Test("The page with all directives is the table of directives")
    func page() throws {
        let file = Document.root + "/" + Self.path
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let start = try #require(text.range(of: Self.mark)?.upperBound)
        let expected = Self.tables()
        guard !Document.isRecording else {
            return try (text[..<start] + expected).write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(
            text[start...] == expected,
            "record it: SHUNT_RECORD_DOCUMENTS=1 swift test --filter DirectivesPageTests"
        )
    }

    private static func tables() -> String {
        let rows = DirectiveTable.standard.all
        let deciding = rows.filter(\.role.isDeciding)
        var result = "\n## Directives that decide\n\n"
        result +=
            Set(deciding.map(\.name)).sorted().map { "[`\($0)`](rules.md#\(anchors[$0] ?? $0))" }
            .joined(separator: "\n") + "\n"
        result += "\n## Directives of nginx without effect\n\n"
        result +=
            "They are checked for their places and numbers of arguments, and listed in one warning for each reason.\n\n"
        let ignored = rows.filter { if case .ignored = $0.role { true } else { false } }.map(\.name)
        result += Self.lines(Set(ignored).subtracting(deciding.map(\.name)))
        result += "\n## Directives of nginx that are refused\n\nThe message has the alternative.\n\n"
        let refused = rows.filter { if case .unsupported = $0.role { true } else { false } }.map(\.name)
        return result + Self.lines(Set(refused).subtracting(deciding.map(\.name)))
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
