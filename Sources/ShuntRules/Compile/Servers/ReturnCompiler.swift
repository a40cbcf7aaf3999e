import ShuntCore

/// `return` of a server or a location.
enum ReturnCompiler {
    static func compile(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard let first = directive.arguments.first else { return }
        let text = directive.arguments.count > 1 ? directive.arguments[1] : nil
        let position = directive.name.position
        guard let code = first.bytes.decimalNumber, code <= 999 else {
            guard text == nil, RewriteCompiler.isRedirect(first.bytes) else {
                let message = "invalid return code \"\(first.text)\""
                let advice =
                    "write a code from 0 to 999, or a URL that begins with \"http://\", \"https://\" or \"$scheme\""
                return context.error(.invalidCode, message, at: first, suggestion: advice)
            }
            let rule = ReturnRule(status: 302, text: context.template(first), form: .redirect)
            context.emit(Instruction(.finish, context.tables.returns.append(rule)), at: position)
            return
        }
        var rule = ReturnRule(status: Int32(code), text: .none, form: .send)
        if [301, 302, 303, 307, 308].contains(code) {
            rule.form = .redirect
        } else if code >= 400, text.map({ $0.bytes.isEmpty }) ?? true {
            rule.form = .error
        }
        if let text { rule.text = context.template(text) }
        context.emit(Instruction(.finish, context.tables.returns.append(rule)), at: position)
    }
}
