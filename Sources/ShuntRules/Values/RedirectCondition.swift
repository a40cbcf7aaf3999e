import ShuntCore

/// A condition of a row of `_redirects` on the client, such as `Country=de,at`.
///
/// Source: Netlify's documentation of redirects, "Redirect by country or language" and "Role-based access control".
package struct RedirectCondition: Sendable {
    /// The things that rows depend on.
    package enum Kind: Int, Sendable, CaseIterable {
        case country, language, role

        /// The name of the option with the variable.
        package var name: String { "\(self)" }
    }

    package let kind: Kind
    /// The values, in lower case, of which the request needs one.
    private let values: [[UInt8]]

    /// Reads the conditions of a row; nil if one of them is of another kind.
    static func read(_ text: ArraySlice<UInt8>) -> [RedirectCondition]? {
        var result: [RedirectCondition] = []
        for word in text.split(whereSeparator: { $0 <= 0x20 }) {
            let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let name = String(decoding: parts[0], as: UTF8.self).lowercased()
            guard parts.count == 2, let kind = Kind.allCases.first(where: { $0.name == name }) else { return nil }
            let values = parts[1].split(separator: UInt8(ascii: ",")).map { $0.map(\.asciiLowercased) }
            guard !values.isEmpty else { return nil }
            result.append(RedirectCondition(kind: kind, values: values))
        }
        return result
    }

    /// Returns true if one of the words of a variable is one of the values; a language is also one of a region.
    func holds(for value: Span<UInt8>) -> Bool {
        var start = 0
        while start < value.count {
            var end = start
            while end < value.count, !Self.ends(value[end]) { end += 1 }
            if end > start, holds(forWord: value.extracting(start..<end)) { return true }
            start = end + 1
        }
        return false
    }

    private static func ends(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }

    private func holds(forWord word: Span<UInt8>) -> Bool {
        for index in values.indices where holds(values[index], for: word) { return true }
        return false
    }

    private func holds(_ expected: [UInt8], for word: Span<UInt8>) -> Bool {
        guard word.count >= expected.count else { return false }
        for index in expected.indices where word[index].asciiLowercased != expected[index] { return false }
        return word.count == expected.count || kind == .language && word[expected.count] == UInt8(ascii: "-")
    }
}
