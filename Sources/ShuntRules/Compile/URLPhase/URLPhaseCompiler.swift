import ShuntCore

/// A rule on whole URLs: its instruction, and what it applies to.
struct URLRuleLink {
    var instruction: InstructionIndex
    var matcher: MatcherIndex
}

struct URLPhaseCompiler {
    private var lists = BlocklistCompiler()
    /// The value of `match_spelling` for the rules of the block.
    private var spelling = MatchSpelling.loose

    /// Compiles the URL phase, if the rule set has one.
    static func compile(_ directives: [CheckedDirective], in context: inout CompileContext) {
        guard directives.contains(where: { isURLRule($0) }) else {
            _ = SpellingCompiler.spelling(of: directives, within: .loose, in: &context)
            return
        }
        context.tables.urlPhase = context.nextInstruction
        var compiler = URLPhaseCompiler()
        compiler.compileRules(directives, in: &context)
        context.emit(Instruction(.end), at: .none)
        ChainCompiler.addExclusions(from: context.tables.urlPhase, in: &context)
    }

    private static func isURLRule(_ directive: CheckedDirective) -> Bool {
        switch directive.keyword {
        case .renameHost, .rewriteURL, .degrade, .block, .blocklist, .redirects, .match, .if, .else, .set, .break,
            .removeArguments, .decode, .encode:
            true
        default: EntryListCompiler.isList(directive)
        }
    }

    private mutating func compileRules(_ directives: [CheckedDirective], in context: inout CompileContext) {
        let outer = spelling
        spelling = SpellingCompiler.spelling(of: directives, within: outer, in: &context)
        defer { spelling = outer }
        var links: [URLRuleLink] = []
        var index = 0
        while index < directives.count {
            let directive = directives[index]
            index += 1
            guard Self.isURLRule(directive) else { continue }
            if !EntryListCompiler.isList(directive), let link = compileChainable(directive, in: &context) {
                links.append(link)
                continue
            }
            ChainCompiler.addURLChain(links, in: &context)
            links.removeAll()
            switch directive.keyword {
            case .set: SequenceCompiler.compileSet(directive, inURLPhase: true, in: &context)
            case .break: context.emit(Instruction(.stop), at: directive.name.position)
            case .removeArguments: ArgumentCompiler.compileRemoval(directive, in: &context)
            case .decode: ArgumentCompiler.compileCoding(directive, .decode, inURLPhase: true, in: &context)
            case .encode: ArgumentCompiler.compileCoding(directive, .encode, inURLPhase: true, in: &context)
            case .blocklist: lists.compile(directive, in: &context)
            case .redirects: RedirectListCompiler.compile(directive, in: &context)
            case .block, .allow:
                if EntryListCompiler.isList(directive) { EntryListCompiler.compile(directive, in: &context) }
            case .if:
                var branches = [directive]
                while index < directives.count, directives[index].keyword == .else {
                    branches.append(directives[index])
                    index += 1
                }
                compileBranches(branches, in: &context)
            default: break
            }
        }
        ChainCompiler.addURLChain(links, in: &context)
    }

    /// Compiles a rule that applies to what a matcher selects; nil for other directives and after an error.
    private mutating func compileChainable(_ directive: CheckedDirective, in context: inout CompileContext)
        -> URLRuleLink?
    {
        switch directive.keyword {
        case .renameHost: RenameCompiler.compile(directive, in: &context)
        case .rewriteURL: compileRewrite(directive, in: &context)
        case .degrade: compileDegrade(directive, in: &context)
        case .block: compileBlock(directive, in: &context)
        case .match: compileMatch(directive, in: &context)
        default: nil
        }
    }

    // MARK: if and else

    private mutating func compileBranches(_ branches: [CheckedDirective], in context: inout CompileContext) {
        var ends: [InstructionIndex] = []
        for (number, branch) in branches.enumerated() {
            var words = branch.arguments
            let isElse = branch.keyword == .else
            if isElse, words.first?.text == "if" { words.removeFirst() }
            var skips: [InstructionIndex] = []
            if !isElse || !words.isEmpty, let condition = ConditionExpression.read(words, of: branch, in: &context) {
                skips = condition.emit(jumpingWhen: false, at: branch.name.position, in: &context)
            }
            compileRules(branch.block, in: &context)
            if number + 1 < branches.count {
                ends.append(context.emit(Instruction(.jump), at: branch.name.position))
            }
            for skip in skips { context.patch(skip, target: context.nextInstruction) }
        }
        for end in ends { context.patch(end, target: context.nextInstruction) }
    }

    // MARK: Rules

    private mutating func compileMatch(_ directive: CheckedDirective, in context: inout CompileContext) -> URLRuleLink?
    {
        var words = directive.arguments
        let matcher = MatcherCompiler.matcher(&words, of: directive, spelling, in: &context)
        reportExtra(words, in: &context)
        let test = context.emit(Instruction(.match, matcher ?? .none), at: directive.name.position)
        compileRules(directive.block, in: &context)
        context.patch(test, target: context.nextInstruction)
        return matcher.map { URLRuleLink(instruction: test, matcher: $0) }
    }

    private func reportExtra(_ words: [Word], in context: inout CompileContext) {
        guard let extra = words.first else { return }
        let isCondition = words.contains { ["if", "when", "unless", "until", "where"].contains($0.text) }
        let advice = isCondition ? "put the rule into an if: if ($variable = value) { ... }" : nil
        context.error(.unexpectedArgument, "unexpected \"\(extra.text)\"", at: extra, suggestion: advice)
    }

    private func compileRewrite(_ directive: CheckedDirective, in context: inout CompileContext) -> URLRuleLink? {
        let words = directive.arguments
        guard words.count >= 2, let number = context.pattern(words[0].bytes, of: words[0]) else { return nil }
        var rule = URLRewrite(pattern: number, target: .none, status: 0, flow: .next)
        if words.count > 2 {
            let flag = RewriteFlag(words[2], takesStatuses: true, in: &context)
            rule.flow = flag.flow ?? rule.flow
            rule.status = flag.status ?? rule.status
        }
        guard !words[1].bytes.isEmpty else {
            return context.error(.emptyReplacement, "empty replacement", at: words[1])
        }
        let matcher = context.tables.matchers.append(
            Matcher(kind: .url, names: 0..<0, hostPatterns: 0..<0, pattern: number)
        )
        rule.target = MatcherCompiler.target(words[1], captures: matcher, in: &context)
        if rule.status == 0 { rule.beginning = Self.beginning(of: rule.target, in: context) }
        let instruction = context.emit(
            Instruction(.rewriteURL, context.tables.urlRewrites.append(rule)),
            at: directive.name.position
        )
        return URLRuleLink(instruction: instruction, matcher: matcher)
    }

    /// Returns the beginning of a target that is a constant and one capture.
    private static func beginning(of target: TemplateIndex, in context: CompileContext) -> URLBeginning? {
        guard !target.isNone, target.position + 1 < context.tables.parts.count else { return nil }
        let constant = context.tables.parts[target]
        let capture = context.tables.parts[target.position + 1]
        guard constant.kind == .literal, !constant.isLast, capture.kind == .capture, capture.isLast else { return nil }
        return URLBeginning(Array(context.tables.bytes(of: constant)), capture: Int(capture.a))
    }

    private func compileDegrade(_ directive: CheckedDirective, in context: inout CompileContext) -> URLRuleLink? {
        var words = directive.arguments
        guard words.count >= 2 else { return nil }
        let url = words.removeLast()
        if words.count == 1, MatcherCompiler.isKind(words[0]) {
            let advice = "write: degrade \(words[0].text) \(url.text) URL;"
            context.error(.missingTarget, "\"degrade\" has a matcher, but no target URL", at: url, suggestion: advice)
            return nil
        }
        guard let matcher = MatcherCompiler.matcher(&words, of: directive, spelling, in: &context) else { return nil }
        reportExtra(words, in: &context)
        if !url.bytes.contains(UInt8(ascii: "$")), (try? URLParser.parse(url.bytes.span)) == nil {
            let advice = "a URL begins with a scheme, such as https://"
            context.error(.invalidURL, "\"\(url.text)\" is not a URL", at: url, suggestion: advice)
        }
        let target = MatcherCompiler.target(url, captures: matcher, in: &context)
        let instruction = context.emit(Instruction(.degrade, matcher, target), at: directive.name.position)
        return URLRuleLink(instruction: instruction, matcher: matcher)
    }

    private func compileBlock(_ directive: CheckedDirective, in context: inout CompileContext) -> URLRuleLink? {
        var words = directive.arguments
        let status = Self.takeStatus(&words, keeping: 2, in: &context)
        guard let matcher = MatcherCompiler.matcher(&words, of: directive, spelling, in: &context) else { return nil }
        reportExtra(words, in: &context)
        let rule = BlockRule(matcher: matcher, list: .none, status: status)
        let instruction = context.emit(
            Instruction(.block, context.tables.blocks.append(rule)),
            at: directive.name.position
        )
        return URLRuleLink(instruction: instruction, matcher: matcher)
    }

    /// Takes a status off the end of the words, if at least `count` are left before it; 403 without one.
    static func takeStatus(_ words: inout [Word], keeping count: Int, in context: inout CompileContext) -> Int32 {
        guard words.count > count, let last = words.last, last.bytes.count == 3, let code = last.bytes.decimalNumber
        else { return 403 }
        words.removeLast()
        guard (400...599).contains(code) else {
            context.error(.invalidCode, "a block's status is from 400 to 599, not \(code)", at: last)
            return 403
        }
        return Int32(code)
    }
}
