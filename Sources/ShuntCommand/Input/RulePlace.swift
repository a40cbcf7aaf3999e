#if Command
import ArgumentParser
import ShuntCore

/// A rule that is named by its file and line, and by its column where several are on the line.
struct RulePlace: CustomStringConvertible {
    let file: String
    let line: Int
    let column: Int?
    let description: String

    /// Reads `FILE:LINE` or `FILE:LINE:COLUMN`.
    static func read(_ text: String) throws -> RulePlace {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) {
            let file = parts.dropLast(2).joined(separator: ":")
            return RulePlace(file: file, line: line, column: column, description: text)
        }
        guard parts.count >= 2, let line = Int(parts[parts.count - 1]) else {
            throw ValidationError("A rule is named by its file and line, such as 40-legacy.conf:7, not by '\(text)'.")
        }
        return RulePlace(file: parts.dropLast().joined(separator: ":"), line: line, column: nil, description: text)
    }

    /// Returns true if a rule is there; the file may be named by the end of its path.
    func isOf(_ rule: SourceLocation) -> Bool {
        rule.line == line && (column == nil || rule.column == column)
            && (rule.file == file || rule.file.hasSuffix("/" + file))
    }
}
#endif
