import ShuntCore

/// `rewrite` of a server or a location.
enum RewriteCompiler {
    /// `rewrite REGEX REPLACEMENT [FLAG]`; returns its instruction, or nil after an error.
    static func compile(_ directive: CheckedDirective, in context: inout CompileContext) -> InstructionIndex? {
        let words = directive.arguments
        guard words.count >= 2 else { return nil }
        guard !words[1].bytes.isEmpty else {
            let advice = "a path begins with /; \"return\" ends a request without one"
            return context.error(.emptyReplacement, "empty replacement", at: words[1], suggestion: advice)
        }
        guard let number = context.pattern(words[0].bytes, of: words[0]) else { return nil }
        var rule = RewriteRule(pattern: number, position: directive.name.position, target: .none)
        var replacement = words[1].bytes
        if replacement.last == UInt8(ascii: "?") {
            replacement.removeLast()
            rule.keepsArguments = false
        }
        if isRedirect(replacement) { rule.status = 302 }
        if words.count > 2 {
            let flag = RewriteFlag(words[2], takesStatuses: false, in: &context)
            rule.flow = flag.flow ?? rule.flow
            rule.status = flag.status ?? rule.status
        }
        compileReplacement(replacement, of: words[1], into: &rule, in: &context)
        let index = context.tables.rewrites.append(rule)
        return context.emit(Instruction(.rewrite, index), at: directive.name.position)
    }

    /// Compiles what a rewrite puts in the place of the path: cut at the first literal `?` unless it redirects.
    private static func compileReplacement(
        _ bytes: [UInt8],
        of word: Word,
        into rule: inout RewriteRule,
        in context: inout CompileContext
    ) {
        let pieces = context.pieces(of: bytes, word: word)
        let groups = context.groupCount(of: rule.pattern)
        let question = UInt8(ascii: "?")
        let cut = pieces.firstIndex { if case .literal(let bytes) = $0 { bytes.contains(question) } else { false } }
        rule.hasQuestionMark = cut != nil
        guard let cut, rule.status == 0, case .literal(let literal) = pieces[cut],
            let mark = literal.firstIndex(of: question)
        else {
            rule.target = context.template(pieces, of: word, groups: groups)
            return
        }
        var path = Array(pieces[..<cut])
        if mark > 0 { path.append(.literal(Array(literal[..<mark]))) }
        var arguments = Array(pieces[(cut + 1)...])
        if mark + 1 < literal.count { arguments.insert(.literal(Array(literal[(mark + 1)...])), at: 0) }
        rule.target = context.template(path, of: word, groups: groups)
        rule.arguments = context.template(arguments, of: word, groups: groups)
    }

    /// Returns true if a text is a URL to nginx's rewrite module, which reads nothing but its beginning.
    static func isRedirect(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "http://".utf8) || bytes.starts(with: "https://".utf8) || bytes.starts(with: "$scheme".utf8)
    }
}
