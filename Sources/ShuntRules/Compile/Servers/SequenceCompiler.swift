import ShuntCore

/// The rewrite module's directives of a server or a location, compiled into one sequence.
struct SequenceCompiler {
    /// The names of the server that the sequence belongs to.
    let names: [ServerName]

    /// Compiles the sequence of a level, and returns its first instruction; -1 when the level has none.
    ///
    /// The `if` blocks of a location inherit its settings; those of a server have no separate settings.
    func compile(
        _ directives: [CheckedDirective],
        settings: Settings?,
        in context: inout CompileContext
    ) -> InstructionIndex {
        guard directives.contains(where: { Self.isRewriting($0) }) else { return .none }
        let start = context.nextInstruction
        compileBody(directives, settings: settings, in: &context)
        context.emit(Instruction(.end), at: .none)
        return start
    }

    static func isRewriting(_ directive: CheckedDirective) -> Bool {
        switch directive.keyword {
        case .block: true
        case .allow: EntryListCompiler.isList(directive)
        case .rewrite, .redirects, .return, .if, .set, .break, .removeArguments, .decode, .encode: true
        default: false
        }
    }

    private func compileBody(_ directives: [CheckedDirective], settings: Settings?, in context: inout CompileContext) {
        var rewrites: [InstructionIndex] = []
        var tests: [InstructionIndex] = []
        var testedVariable = VariableIndex.none
        var endedBy: CheckedDirective?

        func finishRewrites(in context: inout CompileContext) {
            ChainCompiler.addPathChain(rewrites, in: &context)
            rewrites.removeAll()
        }
        func finishTests(in context: inout CompileContext) {
            ChainCompiler.addTestChain(tests, variable: testedVariable, in: &context)
            tests.removeAll()
        }

        for directive in directives where Self.isRewriting(directive) {
            // Another server may include the same file and reach it.
            if let end = endedBy, end.name.position.file == directive.name.position.file {
                let note = context.note("\"\(end.name.text)\" ends the sequence here", at: end.name.position)
                let (message, advice) = ("this is never reached", "remove it, or put it first")
                context.warning(.unreachableRule, message, at: directive.name, suggestion: advice, notes: [note])
                endedBy = nil
            }
            switch directive.keyword {
            case .rewrite:
                finishTests(in: &context)
                if let instruction = RewriteCompiler.compile(directive, in: &context) { rewrites.append(instruction) }
                continue
            case .if:
                finishRewrites(in: &context)
                guard let (instruction, variable) = compileIf(directive, settings: settings, in: &context) else {
                    continue
                }
                if let variable {
                    if !tests.isEmpty, variable != testedVariable { finishTests(in: &context) }
                    testedVariable = variable
                    tests.append(instruction)
                } else {
                    finishTests(in: &context)
                }
                continue
            default:
                break
            }
            // A chain ends where the next directive begins, so it is closed before that is compiled.
            finishRewrites(in: &context)
            finishTests(in: &context)
            switch directive.keyword {
            case .return:
                ReturnCompiler.compile(directive, in: &context)
                endedBy = directive
            case .set:
                Self.compileSet(directive, inURLPhase: false, in: &context)
            case .block, .allow: EntryListCompiler.compileInServer(directive, in: &context)
            case .redirects: RedirectListCompiler.compile(directive, names, in: &context)
            case .removeArguments: ArgumentCompiler.compileRemoval(directive, in: &context)
            case .decode: ArgumentCompiler.compileCoding(directive, .decode, inURLPhase: false, in: &context)
            case .encode: ArgumentCompiler.compileCoding(directive, .encode, inURLPhase: false, in: &context)
            case .break:
                context.emit(Instruction(.stop), at: directive.name.position)
                endedBy = directive
            default:
                break
            }
        }
        finishRewrites(in: &context)
        finishTests(in: &context)
    }

    static func compileSet(_ directive: CheckedDirective, inURLPhase: Bool, in context: inout CompileContext) {
        guard directive.arguments.count == 2 else { return }
        guard let number = context.assignable(directive.arguments[0], inURLPhase: inURLPhase) else { return }
        let value = context.template(directive.arguments[1])
        context.emit(Instruction(.set, number, value), at: directive.name.position)
    }

    /// Compiles an `if`; returns its test and, where a chain may take it, the variable it tests.
    private func compileIf(_ directive: CheckedDirective, settings: Settings?, in context: inout CompileContext) -> (
        InstructionIndex, VariableIndex?
    )? {
        let condition = serverCondition(directive, in: &context)
        let test = context.emit(
            Instruction(.test, condition.map { context.tables.conditions.append($0) } ?? .none),
            at: directive.name.position
        )
        let body = directive.block
        if var inner = settings?.ofInnerBlock {
            inner.namesHandler = false
            SettingsCompiler.apply(body, to: &inner, scope: .ifInLocation, in: &context)
            RefererCompiler.addServerNames(names, to: &inner, in: &context)
            context.emit(Instruction(.enter, context.tables.settings.append(inner)), at: directive.name.position)
            compileBody(body, settings: inner, in: &context)
        } else {
            compileBody(body, settings: nil, in: &context)
        }
        context.patch(test, target: context.nextInstruction)
        guard let condition else { return nil }
        return (test, ChainCompiler.testedVariable(of: condition, in: context))
    }

    /// The condition of an `if` in a server or location, in exactly the forms that nginx takes; nil after an error.
    private func serverCondition(_ directive: CheckedDirective, in context: inout CompileContext) -> Condition? {
        var words = directive.arguments
        guard let first = words.first, let last = words.last else { return nil }
        guard first.bytes.first == UInt8(ascii: "("), !first.isQuoted else {
            let advice = "a condition begins with \"(\""
            context.error(.invalidCondition, "invalid condition \"\(first.text)\"", at: first, suggestion: advice)
            return nil
        }
        guard last.bytes.last == UInt8(ascii: ")"), !last.isQuoted || words.count == 1 else {
            let advice = "a condition ends with \")\""
            return context.error(.invalidCondition, "invalid condition \"\(last.text)\"", at: last, suggestion: advice)
        }
        words[0] = words[0].dropping(first: 1)
        words[words.count - 1] = words[words.count - 1].dropping(last: 1)
        if words.count > 1, words[0].bytes.isEmpty { words.removeFirst() }
        if words.count > 1, words[words.count - 1].bytes.isEmpty, !words[words.count - 1].isQuoted {
            words.removeLast()
        }
        return ConditionCompiler.test(words, of: directive, allowsVersions: false, in: &context)
    }
}
