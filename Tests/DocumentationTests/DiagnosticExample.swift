import ShuntAppLinks
import ShuntCore
import ShuntRules
import TestFolder

/// An example of `docs/diagnostics.md`: rules, a file of app links, the manifest of an Android app, or a command.
struct DiagnosticExample: Sendable {
    struct Problem: Sendable {
        var code: String
        var isError: Bool
    }

    var text: String
    /// The lines of the other files, by their names.
    var files: [(name: String, lines: [String])]

    /// Reads files, each as `` `NAME`: `LINE`, `LINE` ``.
    static func files(_ text: Substring) -> [(name: String, lines: [String])] {
        text.matches(of: /`([^`]+)`: (`[^`]+`(?:, `[^`]+`)*)/)
            .map { match in
                (String(match.1), match.2.split(separator: "`").filter { $0 != ", " }.map(String.init))
            }
    }

    /// Loads what the example shows, and returns all messages and notes.
    func problems() throws -> [Problem] {
        if text.hasPrefix("shunt ") { return Self.problems(inJSON: try output()) }
        if text.hasPrefix("<") {
            let name = "AndroidManifest.xml"
            let command = "shunt routes --table \(name) --check"
            return Self.problems(inJSON: try DiagnosticExample(text: command, files: [(name, [text])]).output())
        }
        let found = text.hasPrefix("{") || text.hasPrefix("[") ? appLinkProblems() : try ruleProblems()
        return found.flatMap { [$0] + $0.notes }.map { Problem(code: $0.code, isError: $0.severity == .error) }
    }

    private func ruleProblems() throws -> [Diagnostic] {
        let folder = try folder()
        try folder.write(Self.bytes(text + "\n"), to: "rules.conf")
        return withExtendedLifetime(folder) {
            do throws(RuleSetError) {
                return try RuleSet(path: folder.path).diagnostics
            } catch {
                return error.diagnostics
            }
        }
    }

    private func appLinkProblems() -> [Diagnostic] {
        do throws(AppLinksError) {
            return text.hasPrefix("[")
                ? try AssetLinks(reading: Array(text.utf8)).warnings
                : try AppSiteAssociation(reading: Array(text.utf8)).warnings
        } catch {
            return error.diagnostics
        }
    }

    /// The output of the command, as JSON where the command can write that.
    func output() throws -> String {
        let hasJSON = text.hasPrefix("shunt check ") || text.hasSuffix(" --check")
        let command = hasJSON ? text + " --format json" : text
        return try withExtendedLifetime(folder()) { folder in
            try DocumentationTests.CommandExamplesTests.output(of: command, in: folder.path).joined(separator: "\n")
        }
    }

    private static func problems(inJSON text: String) -> [Problem] {
        text.matches(of: /"severity": ?"([^"]+)", ?"code": ?"([^"]+)"/)
            .map { Problem(code: String($0.2), isError: $0.1 == "error") }
    }

    private func folder() throws -> TestFolder {
        let folder = try TestFolder()
        for file in files { try folder.write(file.lines.flatMap { Self.bytes($0 + "\n") }, to: file.name) }
        return folder
    }

    /// The bytes of a text, in which `\u{a0}` is a character and `\x{e9}` a byte.
    private static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let match = rest.firstMatch(of: /\\([ux])\{([0-9a-f]+)\}/), let number = UInt32(match.2, radix: 16) {
            bytes += Array(rest[..<match.range.lowerBound].utf8)
            if match.1 == "x" {
                bytes.append(UInt8(truncatingIfNeeded: number))
            } else if let scalar = Unicode.Scalar(number) {
                bytes += Array(String(scalar).utf8)
            }
            rest = rest[match.range.upperBound...]
        }
        return bytes + Array(rest.utf8)
    }
}
