import ShuntCore

/// The variables of a file that is written: one for each list of words.
struct AppLinkVariables {
    private(set) var values: [String: [String]] = [:]

    /// The name of the variable that stands for some texts.
    mutating func name(for texts: [String], wanted: String?) -> String {
        if let known = values.first(where: { $0.value == texts }) { return known.key }
        let wanted = wanted ?? "value"
        var name = wanted
        var number = 1
        while AppLinkPattern.predefined[name] != nil || values[name] != nil {
            name = "\(wanted)\(number)"
            number += 1
        }
        values[name] = texts
        return name
    }

    /// The words of an expression that is nothing but plain alternatives; nil for any other.
    static func words(of expression: [UInt8]) -> [[UInt8]]? {
        var rest = expression[...]
        if rest.first == UInt8(ascii: "^") { rest.removeFirst() }
        if rest.last == UInt8(ascii: "$") { rest.removeLast() }
        if rest.starts(with: "(?:".utf8), rest.last == UInt8(ascii: ")") { rest = rest.dropFirst(3).dropLast() }
        let words = rest.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map(Array.init)
        let isPlain = words.allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy {
                    $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        // "^a|b$" is anchored in its first and its last alternative only; routes match whole values in any case.
        return isPlain ? words : nil
    }
}
