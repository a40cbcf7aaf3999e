import Foundation
import Testing

/// The settings of tests, and their table in CONTRIBUTING.md.
@Suite struct SettingsTests {
    private static let file = "Tests/Support/TestSettings/TestSettings.swift"

    /// The rows of the table, made of the declarations.
    private static func rows() throws -> [String] {
        let text = try String(contentsOfFile: Document.root + "/" + file, encoding: .utf8)
        let expression = /static let \w+ = (\w+)\(\s*"(\w+)",\s*(?:else: ([0-9_]+),\s*)?"(.*?)"\s*\)/
        let rows = text.matches(of: expression)
            .map { match in
                let usual = (match.3 ?? "").replacing("_", with: "")
                return "| `\(match.2)` | \(match.1 == "flag" ? "1" : String(match.1)) | \(usual) | \(match.4) |"
            }
        #expect(rows.count == text.matches(of: /package static let/).count)
        return rows
    }

    @Test("The table of settings in CONTRIBUTING.md is the file of settings")
    func table() throws {
        let path = Document.root + "/CONTRIBUTING.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let rows = try Self.rows().map { $0 + "\n" }.joined()
        let expected = "\n| variable | value | usually | purpose |\n|---|---|---|---|\n" + rows + "\n"
        let start = try #require(text.firstRange(of: "## Settings of tests\n\n")?.upperBound)
        let end = try #require(text[start...].firstRange(of: "\n## ")?.lowerBound)
        let prose = text[start..<end].prefix { $0 != "|" }.split(separator: "\n").joined(separator: "\n") + "\n"
        guard !Document.isRecording else {
            let written = text[..<start] + prose + expected + text[end...].dropFirst()
            return try written.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(
            text[start...end] == prose + expected,
            "record it: SHUNT_RECORD_DOCUMENTS=1 swift test --filter SettingsTests"
        )
    }

    @Test("No other file of the tests reads a setting from the environment")
    func onePlace() throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Tests")
        where name.hasSuffix(".swift") && "Tests/" + name != Self.file {
            let text = try String(contentsOfFile: Document.root + "/Tests/" + name, encoding: .utf8)
            let found = text.firstMatch(of: /(environment\[|getenv\()"SHUNT_\w*/)
            #expect(found == nil, "\(name) reads \(found.map { String($0.0) } ?? "")")
        }
    }
}
