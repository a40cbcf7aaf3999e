import ShuntCore

/// `redirects FILE [OPTION...]`.
enum RedirectListCompiler {
    /// The rows that a message names.
    private static let shownRows = 5

    static func compile(_ directive: CheckedDirective, _ names: [ServerName] = [], in context: inout CompileContext) {
        let words = directive.arguments.dropFirst()
        guard let path = directive.arguments.first, var options = options(words, in: &context) else { return }
        options.ownHosts = names.map(\.bytes) + options.ownHosts
        guard let number = context.list(path) else { return }
        let file = context.source.files[Int(number)]
        guard !EntryListCompiler.refusesPage(file, in: &context) else { return }
        var builder = RedirectListBuilder(file, options)
        if let mistake = builder.mistake {
            let (message, place) = ("cannot read the list: \(mistake.problem)", file.place(of: mistake.offset))
            return context.source.report(file.diagnostic(.error(.invalidList), message, at: place))
        }
        builder.templates = templates(words, in: &context)
        let list = builder.build(file: number, position: directive.name.position)
        let listOptions = words.isEmpty ? "" : " --list-options \"\(words.map(\.text).joined(separator: " "))\""
        report(builder, list: list, of: file, fixedBy: "shunt format --fix-list\(listOptions)", in: &context)
        if list.rows.isEmpty {
            EntryListCompiler.reportEmpty(
                "\"\(path.text)\" has no rows",
                isMeant: file.mayBeEmptyList,
                at: path,
                in: &context
            )
        }
        context.emit(Instruction(.redirects, context.tables.redirectLists.append(list)), at: directive.name.position)
    }

    // MARK: Options

    /// The options of a directive; nil after an error.
    private static func options(_ words: ArraySlice<Word>, in context: inout CompileContext) -> RedirectListOptions? {
        var options = RedirectListOptions()
        var isSound = true
        for word in words {
            guard let (message, advice) = options.take(word.text) else { continue }
            isSound = false
            context.error(.invalidOption, "\(message) \(word.shownText)", at: word, suggestion: advice)
        }
        return isSound ? options : nil
    }

    /// The values of `country=`, `language=` and `role=`, by the kinds of conditions.
    private static func templates(_ words: ArraySlice<Word>, in context: inout CompileContext) -> [TemplateIndex] {
        RedirectCondition.Kind.allCases.map { kind in
            let start = Array("\(kind.name)=".utf8)
            guard let word = words.last(where: { $0.bytes.starts(with: start) }) else { return .none }
            return context.template(Array(word.bytes.dropFirst(start.count)), of: word, offset: start.count)
        }
    }

    // MARK: Rows that are not as they should be

    private static func report(
        _ builder: RedirectListBuilder,
        list: RedirectList,
        of file: RuleFile,
        fixedBy command: String,
        in context: inout CompileContext
    ) {
        for isHarmless in [false, true] {
            let findings = builder.findings.filter { $0.problem.isHarmless == isHarmless }
            guard let first = findings.first else { continue }
            var counts: [RowProblem: Int] = [:]
            for finding in findings { counts[finding.problem, default: 0] += 1 }
            let kinds = RowProblem.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
            let isOne = findings.count == 1
            let what =
                isHarmless
                ? "lead\(isOne ? "s" : "") to a page that is redirected again"
                : "\(isOne ? "is" : "are") left out: \(kinds.joined(separator: ", "))"
            let code: DiagnosticCode = isHarmless ? .redirectChain : .invalidRows
            let fix = "\(command) \(isHarmless ? "shortens" : "removes") \(isOne ? "it" : "them")"
            var problem = diagnostic(
                list.options.isStrict ? .error(code) : .warning(code),
                "\(findings.count) of \(list.rows.count) rows \(what)",
                row: first.row,
                in: list,
                of: file
            )
            problem.suggestion =
                !list.form.isJSON
                ? fix : isHarmless ? "lead to the last page at once" : "correct or remove \(isOne ? "it" : "them")"
            problem.notes = findings.prefix(shownRows).map { note($0, list, of: file) }
            context.source.report(problem)
        }
    }

    private static func note(_ finding: RedirectListBuilder.Finding, _ list: RedirectList, of file: RuleFile)
        -> Diagnostic
    {
        var message = "this row \(finding.problem.message)"
        if finding.other >= 0, finding.other != finding.row { message += " (line \(list.rows[finding.other].line))" }
        return diagnostic(.note(.related), message, row: finding.row, in: list, of: file)
    }

    /// A message about a row with its text, which may have several lines in JSON.
    private static func diagnostic(
        _ kind: Diagnostic.Kind,
        _ message: String,
        row number: Int,
        in list: RedirectList,
        of file: RuleFile
    ) -> Diagnostic {
        let row = list.rows[number]
        let place = (line: row.line, column: row.column)
        var diagnostic = file.diagnostic(kind, message, at: place, length: file.line(row.line).count)
        if list.form.isJSON, !diagnostic.sourceLine.isEmpty {
            let text = file.shownDirective(line: row.line, column: row.column)
            diagnostic.sourceLine = String(repeating: " ", count: Int(row.column) - 1) + text
            diagnostic.length = text.utf8.count
        }
        return diagnostic
    }
}
