import ShuntCore
import ShuntPatterns

/// The rewrite module's directives of a server or a location, compiled into one sequence.
extension Compiler {
    /// Compiles the sequence of a level; -1 when the level has none.
    ///
    /// - Parameters:
    ///   - directives: The directives of the level.
    ///   - settings: The settings of a location, which its `if` blocks inherit; nil in a server, whose `if` blocks have
    ///     no settings of their own.
    /// - Returns: The first instruction of the sequence.
    mutating func compileSequence(_ directives: [Directive], settings: Settings?) -> Int32 {
        guard directives.contains(where: { Self.isRewriting($0) }) else { return -1 }
        let start = nextInstruction
        compileBody(directives, settings: settings)
        emit(Instruction(.end), at: .none)
        return start
    }

    private static func isRewriting(_ directive: Directive) -> Bool {
        switch keyword(directive) {
        case .rewrite, .return, .if, .set, .break: true
        default: false
        }
    }

    /// The directives that are not the rewrite module's.
    ///
    /// Whoever looks for something else in a server need not go through all its rules, of which there may be 100,000.
    static func withoutRewriting(_ directives: [Directive]) -> [Directive] {
        directives.indices.filter { !isRewriting(directives[$0]) }.map { directives[$0] }
    }

    private mutating func compileBody(_ directives: [Directive], settings: Settings?) {
        var rewrites: [Int32] = []
        var tests: [Int32] = []
        var testedVariable: Int32 = -1
        var endedBy: Directive?

        func finishRewrites(_ compiler: inout Compiler) {
            compiler.addPathChain(rewrites)
            rewrites.removeAll()
        }
        func finishTests(_ compiler: inout Compiler) {
            compiler.addTestChain(tests, variable: testedVariable)
            tests.removeAll()
        }

        for directive in directives where Self.isRewriting(directive) {
            if let end = endedBy {
                warning(
                    "unreachable-rule",
                    "this is never reached",
                    at: directive.name,
                    notes: [note("\"\(end.name.text)\" ends the sequence here", at: end.name.position)]
                )
                endedBy = nil
            }
            switch Self.keyword(directive) {
            case .rewrite:
                finishTests(&self)
                if let instruction = compileRewrite(directive) { rewrites.append(instruction) }
                continue
            case .if:
                finishRewrites(&self)
                guard let (instruction, variable) = compileIf(directive, settings: settings) else { continue }
                if let variable {
                    if !tests.isEmpty, variable != testedVariable { finishTests(&self) }
                    testedVariable = variable
                    tests.append(instruction)
                } else {
                    finishTests(&self)
                }
                continue
            default:
                break
            }
            // A chain ends where the next directive begins, so it is closed before that is compiled.
            finishRewrites(&self)
            finishTests(&self)
            switch Self.keyword(directive) {
            case .return:
                compileReturn(directive)
                endedBy = directive
            case .set:
                compileSet(directive, inURLPhase: false)
            case .break:
                emit(Instruction(.stop), at: directive.name.position)
                endedBy = directive
            default:
                break
            }
        }
        finishRewrites(&self)
        finishTests(&self)
    }

    /// `set $variable value`.
    mutating func compileSet(_ directive: Directive, inURLPhase: Bool) {
        guard directive.arguments.count == 2 else { return }
        guard let number = assignable(directive.arguments[0], inURLPhase: inURLPhase) else { return }
        let value = template(directive.arguments[1])
        emit(Instruction(.set, number, value), at: directive.name.position)
    }

    // MARK: rewrite

    private mutating func compileRewrite(_ directive: Directive) -> Int32? {
        let words = directive.arguments
        guard words.count >= 2 else { return nil }
        guard !words[1].bytes.isEmpty else {
            error(
                "empty-replacement",
                "empty replacement",
                at: words[1],
                suggestion: "a path begins with /; \"return\" ends a request without one"
            )
            return nil
        }
        guard let number = pattern(words[0].bytes, of: words[0]) else { return nil }
        var rule = RewriteRule(pattern: number, position: directive.name.position, target: 0)
        var replacement = words[1].bytes
        if replacement.last == UInt8(ascii: "?") {
            replacement.removeLast()
            rule.keepsArguments = false
        }
        if Self.isRedirect(replacement) { rule.status = 302 }
        if words.count > 2 {
            switch words[2].text {
            case "last": rule.flow = .last
            case "break": rule.flow = .stop
            case "redirect": rule.status = 302
            case "permanent": rule.status = 301
            default:
                let flags = ["last", "break", "redirect", "permanent"]
                let closest = Suggestion.closest(to: words[2].text, among: flags)
                error(
                    "invalid-parameter",
                    "invalid parameter \"\(words[2].text)\"",
                    at: words[2],
                    suggestion: closest.map { "did you mean \"\($0)\"?" }
                        ?? "a flag is last, break, redirect or permanent"
                )
            }
        }
        availableGroups = tables.patterns[Int(number)].captureCount
        compileReplacement(replacement, of: words[1], into: &rule)
        availableGroups = nil
        let index = tables.rewrites.adding(rule)
        return emit(Instruction(.rewrite, index), at: directive.name.position)
    }

    /// Compiles what a rewrite puts in the place of the path: cut at the first literal `?` unless it redirects.
    private mutating func compileReplacement(_ bytes: [UInt8], of word: Word, into rule: inout RewriteRule) {
        let pieces = pieces(of: bytes, word: word)
        let question = UInt8(ascii: "?")
        let cut = pieces.firstIndex { if case .literal(let bytes) = $0 { bytes.contains(question) } else { false } }
        rule.hasQuestionMark = cut != nil
        guard let cut, rule.status == 0, case .literal(let literal) = pieces[cut],
            let mark = literal.firstIndex(of: question)
        else {
            rule.target = template(pieces, of: word, offset: 0)
            return
        }
        var path = Array(pieces[..<cut])
        if mark > 0 { path.append(.literal(Array(literal[..<mark]))) }
        var arguments = Array(pieces[(cut + 1)...])
        if mark + 1 < literal.count { arguments.insert(.literal(Array(literal[(mark + 1)...])), at: 0) }
        rule.target = template(path, of: word, offset: 0)
        rule.arguments = template(arguments, of: word, offset: 0)
    }

    /// Whether a text is a URL to nginx's rewrite module, which looks at nothing but its beginning.
    static func isRedirect(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "http://".utf8) || bytes.starts(with: "https://".utf8) || bytes.starts(with: "$scheme".utf8)
    }

    // MARK: return

    private mutating func compileReturn(_ directive: Directive) {
        guard let first = directive.arguments.first else { return }
        let text = directive.arguments.count > 1 ? directive.arguments[1] : nil
        let position = directive.name.position
        guard let code = Self.number(first.bytes[...]), code <= 999 else {
            guard text == nil, Self.isRedirect(first.bytes) else {
                return error(
                    "invalid-code",
                    "invalid return code \"\(first.text)\"",
                    at: first,
                    suggestion:
                        "write a code from 0 to 999, or a URL that begins with \"http://\", \"https://\" or \"$scheme\""
                )
            }
            let rule = ReturnRule(status: 302, text: template(first), form: .redirect)
            emit(Instruction(.finish, tables.returns.adding(rule)), at: position)
            return
        }
        var rule = ReturnRule(status: Int32(code), text: -1, form: .send)
        if [301, 302, 303, 307, 308].contains(code) {
            rule.form = .redirect
        } else if code >= 400, text.map({ $0.bytes.isEmpty }) ?? true {
            rule.form = .error
        }
        if let text { rule.text = template(text) }
        emit(Instruction(.finish, tables.returns.adding(rule)), at: position)
    }

    // MARK: if

    /// Compiles an `if`; gives its test and, where a chain may take it, the variable it tests.
    private mutating func compileIf(_ directive: Directive, settings: Settings?) -> (Int32, Int32?)? {
        let condition = serverCondition(directive)
        let test = emit(
            Instruction(.test, condition.map { tables.conditions.adding($0) } ?? 0),
            at: directive.name.position
        )
        let body = directive.block ?? []
        if var inner = settings {
            inner.isNameless = true
            inner.namesHandler = false
            inner.tryFiles = -1
            inner.methodLimit = -1
            inner.sequence = -1
            apply(body, to: &inner, scope: .ifInLocation)
            addServerNames(to: &inner)
            emit(Instruction(.enter, tables.settings.adding(inner)), at: directive.name.position)
            compileBody(body, settings: inner)
        } else {
            compileBody(body, settings: nil)
        }
        patch(test, target: nextInstruction)
        guard let condition else { return nil }
        return (test, chainableVariable(condition))
    }

    /// The condition of an `if` in a server or location, in exactly the forms that nginx takes; nil after an error.
    private mutating func serverCondition(_ directive: Directive) -> Condition? {
        var words = directive.arguments
        guard let first = words.first, let last = words.last else { return nil }
        guard first.bytes.first == UInt8(ascii: "("), !first.isQuoted else {
            error(
                "invalid-condition",
                "invalid condition \"\(first.text)\"",
                at: first,
                suggestion: "a condition begins with \"(\""
            )
            return nil
        }
        guard last.bytes.last == UInt8(ascii: ")"), !last.isQuoted || words.count == 1 else {
            error(
                "invalid-condition",
                "invalid condition \"\(last.text)\"",
                at: last,
                suggestion: "a condition ends with \")\""
            )
            return nil
        }
        words[0] = words[0].dropping(first: 1)
        words[words.count - 1] = words[words.count - 1].dropping(last: 1)
        if words.count > 1, words[0].bytes.isEmpty { words.removeFirst() }
        if words.count > 1, words[words.count - 1].bytes.isEmpty, !words[words.count - 1].isQuoted {
            words.removeLast()
        }
        return test(words, of: directive, allowsVersions: false)
    }
}

extension Word {
    /// The word without bytes at its ends, its place moved along.
    func dropping(first: Int = 0, last: Int = 0) -> Word {
        var word = self
        word.bytes = Array(bytes.dropFirst(first).dropLast(last))
        word.position.column += Int32(first)
        word.sourceLength = max(0, sourceLength - Int32(first + last))
        return word
    }
}
