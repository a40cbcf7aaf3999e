import ShuntCore
import ShuntPatterns

/// `redirects FILE [OPTION...]`.
enum RedirectListCompiler {
    private static let optionNames = [
        "status=", "query=", "slash=", "case=", "host=", "base=", "columns=", "format=", "strict",
    ]
    /// The rows that a message names.
    private static let shownRows = 5

    static func compile(_ directive: CheckedDirective, _ names: [ServerName] = [], in context: inout CompileContext) {
        guard let path = directive.arguments.first,
            var options = options(directive.arguments.dropFirst(), in: &context)
        else { return }
        options.ownHosts = names.map(\.bytes)
        if !options.host.isEmpty { options.ownHosts.append(options.host) }
        if let base = try? URLText(options.base).host { options.ownHosts.append(Array(base.utf8)) }
        guard let number = context.list(path) else { return }
        let file = context.source.files[Int(number)]
        var builder = RedirectListBuilder(file, options)
        if let mistake = builder.mistake {
            let place = file.place(of: mistake.offset)
            context.source.report(
                file.diagnostic(
                    .error,
                    code: "invalid-list",
                    message: "cannot read the list: \(mistake.problem)",
                    line: place.line,
                    column: place.column
                )
            )
            return
        }
        let list = builder.build(file: number, position: directive.name.position)
        report(builder, list: list, of: file, options: options, in: &context)
        if list.rows.isEmpty { context.warning("empty-list", "\"\(path.text)\" has no rows", at: path) }
        context.emit(Instruction(.redirects, context.tables.redirectLists.append(list)), at: directive.name.position)
    }

    // MARK: Options

    /// The options of a directive; nil after an error.
    private static func options(_ words: ArraySlice<Word>, in context: inout CompileContext) -> RedirectListOptions? {
        var options = RedirectListOptions()
        var isSound = true
        for word in words {
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.count > 1 ? parts[0] + "=" : parts[0]
            if let advice = take(name, parts.count > 1 ? String(parts[1]) : "", into: &options) {
                isSound = false
                let isKnown = optionNames.contains(String(name))
                context.error(
                    "invalid-option",
                    isKnown ? "invalid \(word.shownText)" : "unknown option \(word.shownText)",
                    at: word,
                    suggestion: isKnown ? advice : "the options are \(optionNames.joined(separator: ", "))"
                )
            }
        }
        return isSound ? options : nil
    }

    /// Takes an option; returns advice where it is not valid, nil where it is.
    private static func take(_ name: Substring, _ value: String, into options: inout RedirectListOptions) -> String? {
        switch name {
        case "strict": options.isStrict = true
        case "status=":
            guard let status = Int32(value), [301, 302, 303, 307, 308, 410].contains(status) else {
                return "write status=301, 302, 303, 307, 308 or 410"
            }
            options.status = status
        case "query=":
            guard let query = RedirectListOptions.Query(rawValue: value) else {
                return "write query=keep, drop or exact"
            }
            options.query = query
        case "slash=", "case=":
            guard value == "either" || value == "exact" else { return "write \(name)either or \(name)exact" }
            if name == "case=" {
                options.isCaseless = value == "either"
            } else {
                options.ignoresSlash = value == "either"
            }
        case "format=":
            guard let form = RedirectForm(rawValue: value) else {
                return "write format=\(RedirectForm.allCases.map(\.rawValue).joined(separator: ", "))"
            }
            options.form = form
        case "host=":
            guard let host = HostNamePattern(Array(value.utf8)), host.kind == .exact else {
                return HostNamePattern.advice
            }
            options.host = host.literal
        case "base=":
            guard let url = try? URLText(value), url.host?.isEmpty == false, url.path.isEmpty, url.query == nil,
                ["http", "https"].contains(url.scheme.lowercased())
            else { return "write base=https://www.example.com, without a slash after it" }
            options.base = Array(value.utf8)
        case "columns=":
            let columns = value.split(separator: ",").map { RedirectColumn(rawValue: String($0)) }
            guard columns.contains(.from), !columns.contains(nil) else {
                return "write columns=from,to,status in the order of the file, - for any other column"
            }
            options.columns = columns.compactMap { $0 }
        default: return ""
        }
        return nil
    }

    // MARK: Rows that are not as they should be

    private static func report(
        _ builder: RedirectListBuilder,
        list: RedirectList,
        of file: RuleFile,
        options: RedirectListOptions,
        in context: inout CompileContext
    ) {
        for isHarmless in [false, true] {
            let findings = builder.findings.filter { $0.problem.isHarmless == isHarmless }
            guard let first = findings.first else { continue }
            var counts = [Int](repeating: 0, count: RowProblem.allCases.count)
            for finding in findings { counts[Int(finding.problem.rawValue)] += 1 }
            let kinds = RowProblem.allCases.filter { counts[Int($0.rawValue)] > 0 }
                .map { "\(counts[Int($0.rawValue)]) \($0.name)" }
            let isOne = findings.count == 1
            let what =
                isHarmless
                ? "lead\(isOne ? "s" : "") to a page that is redirected again"
                : "\(isOne ? "is" : "are") left out: \(kinds.joined(separator: ", "))"
            let row = list.rows[first.row]
            context.source.report(
                file.diagnostic(
                    options.isStrict ? .error : .warning,
                    code: isHarmless ? "redirect-chain" : "invalid-rows",
                    message: "\(findings.count) of \(list.rows.count) rows \(what)",
                    line: row.line,
                    column: row.column,
                    length: file.line(row.line).count,
                    suggestion:
                        "shunt format --fix-list \(isHarmless ? "shortens" : "removes") \(isOne ? "it" : "them")",
                    notes: findings.prefix(shownRows).map { note($0, list, of: file) }
                )
            )
        }
    }

    private static func note(_ finding: RedirectListBuilder.Finding, _ list: RedirectList, of file: RuleFile)
        -> Diagnostic
    {
        let row = list.rows[finding.row]
        var message = "this row \(finding.problem.message)"
        if finding.other >= 0, finding.other != finding.row { message += " (line \(list.rows[finding.other].line))" }
        return file.diagnostic(
            .note,
            code: "related",
            message: message,
            line: row.line,
            column: row.column,
            length: file.line(row.line).count
        )
    }
}
