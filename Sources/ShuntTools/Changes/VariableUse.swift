public import Shunt

/// The place where rule files read a variable.
public enum VariableUse {
    /// The directives whose text names a variable, in the order of files and lines; its declaration is left out.
    ///
    /// - Parameters:
    ///   - variable: The name without the dollar sign; upper and lower case are one.
    ///   - archive: The files.
    /// - Returns: The directives.
    public static func rules(reading variable: String, in archive: RuleArchive) -> [RuleChanges.Rule] {
        let spellings = ["$\(variable)", "${\(variable)}"].map { $0.utf8.map(\.asciiLowercased) }
        var result: [RuleChanges.Rule] = []
        for (path, entry) in archive.entries.sorted(by: { $0.key < $1.key }) {
            guard case .file(let bytes) = entry, bytes.contains(UInt8(ascii: "$")) else { continue }
            for line in DirectiveLine.directives(of: bytes) where line.keyword != "input" {
                let text = line.text.utf8.map(\.asciiLowercased)
                guard spellings.contains(where: { names(text, $0) }) else { continue }
                let place = SourceLocation(file: path, line: Int(line.line), column: Int(line.column))
                result.append(RuleChanges.Rule(text: line.text, location: place))
            }
        }
        return result
    }

    /// Returns true if a text has a variable that does not continue after the spelling.
    private static func names(_ text: [UInt8], _ spelling: [UInt8]) -> Bool {
        guard text.count >= spelling.count else { return false }
        for start in 0...(text.count - spelling.count) where text[start...].starts(with: spelling) {
            guard start + spelling.count < text.count, spelling.last != UInt8(ascii: "}") else { return true }
            let next = text[start + spelling.count]
            if !(next.isASCIILetter || next.isASCIIDigit || next == UInt8(ascii: "_")) { return true }
        }
        return false
    }
}
