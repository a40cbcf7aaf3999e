/// Components that mean a parameter in other routers and are text in Shunt's own grammar.
enum ForeignSyntax {
    /// The first such component of a pattern, and what to write in its place; nil where there is none, and in the grammars
    /// of presets.
    ///
    /// - Complexity: In proportion to the length.
    static func find(in pattern: String, _ syntax: PatternSyntax) -> (component: String, suggestion: String)? {
        guard syntax.star == .component, !syntax.braces, pattern.utf8.contains(where: { "[<$+|.".utf8.contains($0) })
        else { return nil }
        for component in components(of: pattern) {
            if let suggestion = suggestion(for: component[...]) { return (component, suggestion) }
        }
        return nil
    }

    /// The components as they are written: what is in parentheses belongs to one.
    private static func components(of pattern: String) -> [String] {
        var components: [[UInt8]] = [[]]
        var depth = 0
        var isEscaped = false
        for byte in pattern.utf8 {
            if byte == UInt8(ascii: "/"), depth == 0 {
                components.append([])
                continue
            }
            components[components.count - 1].append(byte)
            if isEscaped {
                isEscaped = false
                continue
            }
            isEscaped = byte == UInt8(ascii: "\\")
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
        }
        return components.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func suggestion(for component: Substring) -> String? {
        if component.hasPrefix("["), component.hasSuffix("]") {
            let inner = component.drop { $0 == "[" }.prefix { $0 != "]" }
            let name = inner.hasPrefix("...") ? inner.dropFirst(3) : inner
            guard isName(name) else { return nil }
            return "write \(inner.hasPrefix("...") ? "*" : ":")\(name), or \\[ for a bracket"
        }
        if component.hasPrefix("<"), component.hasSuffix(">") {
            return angled(component.dropFirst().dropLast()).map { "write \($0), or \\< for the sign" }
        }
        if component.hasPrefix("$"), isName(component.dropFirst()) {
            return "write :\(component.dropFirst()), or \\$ for a dollar sign"
        }
        if component.hasPrefix(":"), component.hasSuffix("+"), isName(component.dropFirst().dropLast()) {
            return "write *\(component.dropFirst().dropLast()) for the components, or \\+ for a plus"
        }
        if component.hasPrefix(":"), component.hasSuffix("..."), isName(component.dropFirst().dropLast(3)) {
            return "write *\(component.dropFirst().dropLast(3)) for the components, or \\. for a full stop"
        }
        if component.hasPrefix(":"), component.hasSuffix(">"), let open = component.firstIndex(of: "<") {
            let name = component[..<open].dropFirst()
            let type = component[component.index(after: open)...].dropLast()
            return angled("\(type):\(name)").map { "write \($0), or \\< for the sign" }
        }
        return ofGroup(component)
    }

    /// The advice for an expression in parentheses that belongs to no parameter.
    private static func ofGroup(_ component: Substring) -> String? {
        guard component.hasSuffix(")"), let open = component.lastIndex(of: "(") else { return nil }
        let before = component[..<open]
        let text = component[open...].dropFirst().dropLast()
        guard before.isEmpty || before.hasSuffix("."), text.contains("|") || text.contains("["),
            !text.contains(where: { "\\)".contains($0) })
        else { return nil }
        return "write \(before):name(\(text)), or \\ before each sign"
    }

    /// The parameter for what is between angle brackets: a name, or a type and a name.
    private static func angled(_ text: Substring) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return isName(text) ? ":\(text)" : nil }
        let (type, name) = (text[..<colon], text[text.index(after: colon)...])
        guard isName(type), isName(name) else { return nil }
        switch type {
        case "path": return "*\(name)"
        case "float": return ":\(name)(decimal)"
        default: return ParameterType(rawValue: String(type)).map { ":\(name)(\($0.rawValue))" } ?? ":\(name)"
        }
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.enumerated().allSatisfy { PatternScanner.isNameByte($1, first: $0 == 0) }
    }
}
