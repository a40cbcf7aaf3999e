/// The advice for an expression that does not compile.
enum PatternAdvice {
    /// Advice that goes with a message of PCRE2's; nil if the message is enough.
    static func on(_ message: String) -> String? { advice.first { message.contains($0.0) }?.1 }

    private static let advice: [(String, String)] = [
        (
            "missing closing parenthesis",
            "close it with \")\", or write \"\\(\" for a parenthesis that is meant literally"
        ),
        ("unmatched closing parenthesis", "remove it, or write \"\\)\" for one that is meant literally"),
        ("missing terminating ]", "close it with \"]\", or write \"\\[\" for a bracket that is meant literally"),
        ("quantifier does not follow", "put what is repeated before it, or a backslash if it is meant literally"),
        ("two named subpatterns", "use another name for each group"),
        ("range out of order", "put the lower character first"),
        ("numbers out of order", "put the lower number first"),
        ("\\ at end of pattern", "write \"\\\\\" for a backslash that is meant literally"),
        ("subpattern name", "a group's name has letters, digits and _ and begins with a letter"),
        ("non-existent subpattern", "refer to a group that the expression has"),
        ("lookbehind", "the text of a lookbehind must have a fixed length"),
    ]
}
