import ShuntCore

/// An entry in the block of an `expect`.
enum ExpectationEntry: String, CaseIterable {
    case method, header, input, remote, listen, time, host, file, directory
    case answer
    case noAnswer = "!answer"
    case body, parameter, by, then

    private var row: (syntax: String, arguments: ArgumentCount, mayBeRepeated: Bool) {
        switch self {
        case .method: ("method NAME;", .exactly(1), false)
        case .header: ("header NAME VALUE;", .exactly(2), true)
        case .input: ("input $NAME VALUE;", .exactly(2), true)
        case .remote: ("remote ADDRESS;", .exactly(1), false)
        case .listen: ("listen [ADDRESS:]PORT;", .exactly(1), false)
        case .time: ("time TIME;", .exactly(1), false)
        case .host: ("host NAME;", .exactly(1), false)
        case .file: ("file PATH;", .exactly(1), true)
        case .directory: ("directory PATH;", .exactly(1), true)
        case .answer: ("answer NAME [VALUE];", .between(1, 2), true)
        case .noAnswer: ("!answer NAME;", .exactly(1), true)
        case .body: ("body TEXT;", .exactly(1), false)
        case .parameter: ("parameter NAME VALUE;", .exactly(2), true)
        case .by: ("by FILE[:LINE]; or by NAME;", .exactly(1), false)
        case .then: ("then DECISION [STATUS] [URL];", .between(1, 3), true)
        }
    }

    /// The entry of a directive in a block, if it is one and is written as it has to be; anything else is reported.
    static func of(
        _ directive: Directive,
        seen: inout [ExpectationEntry: Word],
        in context: inout CompileContext
    ) -> ExpectationEntry? {
        let name = directive.name
        guard let entry = ExpectationEntry(rawValue: name.text) else {
            let names = allCases.map(\.rawValue)
            let meant = Suggestion.meant(by: name.text, among: names)
            let advice = meant ?? "there are \(names.joined(separator: ", "))"
            return context.error(.unknownEntry, "a test has no \(name.shownText)", at: name, suggestion: advice)
        }
        if directive.block != nil {
            context.error(.unexpectedBlock, "\(name.shownText) has no block", at: name, suggestion: "end it with \";\"")
            return nil
        }
        let count = directive.arguments.count
        let row = entry.row
        guard row.arguments.allows(count) else {
            return context.error(
                .argumentCount,
                "\(name.shownText) takes \(row.arguments.description), not \(count)",
                at: row.arguments.maximum.flatMap { count > $0 ? directive.arguments[$0] : nil } ?? name,
                suggestion: "write: \(row.syntax)"
            )
        }
        if !row.mayBeRepeated, let first = seen.updateValue(name, forKey: entry) {
            let message = "\(name.shownText) is allowed only once in a test"
            let note = context.note("the first is here", at: first.position)
            context.error(.duplicateDirective, message, at: name, suggestion: "remove one of them", notes: [note])
            return nil
        }
        return entry
    }
}
