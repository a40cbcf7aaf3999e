/// Writes diagnostics for people, in the form that editors and terminals know.
///
/// ```
/// rules/20-degrade.conf:7:9: error: unknown variable "$app_versoin" [unknown-variable]
///    7 |     if ($app_versoin < 3.2.0) {
///      |         ^~~~~~~~~~~~ did you mean "$app_version"?
/// ```
///
/// The code in brackets is the name in the documentation; notes of a diagnostic are shown without theirs.
///
/// Tabs become spaces, control characters are written out, and of a long line only the part around the caret is shown,
/// so no text of a rule file reaches the terminal raw.
public struct DiagnosticRenderer: Sendable {
    /// True if to colour the output with ANSI escapes.
    public var usesColor: Bool
    /// The most columns of a source line that are shown; at least 20.
    public var maximumColumns: Int

    /// Makes a renderer.
    public init(usesColor: Bool = false, maximumColumns: Int = 200) {
        self.usesColor = usesColor
        self.maximumColumns = max(20, maximumColumns)
    }

    /// The diagnostics, one after the other; each ends in a newline.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        var result = ""
        for diagnostic in diagnostics { result += render(diagnostic) }
        return result
    }

    /// The diagnostic and its notes; each of their lines ends in a newline.
    public func render(_ diagnostic: Diagnostic) -> String { lines(of: diagnostic, code: " [\(diagnostic.code)]") }

    private func lines(of diagnostic: Diagnostic, code: String) -> String {
        var result = heading(diagnostic, code: code)
        if diagnostic.sourceLine.isEmpty || diagnostic.location.line < 1 {
            if let suggestion = diagnostic.suggestion {
                result += "     = " + styled(VisibleText.oneLine(suggestion), .suggestion) + "\n"
            }
        } else {
            result += excerpt(diagnostic)
        }
        for note in diagnostic.notes { result += lines(of: note, code: "") }
        return result
    }

    private func heading(_ diagnostic: Diagnostic, code: String) -> String {
        let location = diagnostic.location
        var place = VisibleText.oneLine(location.file)
        if location.line > 0 {
            place += place.isEmpty ? "\(location.line)" : ":\(location.line)"
            if location.column > 0 { place += ":\(location.column)" }
        }
        if !place.isEmpty { place = styled(place + ":", .place) + " " }
        let severity = styled(diagnostic.severity.rawValue + ":", Style(diagnostic.severity))
        return place + severity + " " + VisibleText.oneLine(diagnostic.message + code) + "\n"
    }

    /// The source line with its number, and below it the caret with the suggestion.
    private func excerpt(_ diagnostic: Diagnostic) -> String {
        let number = String(diagnostic.location.line)
        let gutter = String(repeating: " ", count: max(0, 4 - number.utf8.count))
        let blank = String(repeating: " ", count: gutter.utf8.count + number.utf8.count)
        let line = SourceExcerpt(
            diagnostic.sourceLine,
            column: diagnostic.location.column,
            length: diagnostic.length,
            maximumColumns: maximumColumns
        )
        let padding = String(repeating: " ", count: line.caretColumn)
        let caret = "^" + String(repeating: "~", count: max(0, line.caretWidth - 1))
        var result = styled("\(gutter)\(number) |", .gutter)
        result += (line.text.isEmpty ? "" : " ") + line.text + "\n"
        result += styled("\(blank) |", .gutter) + " " + padding + styled(caret, .caret)
        if let suggestion = diagnostic.suggestion {
            result += " " + styled(VisibleText.oneLine(suggestion), .suggestion)
        }
        return result + "\n"
    }

    // MARK: Colours

    private enum Style: String {
        case place = "1"
        case error = "1;31"
        case warning = "1;35"
        case note = "1;36"
        case gutter = "2"
        case caret = "1;32"
        case suggestion = "32"

        init(_ severity: Diagnostic.Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            case .note: self = .note
            }
        }
    }

    private func styled(_ text: String, _ style: Style) -> String {
        usesColor ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic and its notes as people read them, with the line and the caret.
    public var description: String { String(DiagnosticRenderer().render(self).dropLast()) }
}
