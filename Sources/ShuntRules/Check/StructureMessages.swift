import ShuntCore

/// Unknown and misplaced directives, and the `;` that was forgotten before them.
extension StructureCheck {
    // MARK: Unknown and misplaced directives

    mutating func reportUnknown(_ directive: Directive, in scope: Scope) {
        let name = directive.name
        let advice = adviceOnUnknown(name, in: scope)
        error(.unknownDirective, "unknown directive \(name.shownText)", at: name, suggestion: advice)
    }

    private func adviceOnUnknown(_ name: Word, in scope: Scope) -> String? {
        // Looking for names takes a while, which is not spent on messages that no one will see.
        guard !source.isFull else { return nil }
        let text = name.text
        if text.contains("_by_lua") || text.hasPrefix("lua_") || text.hasPrefix("js_") {
            return "code in rule files is not run; use a map, or an input that the caller supplies"
        }
        if let advice = TriedFirst.advice(on: text) { return advice }
        if UnservedDirectives.protects(text) {
            return "without it every request is let in: use auth_basic, auth_request, allow and deny, or write"
                + " ignore_directive \(text); at the top level"
        }
        if let module = UnservedDirectives.module(of: text) {
            return "it is of the module \(module): to pass over it, write ignore_directive \(text); at the top level"
        }
        if text.hasPrefix("if(") { return "write a space after if" }
        let closest =
            Suggestion.closest(to: text, among: table.names(in: scope.accepted))
            ?? Suggestion.closest(to: text, among: table.all.map(\.name))
        var advice: [String] = []
        // A letter of another alphabet that looks like one of ours cannot be seen; its number can.
        if let strange = text.unicodeScalars.enumerated().first(where: { $0.element.value > 0x7f }) {
            advice.append("its character \(strange.offset + 1) is \(codePoint(strange.element))")
        }
        if let closest { advice.append("did you mean \"\(closest)\"?") }
        let isName =
            !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        if advice.isEmpty, isName {
            return "if it is of a module that changes no decision, write ignore_directive \(text); at the top level"
        }
        return advice.isEmpty ? nil : advice.joined(separator: "; ")
    }

    mutating func reportMisplaced(_ directive: Directive, _ known: [DirectiveRow], in scope: Scope) {
        let name = directive.name
        let contexts = known.reduce(into: Contexts()) { $0.formUnion($1.contexts) }
        var advice: String?
        switch name.text {
        case "rewrite" where scope.context.isSubset(of: .urlPhase):
            advice = "outside servers rewrite_url changes whole URLs"
        case "return" where scope.context.isSubset(of: .urlPhase):
            advice = "outside servers use block, degrade or rewrite_url"
        case "if" where scope.context == .ifInServer || scope.context == .ifInLocation:
            advice = "nginx has no \"if\" in an \"if\": set a variable in the first and test it in the second"
        case "else":
            advice = "nginx has no \"else\": use a second \"if\", or a map"
        default:
            break
        }
        error(
            .misplacedDirective,
            "\(name.shownText) is not allowed \(scope.context.description); it is allowed \(contexts.withTopLevel.description)",
            at: name,
            suggestion: advice
        )
    }

    // MARK: Missing semicolons

    /// Takes off the part of a directive that is really the next one, because a `;` is missing between them, and
    /// reports that; nil when there is none.
    mutating func splitOff(_ directive: inout Directive, _ row: DirectiveRow, in scope: Scope) -> Directive? {
        let isRight =
            row.allows(block: directive.block) && row.arguments.allows(directive.arguments.count)
        guard !isRight || row.arguments.maximum == nil,
            let index = swallowedDirective(directive, row, isRight: isRight, in: scope)
        else { return nil }
        let needsBlock = !isRight && row.hasBlock && directive.block == nil
        reportMissing(needsBlock ? "{" : ";", of: directive, before: index, isRight ? .warning : .error)
        if isRight { return nil }
        let words = directive.arguments
        let rest = Directive(name: words[index], arguments: Array(words[(index + 1)...]), block: directive.block)
        let block = needsBlock ? [rest] : nil
        directive = Directive(name: directive.name, arguments: Array(words[..<index]), block: block)
        return needsBlock ? nil : rest
    }

    /// The argument that begins a new line and names a directive that may be here.
    ///
    /// Where the directive is right with it, it must be right below the directive's name: `rewrite ^ /x` may well
    /// continue with `break` in the next line.
    private func swallowedDirective(
        _ directive: Directive,
        _ row: DirectiveRow,
        isRight: Bool,
        in scope: Scope
    ) -> Int? {
        let arguments = directive.arguments
        for (index, word) in arguments.enumerated() where !word.isQuoted && index >= row.arguments.minimum {
            let previous = index == 0 ? directive.name : arguments[index - 1]
            guard word.position.line > previous.position.line, word.position.file == previous.position.file else {
                continue
            }
            guard !isRight || word.position.column == directive.name.position.column else { continue }
            if self.row(of: word, in: scope) != nil { return index }
        }
        return nil
    }

    /// Reports a `;` or a `{` that should be before an argument.
    private mutating func reportMissing(
        _ sign: String,
        of directive: Directive,
        before argument: Int,
        _ severity: Diagnostic.Severity
    ) {
        let previous = argument == 0 ? directive.name : directive.arguments[argument - 1]
        let next = directive.arguments[argument]
        let code: DiagnosticCode = sign == ";" ? .missingSemicolon : .missingBlock
        let note = source.diagnostic(.note(code), "\(next.shownText) looks like a separate directive", at: next)
        let problem = source.diagnostic(
            Diagnostic.Kind(severity, code),
            "the directive \(directive.name.shownText) runs on into the next line",
            at: source.end(of: previous),
            suggestion: "put \"\(sign)\" after \(previous.shownText)",
            notes: [note]
        )
        source.report(problem)
    }
}
