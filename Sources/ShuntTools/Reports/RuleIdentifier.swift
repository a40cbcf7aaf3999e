package import ShuntCore

/// The name of a rule in reports for programs: it stays the same when the rule moves in its file, and when others change.
package enum RuleIdentifier {
    /// The first digits of the hash of the file's name, the rule on one line, and its number among equal ones.
    package static func of(file: String, text: String, number: Int) -> String {
        var hash = ContentHash()
        hash.update(Array("\(file)\0\(text)\0\(number)".utf8))
        return String(hash.hexadecimal.prefix(12))
    }

    /// The names of things that are counted, by their places.
    package static func all(of items: [RuleCoverage.Item]) -> [SourceLocation: String] {
        var found: [SourceLocation: String] = [:]
        var numbers: [String: Int] = [:]
        for item in items where found[item.location] == nil {
            let key = "\(item.location.file)\0\(item.text)"
            found[item.location] = of(file: item.location.file, text: item.text, number: numbers[key, default: 0])
            numbers[key, default: 0] += 1
        }
        return found
    }
}
