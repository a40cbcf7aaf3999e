import ShuntPatterns

/// An expression, read as PCRE2 reads it.
func expression(_ pattern: String, caseless: Bool = false) throws -> RegularExpression {
    try RegularExpression(Array(pattern.utf8), caseless: caseless, engine: .pcre2)
}

func automaton(
    _ pattern: String,
    caseless: Bool = false,
    limits: AutomatonLimits = .expression
) throws -> Automaton {
    try Automaton(expression(pattern, caseless: caseless), limits: limits)
}

func language(_ pattern: String) throws -> Language {
    .automaton(try automaton(pattern))
}

/// The reason why an expression has no automaton; nil if it has one.
func refusal(_ pattern: String, limits: AutomatonLimits = .expression) throws -> AutomatonRefusal? {
    let expression = try expression(pattern)
    do throws(AutomatonRefusal) {
        _ = try Automaton(expression, limits: limits)
        return nil
    } catch {
        return error
    }
}
