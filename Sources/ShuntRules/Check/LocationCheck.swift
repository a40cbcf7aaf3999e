import ShuntCore

extension StructureCheck {
    /// Checks the modifier of a location, the rules on nesting, and that no other of its level is the same.
    ///
    /// The rules are nginx's. A location in another must begin with its text; in a regular expression the text is that
    /// of the expression. Exact and named locations hold no others, and named ones are in a server only.
    mutating func checkLocation(_ directive: Directive, in scope: inout Scope) -> LocationName? {
        guard let name = LocationName(directive.arguments) else {
            let word = directive.arguments.first ?? directive.name
            let advice = "use \"=\", \"^~\", \"~\", \"~*\" or none; put quotes around a path with spaces in it"
            error(.locationModifier, "\(word.shownText) is not a location modifier", at: word, suggestion: advice)
            return nil
        }
        let word = directive.arguments[name.argument]
        if let outer = scope.location, !checkNesting(name, in: outer, at: word) { return nil }
        return checkDuplicate(name, in: &scope, at: word) ? name : nil
    }

    private mutating func checkNesting(_ name: LocationName, in outer: LocationName, at word: Word) -> Bool {
        if outer.modifier == .exact || outer.modifier == .named {
            let kind = outer.modifier == .exact ? "exact" : "named"
            let message = "\(name.description) cannot be in the \(kind) \(outer.description)"
            error(.locationNesting, message, at: word, suggestion: "move it out of that location")
            return false
        }
        if name.modifier == .named {
            let message = "the named \(name.description) is allowed in a server only"
            error(.locationNesting, message, at: word, suggestion: "move it out")
            return false
        }
        guard name.modifier.isRegex || name.text.starts(with: outer.text) else {
            let begin =
                outer.modifier.isRegex
                ? "only regular expressions are allowed in one" : "begin it with \(shown(outer.text))"
            error(.locationNesting, "\(name.description) is outside \(outer.description)", at: word, suggestion: begin)
            return false
        }
        return true
    }

    /// Two prefixes or two exact locations with one text are an error; of two equal expressions or names the second
    /// can never be reached, which nginx accepts.
    private mutating func checkDuplicate(_ name: LocationName, in scope: inout Scope, at word: Word) -> Bool {
        let kind = name.modifier.isPrefix ? .prefix : name.modifier
        let key = LocationKey(modifier: kind, text: name.text)
        guard let first = scope.locations[key] else {
            scope.locations[key] = word
            return true
        }
        let isError = kind == .prefix || kind == .exact
        source.report(
            isError ? .error(.duplicateLocation) : .warning(.duplicateLocation),
            "a second \(name.description)" + (isError ? "" : ", which is never reached"),
            at: word,
            suggestion: "remove one of them",
            notes: [source.diagnostic(.note(.duplicateLocation), "the first is here", at: first)]
        )
        return !isError
    }
}
