import Foundation
import ShuntCore
import ShuntRules
import Testing

/// `docs/diagnostics.md`, which has a line for each `DiagnosticCode`.
@Suite struct DiagnosticsPageTests {
    /// A line of the page.
    struct Entry: Sendable, CustomTestStringConvertible {
        var code: String
        var meaning: String
        /// Rules that have the problem.
        var example: String?

        var testDescription: String { code }
    }

    static let entries: [Entry] = {
        let lines = (try? Document("docs/diagnostics.md").lines) ?? []
        return lines.compactMap { line in
            guard let match = line.wholeMatch(of: /\* `([^`]+)`: (.+?)(?: Example: `([^`]+)`)?/) else { return nil }
            return Entry(code: String(match.1), meaning: String(match.2), example: match.3.map(String.init))
        }
    }()

    @Test("The page has one line for each name, in the order of the enumeration")
    func lines() {
        #expect(Self.entries.map(\.code) == DiagnosticCode.allCases.map(\.name))
        for entry in Self.entries { #expect(entry.meaning.hasSuffix("."), "\(entry.code)") }
    }

    @Test("An example has the problem", arguments: entries.filter { $0.example != nil })
    func example(_ entry: Entry) throws {
        let rules = try #require(entry.example)
        let diagnostics: [Diagnostic]
        do throws(RuleSetError) {
            diagnostics = try RuleSet(text: rules).diagnostics
        } catch {
            diagnostics = error.diagnostics
        }
        #expect(diagnostics.contains { $0.code == entry.code }, "\(DiagnosticRenderer().render(diagnostics))")
    }

    @Test("Most problems in rules have an example")
    func examples() {
        #expect(Self.entries.count { $0.example != nil } >= 80)
    }
}
