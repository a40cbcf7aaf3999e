import ShuntCore

/// Comparisons that never hold, and shares that are not shares.
extension MistakeCheck {
    /// The values that a variable can have.
    private struct Values {
        var texts: Set<[UInt8]>
        /// The directive that supplies them.
        var definition: Word
    }

    mutating func checkComparisons(_ directives: [CheckedDirective]) {
        let values = definedValues(directives)
        var tests: [(variable: String, operator: Word, value: Word)] = []
        Self.forEach(directives) { directive in
            guard directive.keyword == .if || directive.keyword == .else else { return }
            let words = directive.arguments
            for index in words.indices.dropLast(2) where ["=", "!="].contains(words[index + 1].text) {
                let name = words[index].text.drop { "(!".contains($0) }
                guard name.hasPrefix("$") else { continue }
                tests.append((name.dropFirst().lowercased(), words[index + 1], words[index + 2]))
            }
        }
        for test in tests {
            var bytes = test.value.bytes
            if !test.value.isQuoted { while bytes.last == UInt8(ascii: ")") { bytes.removeLast() } }
            guard !bytes.contains(UInt8(ascii: "$")) else { continue }
            checkCase(bytes, of: test.variable, test.operator, at: test.value)
            guard let known = values[test.variable], !known.texts.contains(bytes) else { continue }
            let texts = known.texts.map { String(decoding: $0, as: UTF8.self) }.sorted()
            let text = String(decoding: bytes, as: UTF8.self)
            let list = texts.prefix(6).map { $0.isEmpty ? "nothing" : $0 }.joined(separator: ", ")
            source.report(
                .warning(.neverEqual),
                "$\(test.variable) is never \(shown(bytes)): "
                    + (test.operator.text == "=" ? "the test is never true" : "the test is always true"),
                at: test.value,
                suggestion: Suggestion.meant(by: text, among: texts)
                    ?? "its values are \(list)\(texts.count > 6 ? " and others" : "")",
                notes: [source.diagnostic(.note(.neverEqual), "it gets its values here", at: known.definition)]
            )
        }
    }

    /// Some values of the request have one case only.
    private mutating func checkCase(_ bytes: [UInt8], of variable: String, _ operator: Word, at word: Word) {
        let wanted: [UInt8]
        if variable == "weekday", !TimeValue.weekdays.contains(String(decoding: bytes, as: UTF8.self)) {
            let days = TimeValue.weekdays.joined(separator: ", ")
            let advice = "the days are \(days)"
            source.report(.warning(.neverEqual), "$weekday is never \(shown(bytes))", at: word, suggestion: advice)
            return
        }
        switch variable {
        case "remote_addr":
            let text = String(decoding: bytes, as: UTF8.self)
            guard HostMistake.isNetwork(text) else { return }
            let message = "$remote_addr is one address, and never the network \(shown(bytes))"
            let advice = "write geo $is_near { default 0; \(text) 1; } and test $is_near"
            source.report(.warning(.neverEqual), message, at: word, suggestion: advice)
            return
        case "host", "scheme": wanted = bytes.map { $0.asciiLowercased }
        case "request_method": wanted = bytes.map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }
        default: return
        }
        guard wanted != bytes else { return }
        source.report(
            .warning(.neverEqual),
            "$\(variable) is in \(variable == "request_method" ? "capitals" : "lower case"): "
                + (`operator`.text == "=" ? "the test is never true" : "the test is always true"),
            at: word,
            suggestion: "write \(shown(wanted))"
        )
    }

    /// The variables whose values are all constants: those of `split_clients`, and of `map` without variables in its results.
    private func definedValues(_ directives: [CheckedDirective]) -> [String: Values] {
        var result: [String: Values] = [:]
        var assigned: Set<String> = []
        Self.forEach(directives) { directive in
            switch directive.keyword {
            case .set, .input:
                if let name = directive.arguments.first?.text.dropFirst() { assigned.insert(name.lowercased()) }
            case .map, .splitClients:
                guard directive.arguments.count == 2, let name = directive.arguments.last,
                    let texts = Self.results(of: directive)
                else { return }
                result[name.text.dropFirst().lowercased()] = Values(texts: texts, definition: directive.name)
            default: break
            }
        }
        return result.filter { !assigned.contains($0.key) }
    }

    /// The results of a `map` or `split_clients`; nil where one of them has variables.
    private static func results(of directive: CheckedDirective) -> Set<[UInt8]>? {
        let isMap = directive.keyword == .map
        var texts: Set<[UInt8]> = []
        var hasDefault = false
        for entry in directive.entries {
            let key = entry.name.text
            if isMap, entry.arguments.isEmpty || key == "include" && entry.arguments.count == 1 { continue }
            if !entry.name.isQuoted, key == (isMap ? "default" : "*") { hasDefault = true }
            // A result may also be the name of another variable, and a key may set groups; of a list it is last.
            guard let value = entry.arguments.last, !value.bytes.contains(UInt8(ascii: "$")) else { return nil }
            texts.insert(value.bytes)
        }
        if !hasDefault { texts.insert([]) }
        return texts
    }

    mutating func checkShares(_ directives: [CheckedDirective]) {
        for directive in directives where directive.keyword == .splitClients {
            guard let source = directive.arguments.first, !source.bytes.contains(UInt8(ascii: "$")) else { continue }
            let message = "\(source.shownText) is the same for everybody, so that everybody has the same share"
            let advice = "write \"$\(source.text)\" for a variable"
            self.source.report(.warning(.constantShare), message, at: source, suggestion: advice)
        }
    }
}
