import ShuntCore
import ShuntPatterns

/// `remove_args`, `decode` and `encode`, which whole URLs and servers have.
enum ArgumentCompiler {
    static func compileRemoval(_ directive: CheckedDirective, in context: inout CompileContext) {
        var names = ByteTableBuilder()
        var expressions: [RegularExpression] = []
        for word in directive.arguments {
            if word.bytes.first == UInt8(ascii: "~") {
                let written = Array(word.bytes.dropFirst())
                if let expression = context.expression(written, of: word, offset: 1, isWhole: true) {
                    expressions.append(expression)
                }
                continue
            }
            if let odd = word.bytes.first(where: { "&=?#$".utf8.contains($0) }) {
                let shown = Character(Unicode.Scalar(odd))
                let message = "\(word.shownText) is not the name of an argument: there is a \"\(shown)\" in it"
                let advice = "write names only, such as utm_source, or ~utm_.* for all that begin so"
                context.error(.invalidArgumentName, message, at: word, suggestion: advice)
            } else if case .duplicate = names.add(word.bytes.span, value: 0) {
                context.warning(.duplicateArgument, "\(word.shownText) is named twice", at: word)
            }
        }
        let list = ArgumentList(names: names.build(), patterns: expressions.isEmpty ? nil : PatternIndex(expressions))
        context.emit(
            Instruction(.removeArguments, context.tables.argumentLists.append(list)),
            at: directive.name.position
        )
    }

    static func compileCoding(
        _ directive: CheckedDirective,
        _ operation: Operation,
        inURLPhase: Bool,
        in context: inout CompileContext
    ) {
        guard directive.arguments.count == 2,
            let number = context.assignable(directive.arguments[0], inURLPhase: inURLPhase)
        else { return }
        let source = directive.arguments[1]
        if !source.bytes.contains(UInt8(ascii: "$")) {
            let message = "\(source.shownText) is the same for every request"
            let advice = "name a variable: \(directive.name.text) \(directive.arguments[0].text) $arg_\(source.text);"
            context.warning(.constantSource, message, at: source, suggestion: advice)
        }
        context.emit(Instruction(operation, number, context.template(source)), at: directive.name.position)
    }
}
