/// Writing words of rule files.
enum RuleWord {
    /// The word that a rule file reads as `text`: bare where that is possible, else in quotes.
    ///
    /// A backslash is doubled only where the tokenizer would take the next character for itself, so that expressions
    /// stay readable. Complexity: linear.
    static func quoting(_ text: String, always: Bool = false) -> String {
        var result = ""
        var needsQuotes = always || text.isEmpty || text.hasPrefix("'") || text.hasPrefix("#")
        let characters = Array(text.unicodeScalars)
        for (index, character) in characters.enumerated() {
            switch character {
            case "\\":
                let isLast = index + 1 == characters.count
                let isDoubled = isLast || "\\\"'trn".unicodeScalars.contains(characters[index + 1])
                result += isDoubled ? "\\\\" : "\\"
            case "\"":
                needsQuotes = true
                result += "\\\""
            default:
                needsQuotes = needsQuotes || " \t\r\n;{}".unicodeScalars.contains(character)
                result.unicodeScalars.append(character)
            }
        }
        return needsQuotes ? "\"\(result)\"" : result
    }

    /// The regular expression that matches exactly this text.
    static func escapingExpression(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            if "\\^$.|?*+()[]{}".unicodeScalars.contains(character) { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result
    }
}
