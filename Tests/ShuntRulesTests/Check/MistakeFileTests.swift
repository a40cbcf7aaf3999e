import Foundation
import ShuntCore
import ShuntRules
import TestSettings
import Testing

/// Whole files as people write them before they know the language, in `Tests/Conformance/mistakes`: everything that is
/// reported about each, word for word.
///
/// `SHUNT_RECORD_MISTAKES=1` records the messages. Read it before it is committed: the message has to name the place
/// and the way out.
@Suite("Files of typical mistakes")
struct MistakeFileTests {
    private static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Conformance/mistakes", directoryHint: .isDirectory)

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".conf") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test func thirtyFiles() {
        #expect(Self.names.count >= 30)
    }

    @Test("The messages", arguments: names)
    func whatIsSaid(_ name: String) throws {
        let expectation = Self.folder.appending(path: name + ".expected", directoryHint: .notDirectory)
        let diagnostics: [Diagnostic]
        do throws(RuleSetError) {
            diagnostics = try RuleSet(path: Self.folder.appending(path: name + ".conf").path).diagnostics
        } catch {
            diagnostics = error.diagnostics
        }
        let folder = Self.folder.path.hasSuffix("/") ? String(Self.folder.path.dropLast()) : Self.folder.path
        let said = DiagnosticRenderer().render(diagnostics).replacing(folder + "/", with: "")
            .replacing(folder, with: "MISTAKES")
        if TestSettings.recordsMistakes {
            try said.write(to: expectation, atomically: true, encoding: .utf8)
        }
        #expect(!said.isEmpty, "a file of mistakes about which nothing is said")
        #expect(said == (try String(contentsOf: expectation, encoding: .utf8)))
    }
}
