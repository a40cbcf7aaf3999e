import ShuntCore

/// `expires [modified] TIME | epoch | max | off`.
enum ExpiryCompiler {
    /// Adds to settings with a time and without headers an empty list of them, so that decisions read one thing and not
    /// at two.
    static func finish(in context: inout CompileContext) {
        guard !context.tables.expiries.isEmpty else { return }
        let none = context.tables.headers.append([])
        for index in context.tables.settings.indices
        where !context.tables.settings[index].expiry.isNone && context.tables.settings[index].headers.isNone {
            context.tables.settings[index].headers = none
        }
    }

    static func rule(_ directive: CheckedDirective, in context: inout CompileContext) -> TableIndex<ExpiryRule> {
        guard let word = directive.arguments.last, let first = directive.arguments.first else { return .none }
        let isModified = directive.arguments.count == 2
        if isModified, first.text != "modified" {
            context.invalid("value", first, advice: "write \"modified\" before a time, or one word")
            return .none
        }
        guard !word.bytes.contains(UInt8(ascii: "$")) else {
            let rule = ExpiryRule(template: context.templateAfterAnswer(word), isModified: isModified)
            return context.tables.expiries.append(rule)
        }
        do throws(Expiry.Problem) {
            // `off` is nothing to do, and takes away what is inherited.
            guard let expiry = try Expiry(word.bytes, isModified: isModified) else { return .none }
            return context.tables.expiries.append(ExpiryRule(expiry: expiry))
        } catch {
            let advice = "write a time such as 30d, -1 or @15h30m, \"epoch\", \"max\" or \"off\""
            context.error(.invalidValue, "invalid value \(word.shownText): \(error.text)", at: word, suggestion: advice)
            return .none
        }
    }
}
