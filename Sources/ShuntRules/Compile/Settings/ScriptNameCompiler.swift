import ShuntCore
import ShuntPatterns

/// `fastcgi_split_path_info`: what of a path is the script, and what comes after it.
enum ScriptNameCompiler {
    /// The expression, which has two groups as nginx wants it; nil after an error.
    static func split(_ word: Word, in context: inout CompileContext) -> ExpressionIndex? {
        guard let pattern = context.pattern(word.bytes, of: word) else { return nil }
        let groups = context.tables.patterns[pattern].captureCount
        guard groups == 2 else {
            let message = "the expression of \"fastcgi_split_path_info\" has two groups, not \(groups)"
            let advice = "write ^(.+\\.php)(/.*)$: the script, and the path after it"
            return context.error(.invalidValue, message, at: word, suggestion: advice)
        }
        return pattern
    }
}
