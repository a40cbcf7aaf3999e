#if Command
import ArgumentParser
import Shunt
import ShuntTools

struct FormatReport {
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json
        /// For GitHub: workflow commands that put a message next to a file.
        case github
    }

    private struct File {
        var name: String
        /// The line where the first difference is; nil where there is none.
        var firstChange: Int?
        var difference: [UInt8] = []
        var diagnostics: [Diagnostic] = []
    }

    private let form: Form
    private let showsDifference: Bool
    private let usesColor: Bool
    private var files: [File] = []

    init(form: Form, showsDifference: Bool, usesColor: Bool) {
        self.form = form
        self.showsDifference = showsDifference
        self.usesColor = usesColor
    }

    /// The number of files that are not in the form.
    var changed: Int { files.count { $0.firstChange != nil } }
    /// The number of files that could not be formatted.
    var failed: Int { files.count { !$0.diagnostics.isEmpty } }

    /// Formats a file; nil where that is not possible.
    mutating func format(_ source: FormatSource, in ruleFormat: RuleFormat) -> [UInt8]? {
        do throws(RuleFormatError) {
            let formatted = try ruleFormat.formatted(source)
            add(source, formatted)
            return formatted
        } catch {
            files.append(File(name: source.name, diagnostics: error.diagnostics))
            return nil
        }
    }

    mutating func add(_ source: FormatSource, _ formatted: [UInt8]) {
        var file = File(name: source.name, firstChange: Self.firstChange(source.bytes, formatted))
        if showsDifference {
            file.difference = UnifiedDifference.between(source.bytes, formatted, named: source.name)
        }
        files.append(file)
    }

    /// Reports a path that could not be read, or a file that could not be written.
    mutating func fail(_ path: String, because error: FileError) {
        let message = "cannot format \(RequestFields.quoted(path)): \(error)"
        let diagnostic = Diagnostic(.error(.unreadableFile), message, at: .whole(path))
        // A file that could be formatted and not written is not reported as a changed one.
        files.removeAll { $0.name == path }
        files.append(File(name: path, diagnostics: [diagnostic]))
    }

    private static func firstChange(_ old: [UInt8], _ new: [UInt8]) -> Int? {
        guard old != new else { return nil }
        return zip(old, new).prefix { $0 == $1 }.count { $0.0 == UInt8(ascii: "\n") } + 1
    }

    var text: [UInt8] {
        switch form {
        case .json: return json
        case .github:
            let lines = files.compactMap { file in
                file.firstChange.map {
                    "::error file=\(GitHubText.property(file.name)),line=\($0),title=shunt format::"
                        + "\(GitHubText.message(file.name)) is not formatted: run shunt format\n"
                }
            }
            return Array(lines.joined().utf8)
        case .text:
            var result: [UInt8] = []
            for file in files where file.firstChange != nil {
                if showsDifference {
                    result += usesColor ? Self.colored(file.difference) : file.difference
                } else {
                    result += Array((ShownBytes.text(file.name) + "\n").utf8)
                }
            }
            return result
        }
    }

    func errors(usesColor: Bool) -> String {
        form == .json ? "" : DiagnosticRenderer(usesColor: usesColor).render(files.flatMap(\.diagnostics))
    }

    private static func colored(_ difference: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for line in difference.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            switch line.first {
            case UInt8(ascii: "+"): result += Array("\u{1b}[32m".utf8) + line + Array("\u{1b}[0m\n".utf8)
            case UInt8(ascii: "-"): result += Array("\u{1b}[31m".utf8) + line + Array("\u{1b}[0m\n".utf8)
            case UInt8(ascii: "@"): result += Array("\u{1b}[36m".utf8) + line + Array("\u{1b}[0m\n".utf8)
            default: result += line + Array("\n".utf8)
            }
        }
        return result
    }

    private var json: [UInt8] {
        let files = files.map { file -> JSONObject in
            let isShown = showsDifference && !file.difference.isEmpty
            return [
                "file": file.name,
                "changed": file.firstChange != nil,
                "diff": isShown ? String(decoding: file.difference, as: UTF8.self) : nil,
                "diagnostics": file.diagnostics.isEmpty ? nil : file.diagnostics.map(\.json),
            ]
        }
        let report: JSONObject = ["schema": "shunt-format/1", "files": files, "changed": changed, "failed": failed]
        return report.line
    }
}
#endif
