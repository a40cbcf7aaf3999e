import ShuntCore
import Testing

@Suite("Diagnostics as people see them")
struct DiagnosticRendererTests {
    private func render(
        _ line: String,
        column: Int,
        length: Int = 1,
        suggestion: String? = nil,
        number: Int = 7,
        columns: Int = 200
    ) -> String {
        let location = SourceLocation(file: "a.conf", line: number, column: column)
        let diagnostic = Diagnostic(
            .error,
            code: "test",
            message: "wrong",
            at: location,
            length: length,
            sourceLine: line,
            suggestion: suggestion
        )
        return DiagnosticRenderer(maximumColumns: columns).render(diagnostic)
    }

    @Test("The form of the design: place, code, line, caret, suggestion, then notes without code")
    func wholeDiagnostic() {
        let note = Diagnostic(
            .note,
            code: "n",
            message: "first defined here",
            at: SourceLocation(file: "b.conf", line: 12_345, column: 1),
            length: 3,
            sourceLine: "set $x 1;"
        )
        let diagnostic = Diagnostic(
            .error,
            code: "unknown-variable",
            message: "unknown variable \"$app_versoin\"",
            at: SourceLocation(file: "rules/20-degrade.conf", line: 7, column: 9),
            length: 12,
            sourceLine: "    if ($app_versoin < 3.2.0) {",
            suggestion: "did you mean \"$app_version\"?",
            notes: [note]
        )
        let expected = """
            rules/20-degrade.conf:7:9: error: unknown variable "$app_versoin" [unknown-variable]
               7 |     if ($app_versoin < 3.2.0) {
                 |         ^~~~~~~~~~~~ did you mean "$app_version"?
            b.conf:12345:1: note: first defined here
            12345 | set $x 1;
                  | ^~~

            """
        #expect(DiagnosticRenderer().render(diagnostic) == expected)
        #expect("\(diagnostic)\n" == expected)
        #expect(DiagnosticRenderer().render([diagnostic, diagnostic]) == expected + expected)
    }

    @Test(
        "Line and caret",
        arguments: [
            // line, column, length, shown line, caret line
            ("abc", 1, 1, "abc", "^"),
            ("abc", 2, 2, "abc", " ^~"),
            ("abc", 4, 1, "abc", "   ^"),
            ("abc", 99, 1, "abc", "   ^"),
            ("abc", 0, 99, "abc", "^~~"),
            ("abc", 2, Int.max, "abc", " ^~"),
            ("abc", Int.min, 1, "abc", "^"),
            ("\tx", 2, 1, "    x", "    ^"),
            ("ab\tx", 4, 1, "ab  x", "    ^"),
            ("a\tb", 2, 1, "a   b", " ^~~"),
            ("例え x", 8, 1, "例え x", "     ^"),
            ("例え x", 1, 6, "例え x", "^~~~"),
            ("e\u{301}x", 4, 1, "e\u{301}x", " ^"),
            ("a\u{1b}[2Jb", 6, 1, "a\\x1b[2Jb", "        ^"),
            ("a\u{7f}b", 2, 1, "a\\x7fb", " ^~~~"),
            ("a\u{202e}b", 5, 1, "a<U+202E>b", "         ^"),
            ("a\u{85}b", 1, 1, "a<U+0085>b", "^"),
        ]
    )
    func lineAndCaret(line: String, column: Int, length: Int, shown: String, caret: String) {
        let expected =
            "a.conf:7\(column > 0 ? ":\(column)" : ""): error: wrong [test]\n   7 | \(shown)\n     | \(caret)\n"
        #expect(render(line, column: column, length: length) == expected)
    }

    @Test("A long line is cut to a window round the caret")
    func longLines() {
        let line = String(repeating: "a", count: 300) + "X" + String(repeating: "b", count: 300)
        let lines = render(line, column: 301, columns: 30).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "   7 | …aaaaaaaaaaXbbbbbbbbbbbbbbbbb…")
        #expect(lines[2] == "     |            ^")
        let first = render(line, column: 1, columns: 30).split(separator: "\n")
        #expect(first[1] == "   7 | " + String(repeating: "a", count: 29) + "…")
        #expect(first[2] == "     | ^")
        let last = render(line, column: 601, columns: 30).split(separator: "\n")
        #expect(last[1] == "   7 | …" + String(repeating: "b", count: 29))
        #expect(last[2] == "     | " + String(repeating: " ", count: 29) + "^")
        let fits = String(repeating: "c", count: 30)
        #expect(render(fits, column: 30, columns: 30).split(separator: "\n")[1] == "   7 | " + fits)
    }

    @Test("Every window keeps within its columns and points at the right character")
    func windows() throws {
        let line = String((0..<500).map { Character(Unicode.Scalar(UInt8(33 + $0 % 90))) })
        let characters = Array(line)
        for column in stride(from: 1, through: 500, by: 7) {
            let lines = render(line, column: column, length: 40, columns: 60).split(separator: "\n")
            let shown = Array(lines[1].dropFirst(7))
            let caret = lines[2].dropFirst(7)
            let position = caret.prefix { $0 == " " }.count
            #expect(shown.count <= 60)
            #expect(caret.count <= 60)
            #expect(shown[position] == characters[column - 1], "column \(column)")
        }
    }

    @Test("A diagnostic without a line or a place")
    func withoutLine() {
        let location = SourceLocation(file: "x\u{1b}.conf", line: 0, column: 0)
        let diagnostic = Diagnostic(.warning, code: "c", message: "a\nb", at: location, suggestion: "do\u{7}")
        #expect(DiagnosticRenderer().render(diagnostic) == "x\\x1b.conf: warning: a\\x0ab [c]\n     = do\\x07\n")
        let nowhere = Diagnostic(.note, code: "c", message: "m", at: SourceLocation(file: "", line: 0, column: 0))
        #expect(DiagnosticRenderer().render(nowhere) == "note: m [c]\n")
    }

    @Test("Colours are escapes round the same text")
    func colors() {
        let location = SourceLocation(file: "a", line: 1, column: 1)
        let diagnostic = Diagnostic(.warning, code: "c", message: "m", at: location, sourceLine: "x", suggestion: "s")
        let colored = DiagnosticRenderer(usesColor: true).render(diagnostic)
        #expect(colored.contains("\u{1b}[1;35mwarning:\u{1b}[0m m [c]\n"))
        var plain = ""
        var inEscape = false
        for character in colored {
            if character == "\u{1b}" { inEscape = true }
            if !inEscape { plain.append(character) }
            if inEscape, character == "m" { inEscape = false }
        }
        #expect(plain == DiagnosticRenderer().render(diagnostic))
    }
}
