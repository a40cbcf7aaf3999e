import ShuntCore

/// `route`: handed on to the route table.
extension Compiler {
    /// `route [METHOD] PATTERN NAME [priority=N]`.
    mutating func declareRoute(_ directive: Directive) {
        var words = directive.arguments
        var priority = 0
        if let last = words.last, last.text.hasPrefix("priority=") {
            words.removeLast()
            if let number = Int(last.text.dropFirst("priority=".count)), abs(number) <= 1_000_000 {
                priority = number
            } else {
                error("invalid-priority", "a priority is a whole number, not \"\(last.text)\"", at: last)
            }
        }
        guard words.count == 2 || words.count == 3 else {
            return error(
                "invalid-route",
                "a route is a method, a pattern and a name",
                at: directive.name,
                suggestion: "write route GET /item/:id item; or leave out the method for any"
            )
        }
        let method = words.count == 3 ? words[0].text : "*"
        let pattern = words[words.count - 2]
        let isMethod =
            method == "*" || method.utf8.allSatisfy { $0.isASCIIUppercase || $0 == 0x2d || $0 == 0x5f || $0 == 0x7c }
        if !isMethod {
            error(
                "invalid-method",
                "invalid method \"\(method)\"",
                at: words[0],
                suggestion: "write it in capitals, or * for any"
            )
        }
        tables.routes.append(
            RouteDeclaration(
                method: method,
                pattern: pattern.text,
                name: words[words.count - 1].text,
                priority: priority,
                position: directive.name.position,
                patternPosition: pattern.position
            )
        )
    }
}
