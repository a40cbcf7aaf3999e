import ShuntCore

/// `block networks FILE [STATUS]`, `allow agents FILE` and the others.
enum EntryListCompiler {
    static func isList(_ directive: CheckedDirective) -> Bool {
        guard directive.keyword == .block || directive.keyword == .allow, directive.arguments.count > 1 else {
            return false
        }
        return EntryList.Kind(rawValue: directive.arguments[0].text) != nil && !directive.arguments[0].isQuoted
    }

    /// Reports an `allow` with several words that is not a list, or that is where lists do not.
    static func refuse(_ directive: CheckedDirective, isTop: Bool, in context: inout CompileContext) {
        if isTop, isList(directive) { return }
        let advice = "write allow networks, agents or urls and a file at the top level or in a server"
        context.error(.argumentCount, "\"allow\" has one address here", at: directive.name, suggestion: advice)
    }

    /// Compiles a `block` or an `allow` among the directives of a server, where it has to name a list.
    static func compileInServer(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard isList(directive) else {
            let message = "\"block\" in a server names a list"
            let advice = "write block networks, agents or urls and a file; a matcher is for the top level"
            return context.error(.misplacedDirective, message, at: directive.name, suggestion: advice)
        }
        compile(directive, in: &context)
    }

    static func compile(_ directive: CheckedDirective, in context: inout CompileContext) {
        var words = directive.arguments
        let status = directive.keyword == .allow ? 0 : URLPhaseCompiler.takeStatus(&words, keeping: 2, in: &context)
        guard words.count == 2, let kind = EntryList.Kind(rawValue: words[0].text) else {
            return context.error(.unexpectedArgument, "a list is one file", at: words.last ?? directive.name)
        }
        let verb = directive.keyword == .allow ? EntryReader.Verb.allow : .deny
        guard let list = entries(words[1], kind: kind, verb: verb, in: &context) else { return }
        let rule = ListRule(entries: list, status: status)
        context.emit(Instruction(.listed, context.tables.listRules.append(rule)), at: directive.name.position)
    }

    /// Reads a list; nil after an error.
    private static func entries(
        _ path: Word,
        kind: EntryList.Kind,
        verb: EntryReader.Verb,
        in context: inout CompileContext
    ) -> TableIndex<EntryList>? {
        guard let number = context.list(path) else { return nil }
        let file = context.source.files[Int(number)]
        guard !refusesPage(file, in: &context) else { return nil }
        let list: EntryList
        let isSound: Bool
        var isRefused = false
        if kind == .urls {
            let hosts = HostList(file, keepingLines: true)
            for problem in hosts.problems { context.source.report(problem) }
            list = EntryList(.urls, file: number, hosts: hosts.table, lines: hosts.lines)
            isSound = hosts.problems.isEmpty
        } else {
            let reader = EntryReader(file, kind, verb: verb)
            report(reader.problems, of: file, in: &context)
            isSound = reader.problems.isEmpty
            isRefused = reader.problems.contains { $0.refusal != nil }
            let (agents, lines) = (reader.agents.map(\.expression), reader.agents.map(\.line))
            list =
                kind == .agents
                ? EntryList(kind, file: number, agents: agents, lines: lines)
                : EntryList(file: number, networks: reader.networks)
        }
        if list.lines.isEmpty, !isRefused {
            reportEmpty(
                "\"\(path.text)\" has no \(kind.rawValue)",
                isMeant: isSound && file.mayBeEmptyList,
                at: path,
                in: &context
            )
        }
        return context.tables.entryLists.append(list)
    }

    /// Reports a file that is not a list at all, such as a page of HTML; returns true if it is one.
    static func refusesPage(_ file: RuleFile, in context: inout CompileContext) -> Bool {
        guard let (message, advice) = file.listMistake else { return false }
        context.source.report(file.diagnostic(.error(.invalidList), message, at: (1, 1), suggestion: advice))
        return true
    }

    /// Reports a list that turns no one away, or lets no one pass: an error unless it is of comments, for a list may be lost on its way.
    static func reportEmpty(_ message: String, isMeant: Bool, at path: Word, in context: inout CompileContext) {
        if isMeant { return context.warning(.emptyList, message, at: path) }
        let advice = "restore the list; one that is meant to be empty has a comment, and nothing else"
        context.error(.emptyList, message, at: path, suggestion: advice)
    }

    /// The lines that a message names.
    private static let shownLines = 5

    static func report(_ problems: [EntryReader.Problem], of file: RuleFile, in context: inout CompileContext) {
        func diagnostic(_ kind: Diagnostic.Kind, _ problem: EntryReader.Problem) -> Diagnostic {
            file.diagnostic(
                kind,
                "this line \(problem.message)",
                at: (problem.line, 1),
                length: file.line(problem.line).count,
                suggestion: problem.refusal?.advice
            )
        }
        for (problem, refusal) in problems.compactMap({ problem in problem.refusal.map { (problem, $0) } })
            .prefix(shownLines)
        {
            context.source.report(diagnostic(.error(refusal.code), problem))
        }
        let others = problems.filter { $0.refusal == nil }
        guard let first = others.first else { return }
        let isOne = others.count == 1
        var warning = diagnostic(.warning(.invalidRows), first)
        warning.message = "\(others.count) line\(isOne ? "" : "s") of this list \(isOne ? "is" : "are") left out"
        warning.suggestion = "correct or remove \(isOne ? "it" : "them")"
        warning.notes = others.prefix(shownLines).map { diagnostic(.note(.related), $0) }
        context.source.report(warning)
    }
}

extension RuleFile {
    /// The reason why it is not a list whose lines can be read, with advice; nil for a list.
    package var listMistake: (message: String, advice: String)? {
        // Without a byte order mark the zeros of its signs show it.
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) || bytes.contains(0) {
            return ("this list is in UTF-16", "save it as UTF-8")
        }
        if hasLinesOfReturns {
            return ("the lines of this list end in a carriage return alone", "save it with line feeds")
        }
        let isPage = firstSign == UInt8(ascii: "<")
        guard isPage || isErrorText else { return nil }
        return (
            "this is \(isPage ? "a page of HTML or XML" : "the text of an error"), and not a list", "restore the list"
        )
    }

    /// True if more lines end in a carriage return alone than in a line feed; one at the end of the text ends none.
    private var hasLinesOfReturns: Bool {
        guard bytes.contains(0x0d) else { return false }
        var (returns, feeds) = (0, 0)
        for index in bytes.indices {
            if bytes[index] == 0x0a { feeds += 1 }
            if bytes[index] == 0x0d, index + 1 < bytes.count, bytes[index + 1] != 0x0a { returns += 1 }
        }
        return returns > feeds
    }

    /// The first byte that is not white space; nil for none.
    fileprivate var firstSign: UInt8? { bytes.first { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) } }

    /// True if it is one line with the status of an error, as a server sends it in the place of a file.
    fileprivate var isErrorText: Bool {
        let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }.filter { $0.contains { $0 > 0x20 } }
        guard lines.count == 1, let line = lines.first?.drop(while: { $0 <= 0x20 }), let first = line.first else {
            return false
        }
        let digits = line.prefix(while: \.isASCIIDigit)
        let hasEnd = line[digits.endIndex...].first == UInt8(ascii: ":") || line[digits.endIndex...].first == 0x20
        return digits.count == 3 && "45".utf8.contains(first) && hasEnd
    }

    /// True if it has a text, and none of JSON: a list may be meant to have no entry then.
    var mayBeEmptyList: Bool {
        guard let firstSign, firstSign != UInt8(ascii: "{") else { return false }
        return firstSign != UInt8(ascii: "[") || bytes.prefix(16).firstRange(of: Array("[Adblock".utf8)) != nil
    }
}

extension EntryReader.Refusal {
    fileprivate var code: DiagnosticCode {
        switch self {
        case .everyone: .everyoneListed
        case .denied: .deniedInAllowList
        case .unreadable: .invalidList
        }
    }

    fileprivate var advice: String {
        switch self {
        case .everyone: "remove it, or block all by a rule"
        case .denied: "remove it, and list only what may pass; block networks is for the others"
        case .unreadable: "write JSON, or one entry a line"
        }
    }
}
