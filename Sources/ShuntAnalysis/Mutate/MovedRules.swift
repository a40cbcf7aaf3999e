import ShuntAutomata
import ShuntPatterns
import ShuntRules

/// Two neighbouring rules of which each ends the search when it matches: which stands first matters only for what both match.
package struct MovedRules: Sendable, Hashable {
    /// An expression of one of them.
    package struct Expression: Sendable, Hashable {
        var text: [UInt8]
        var isCaseless: Bool
    }

    private let first: Expression
    private let second: Expression
    private let subject: ExpressionChange.Subject

    /// Nil for rules of which that is not known.
    init?(_ first: Directive, _ second: Directive) {
        guard let one = Self.expression(of: first), let other = Self.expression(of: second) else { return nil }
        self.first = one
        self.second = other
        subject = first.name.text == "rewrite_url" ? .url : .path
    }

    /// The expression of a rule that ends the search.
    private static func expression(of directive: Directive) -> Expression? {
        let arguments = directive.arguments
        switch directive.name.text {
        case "rewrite" where arguments.count > 2, "rewrite_url" where arguments.count > 2:
            return Expression(text: arguments[0].bytes, isCaseless: false)
        case "location" where arguments.count == 2 && arguments[0].text.hasPrefix("~"):
            return Expression(text: arguments[1].bytes, isCaseless: arguments[0].text == "~*")
        default: return nil
        }
    }

    /// Whether it is proved that nothing is matched by both.
    func areApart(_ checker: ValueChecker) -> Bool {
        func language(_ expression: Expression) -> Language? {
            guard let compiled = try? RegularExpression(expression.text, caseless: expression.isCaseless) else {
                return nil
            }
            return (try? Automaton(compiled, limits: checker.limits.expression)).map { .automaton($0) }
        }
        guard let first = language(first), let second = language(second),
            let domain = checker.automaton(of: subject == .url ? .url : .path(mergesSlashes: true))
        else { return false }
        let both = Language.intersection([.automaton(domain), first, second])
        return (try? both.isEmpty(limits: checker.limits.proof)) == true
    }
}
