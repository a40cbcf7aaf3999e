package import ShuntCore

/// The rule that a decision is expected to come from: `FILE`, `FILE:LINE`, or its name in a note.
package struct ExpectedRule: Sendable, Hashable {
    /// The place or the name, as written.
    package var text: String
    private let file: String
    private let line: Int?

    package init(_ text: String) {
        self.text = text
        if let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]) {
            (file, self.line) = (String(text[..<colon]), line)
        } else {
            (file, line) = (text, nil)
        }
    }

    /// Returns true if it is a rule's place, or its name in a note.
    package func isMet(by rule: SourceLocation?, named name: String?) -> Bool {
        guard let rule else { return false }
        if let name, name == text { return true }
        return names(file: rule.file) && (line == nil || line == rule.line)
    }

    /// Returns true if it is in a file.
    ///
    /// The same file has one path for users next to the rules and another for a service: what both have of it has to
    /// be the same.
    package func names(file name: String) -> Bool {
        let written = Self.components(file)
        let found = Self.components(name)
        let count = min(written.count, found.count)
        return count > 0 && written.suffix(count) == found.suffix(count)
    }

    private static func components(_ path: String) -> ArraySlice<Substring> {
        path.split(separator: "/").filter { $0 != "." }[...]
    }
}
