/// Sections that hold or not by the server, and directives that refuse requests wherever they are.
extension ApacheDirective {
    /// Returns true if the content of a section is read, false if it is not for this server; nil for other sections.
    func isRead(_ nodes: [ApacheNode]) -> Bool? {
        switch key {
        case "ifmodule":
            // Modules are there, as the file was written for a server that has them.
            guard text.hasPrefix("!") else { return true }
            let parts = ["access_compat", "authz", "rewrite", "alias", "version", "headers", "ssl"]
            return ApacheNode.refuse(nodes) && !parts.contains(where: text.lowercased().contains) ? nil : false
        case "ifversion": return Self.isVersion(words)
        default: return nil
        }
    }

    /// Returns true if Apache 2.4 is meant.
    private static func isVersion(_ words: [String]) -> Bool? {
        var sign = words.count > 1 ? words[0] : "="
        let isNegated = sign.hasPrefix("!")
        if isNegated { sign.removeFirst() }
        let numbers = (words.last ?? "").split(separator: ".").map { Int($0) ?? -1 }
        guard (1...3).contains(numbers.count), !numbers.contains(-1) else { return nil }
        // The exact release of 2.4 is not known.
        if numbers.count == 3, numbers[0] == 2, numbers[1] == 4, numbers[2] > 60 || ["", "=", "=="].contains(sign) {
            return nil
        }
        // Any release of 2.4 is later than 2.4 itself, and the present one than those that files name.
        let isLater = (2, 4, 60) >= (numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
        switch sign {
        case "", "=", "==": return isNegated
        case ">", ">=": return isLater != isNegated
        case "<", "<=": return isLater == isNegated
        default: return nil
        }
    }

    /// Returns true if it, taken alone, refuses requests.
    var refuses: Bool {
        switch key {
        case "rewriterule":
            return flags.map { $0.uppercased() }
                .contains {
                    ["F", "FORBIDDEN", "G", "GONE"].contains($0) || $0.contains(#/^R(EDIRECT)?=(GONE|[45]\d\d)$/#)
                }
        case "redirect", "redirectmatch":
            let first = words.first?.lowercased() ?? ""
            return first == "gone" || first.contains(#/^[45]\d\d$/#)
        default: return false
        }
    }
}

extension ApacheNode {
    /// Returns true if directives of a section that is left out refuse requests.
    static func refuse(_ nodes: [ApacheNode]) -> Bool {
        var access = ApacheAccess(file: "")
        func check(_ nodes: [ApacheNode]) -> Bool {
            nodes.contains { node in
                switch node {
                case .directive(let directive): !access.read(directive) && directive.refuses
                case .section(let head, let nodes): !access.read(head, nodes) && check(nodes)
                case .comment, .blank: false
                }
            }
        }
        return check(nodes) || !access.isOpen
    }
}
