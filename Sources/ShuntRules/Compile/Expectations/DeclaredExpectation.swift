import ShuntCore

/// One test of a rule set, with the places of its parts.
struct DeclaredExpectation {
    /// The URL or the target, as written.
    var subject: Word
    var request: RuleRequest
    /// The paths that exist; one that ends in a slash is a directory.
    var files: [String] = []
    var expectation = Expectation()
    /// The variables that the test sets.
    var inputs: [Word] = []
    private var headers: [Word] = []
    private var body: Word?
    private var parameters: [Word] = []
    private(set) var rule: Word?
    private var following: [Word] = []

    /// Reads a directive; nil where something is wrong with it, which is then reported.
    init?(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard let subject = directive.arguments.first else { return nil }
        self.subject = subject
        let isTarget = subject.bytes.first == UInt8(ascii: "/") || subject.bytes.elementsEqual("*".utf8)
        request = isTarget ? RuleRequest(target: subject.bytes, host: nil) : RuleRequest(url: subject.bytes)
        let errors = context.source.errorCount
        expectation.decision = Self.decision(Array(directive.arguments.dropFirst()), in: &context)
        var seen: [ExpectationEntry: Word] = [:]
        for entry in directive.entries {
            guard let kind = ExpectationEntry.of(entry, seen: &seen, in: &context), let first = entry.arguments.first
            else { continue }
            if !describe(kind, entry: entry, first: first, in: &context) {
                expect(kind, entry: entry, first: first, in: &context)
            }
        }
        do throws(RequestError) {
            try RequestFields.checkHost(of: request)
        } catch {
            context.error(.invalidRequest, error.description, at: seen[.host] ?? subject)
        }
        if let host = seen[.host], !isTarget {
            let message = "\"host\" goes with the target of a request, and \(subject.shownText) is a URL"
            context.error(.invalidRequest, message, at: host, suggestion: "write the path only, such as /a/b")
        }
        guard context.source.errorCount == errors else { return nil }
    }

    func place(of part: Expectation.Mismatch.Part) -> Word {
        switch part {
        case .decision: subject
        case .body: body ?? subject
        case .rule: rule ?? subject
        case .header(let index): headers.indices.contains(index) ? headers[index] : subject
        case .parameter(let index): parameters.indices.contains(index) ? parameters[index] : subject
        case .following(let index): following.indices.contains(index) ? following[index] : subject
        }
    }

    /// Takes an entry that is about the request; false for one that is not.
    private mutating func describe(
        _ kind: ExpectationEntry,
        entry: Directive,
        first: Word,
        in context: inout CompileContext
    ) -> Bool {
        do throws(RequestError) {
            switch kind {
            case .method: request.methodBytes = first.bytes
            case .header:
                request.headers.append(RuleRequest.Header(name: first.bytes, value: entry.arguments[1].bytes))
            case .input:
                let name = first.text
                guard name.hasPrefix("$"), name.utf8.count > 1 else {
                    throw RequestError("an input is written $NAME, not \(first.shownText)")
                }
                request.inputs[String(name.dropFirst()).lowercased()] = entry.arguments[1].bytes
                inputs.append(first)
            case .remote: request.remoteAddress = try RequestFields.remoteAddress(first.text, of: "\"remote\"")
            case .listen: request.listen = try RequestFields.endpoint(first.text)
            case .time: request.time = try RequestFields.time(first.text)
            case .host:
                if case .target(let target, _) = request.subject {
                    request.subject = .target(target, host: first.bytes)
                }
            case .file: files.append(Self.path(first.text, in: context))
            case .directory: files.append(Self.path(first.text, in: context) + "/")
            default: return false
            }
        } catch {
            context.error(.invalidRequest, error.description, at: first)
        }
        return true
    }

    /// Takes an entry that is about what is decided.
    private mutating func expect(
        _ kind: ExpectationEntry,
        entry: Directive,
        first: Word,
        in context: inout CompileContext
    ) {
        switch kind {
        case .answer, .noAnswer:
            let value = entry.arguments.count > 1 ? entry.arguments[1].bytes : nil
            expectation.headers.append(.init(name: first.bytes, value: value, isAbsent: kind == .noAnswer))
            headers.append(first)
        case .body:
            expectation.body = first.bytes
            body = first
        case .parameter:
            expectation.parameters.append(.init(name: first.text, value: entry.arguments[1].text))
            parameters.append(first)
        case .by:
            expectation.rule = ExpectedRule(first.text)
            rule = first
        case .then:
            guard expectation.following.count < Expectation.mostFollowing else {
                let message = "at most \(Expectation.mostFollowing) decisions are followed"
                return context.error(.tooManyEntries, message, at: entry.name)
            }
            guard let decision = Self.decision(entry.arguments, in: &context) else { return }
            expectation.following.append(decision)
            following.append(first)
        default: break
        }
    }

    private static func decision(_ words: [Word], in context: inout CompileContext) -> ExpectedDecision? {
        do throws(ExpectedDecision.Problem) {
            return try ExpectedDecision(words: words.map(\.bytes))
        } catch {
            guard words.indices.contains(error.word) else { return nil }
            return context.error(error.code, error.message, at: words[error.word], suggestion: error.suggestion)
        }
    }

    /// A path, which is taken from the directory of the rules as that of a `root` is.
    private static func path(_ text: String, in context: CompileContext) -> String {
        var path = text.hasPrefix("/") || context.directory.isEmpty ? text : context.directory + "/" + text
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
