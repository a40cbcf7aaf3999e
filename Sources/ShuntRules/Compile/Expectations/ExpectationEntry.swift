import ShuntCore

/// An entry in the block of an `expect`.
enum ExpectationEntry: String, CaseIterable {
    case method, header, input, remote, listen, time, host, file, directory
    case answer
    case noAnswer = "!answer"
    case body, parameter, by, then

    var syntax: String {
        switch self {
        case .method: "method NAME;"
        case .header: "header NAME VALUE;"
        case .input: "input $NAME VALUE;"
        case .remote: "remote ADDRESS;"
        case .listen: "listen [ADDRESS:]PORT;"
        case .time: "time TIME;"
        case .host: "host NAME;"
        case .file: "file PATH;"
        case .directory: "directory PATH;"
        case .answer: "answer NAME [VALUE];"
        case .noAnswer: "!answer NAME;"
        case .body: "body TEXT;"
        case .parameter: "parameter NAME VALUE;"
        case .by: "by FILE[:LINE]; or by NAME;"
        case .then: "then DECISION [STATUS] [URL];"
        }
    }

    var arguments: ArgumentCount {
        switch self {
        case .header, .input, .parameter: .exactly(2)
        case .answer: .between(1, 2)
        case .then: .between(1, 3)
        default: .exactly(1)
        }
    }

    var mayBeRepeated: Bool {
        switch self {
        case .header, .input, .file, .directory, .answer, .noAnswer, .parameter, .then: true
        default: false
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
        guard entry.arguments.allows(count) else {
            return context.error(
                .argumentCount,
                "\(name.shownText) takes \(entry.arguments.description), not \(count)",
                at: entry.arguments.maximum.flatMap { count > $0 ? directive.arguments[$0] : nil } ?? name,
                suggestion: "write: \(entry.syntax)"
            )
        }
        if !entry.mayBeRepeated, let first = seen.updateValue(name, forKey: entry) {
            let message = "\(name.shownText) is allowed only once in a test"
            let note = context.note("the first is here", at: first.position)
            context.error(.duplicateDirective, message, at: name, suggestion: "remove one of them", notes: [note])
            return nil
        }
        return entry
    }
}
