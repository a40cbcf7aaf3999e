import ShuntCore

/// The directives for responses: `error_page` and `add_header`.
enum ResponseCompiler {
    static func errorPages(_ directive: CheckedDirective, in context: inout CompileContext) -> [ErrorPage] {
        var words = directive.arguments
        guard words.count >= 2 else { return [] }
        let target = words.removeLast()
        var overwrite: Int32 = -1
        if let last = words.last, last.bytes.first == UInt8(ascii: "=") {
            words.removeLast()
            if last.bytes.count == 1 {
                overwrite = 0
            } else if let code = last.bytes.dropFirst().decimalNumber, code <= 999 {
                overwrite = Int32(code)
            } else {
                context.invalid("value", last, as: .invalidCode, advice: "write = and a status up to 999, or = alone")
            }
        }
        guard !words.isEmpty else {
            let advice = "write: error_page 404 /missing.html;"
            context.error(.missingCode, "\"error_page\" needs a code", at: target, suggestion: advice)
            return []
        }
        let compiled = context.template(target)
        return words.compactMap { word in
            guard let code = word.bytes.decimalNumber, code >= 300, code <= 599, code != 499 else {
                return context.error(
                    .invalidCode,
                    word.text == "499"
                        ? "\"error_page\" cannot handle 499"
                        : "an error code is a number from 300 to 599, not \(word.shownText)",
                    at: word,
                    suggestion: "write a status such as 404"
                )
            }
            let status = overwrite < 0 && [494, 495, 496, 497].contains(code) ? 400 : overwrite
            return ErrorPage(code: Int32(code), overwrite: status, target: compiled, position: directive.name.position)
        }
    }

    /// `add_header NAME VALUE [always]`; nil after an error.
    static func header(_ directive: CheckedDirective, in context: inout CompileContext) -> HeaderRule? {
        let words = directive.arguments
        guard words.count >= 2 else { return nil }
        let always = words.count == 3
        if always, words[2].text != "always" {
            let advice = "write \"always\", or put quotes around a value with spaces"
            context.error(.invalidParameter, "invalid parameter \"\(words[2].text)\"", at: words[2], suggestion: advice)
        }
        for byte in words[0].bytes where byte <= 0x20 || byte >= 0x7f || byte == UInt8(ascii: ":") {
            let message = "a header's name has no spaces, colons or control characters"
            return context.error(.invalidHeaderName, message, at: words[0])
        }
        let isSingle = ["etag", "last-modified"].contains(words[0].text.lowercased())
        let isOfAnswer = directive.name.text == "add_header"
        let value = isOfAnswer ? context.templateAfterAnswer(words[1]) : context.template(words[1])
        return HeaderRule(name: words[0].bytes, value: value, always: always, isSingle: isSingle)
    }
}
