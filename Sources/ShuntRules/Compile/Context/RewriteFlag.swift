import ShuntCore

/// The last word of `rewrite` and `rewrite_url`: where the sequence continues, or the status of a redirect.
struct RewriteFlag {
    /// The place where the sequence continues; nil if the word has none.
    var flow: RewriteRule.Flow?
    /// The redirect's status; nil if the word has none.
    var status: Int32?

    /// Reads the word, and reports one that is not a flag; `takesStatuses` if a redirect's status may be a number.
    init(_ word: Word, takesStatuses: Bool, in context: inout CompileContext) {
        switch word.text {
        case "last": flow = .last
        case "break": flow = .stop
        case "redirect": status = 302
        case "permanent": status = 301
        case "301" where takesStatuses, "302" where takesStatuses, "303" where takesStatuses,
            "307" where takesStatuses, "308" where takesStatuses:
            status = word.bytes.decimalNumber.map { Int32($0) }
        default:
            let meant = Suggestion.meant(by: word.text, among: ["last", "break", "redirect", "permanent"])
            context.error(
                .invalidParameter,
                "invalid parameter \"\(word.text)\"",
                at: word,
                suggestion: meant
                    ?? (takesStatuses
                        ? "a flag is last, break, redirect, permanent, or a status such as 308"
                        : "a flag is last, break, redirect or permanent")
            )
        }
    }
}
