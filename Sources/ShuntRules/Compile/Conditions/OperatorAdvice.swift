/// The advice for operators of other languages, and for operators in wrong places.
enum OperatorAdvice {
    /// Returns the advice for an operator that does not exist in a test; nil if there is none.
    static func advice(on text: String, ofWholeURL isOfWholeURL: Bool) -> String? {
        if let joiner = joiners[text] {
            return isOfWholeURL ? "write \"\(joiner)\" for \"\(text)\"" : oneTest
        }
        if let own = others[text], isOfWholeURL || !orders.contains(own) { return "write \"\(own)\"" }
        if orders.contains(text) || others[text] != nil {
            return "<, <=, > and >= are for tests outside servers only; in a server test the value of a map"
        }
        return nil
    }

    /// Returns the advice for a test that does not have three words.
    static func advice(onTest words: [Word], ofWholeURL isOfWholeURL: Bool) -> String {
        if let joiner = words.first(where: { joiners[$0.text] != nil && !$0.isQuoted }),
            let advice = advice(on: joiner.text, ofWholeURL: isOfWholeURL)
        {
            return advice
        }
        if words.count == 4, let advice = TimeComparison.advice(onDate: words[2].text, time: words[3].text) {
            return advice
        }
        if words.count > 2, words[1].text.lowercased() == "in" {
            let values = words.dropFirst(2).map { $0.text.filter { !"(),[]".contains($0) } }.filter { !$0.isEmpty }
            return "write ~ ^(\(values.joined(separator: "|")))$ for one of several values"
        }
        if words.count == 2, let first = words[1].bytes.first, "<>=!~".utf8.contains(first) {
            if !words[1].bytes.allSatisfy({ "<>=!~*".utf8.contains($0) }) { return "put a space after the operator" }
            if ["=", "!=", "~", "~*", "!~", "!~*"].contains(words[1].text) || orders.contains(words[1].text) {
                return "write a value after \"\(words[1].text)\"; nothing is \"\""
            }
        }
        let versions = isOfWholeURL ? ", <, <=, > and >=, joined by && and ||" : ""
        let last = isOfWholeURL ? ", !~*" : " and !~*"
        return "the operators are =, !=, ~, ~*, !~\(last)\(versions); put quotes around a value with spaces"
    }

    private static let oneTest =
        "an if in a server has one test, as in nginx: test the value of a map, or set a variable in one if and test it in the next"

    /// Words that join tests, with ours.
    private static let joiners = [
        "and": "&&", "AND": "&&", "&": "&&", "&&": "&&", "or": "||", "OR": "||", "|": "||", "||": "||",
    ]

    private static let orders: Set<String> = ["<", "<=", ">", ">="]

    /// Operators of other languages, with ours.
    private static let others = [
        "==": "=", "===": "=", "eq": "=", "is": "=", "<>": "!=", "ne": "!=", "!==": "!=", "=<": "<=", "=>": ">=",
        "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "=~": "~", "matches": "~", "like": "~",
    ]
}
