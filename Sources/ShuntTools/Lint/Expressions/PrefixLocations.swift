import Shunt
import ShuntPatterns

extension LintSubject {
    func couldBePrefix() -> [LintFound] {
        written.compactMap { expression in
            guard case .location(let location)? = expression.place.goal, let prefix = self.prefix(of: expression),
                keepsTurns(prefix, location: location, expression: expression)
            else { return nil }
            let shown = prefix.asText
            return LintFound(
                expression.place.position,
                "this expression is a text and anything after it",
                advice: "write location ^~ \(shown)"
            )
            .remarking("proved: it matches the paths that begin with \(shown), and no others")
            .fixed(by: replacement(of: tree.nodes[expression.node].arguments, with: "^~", shown))
        }
    }

    /// The text with which exactly the paths begin that a location's expression matches; nil if there is no such text.
    fileprivate func prefix(of expression: WrittenExpression) -> [UInt8]? {
        guard let tree = checker.tree(of: expression.place.pattern), case .sequence(let nodes) = tree,
            nodes.first == .start, nodes.count > 1, case .literal(let text, caseless: false) = nodes[1],
            text.first == UInt8(ascii: "/"), text.isPlainWord, let own = checker.language(of: expression.place.pattern),
            !checker.isEmpty(own, expression.place.domain),
            let meant = try? Automaton(
                .sequence([.start, .literal(text, caseless: false)]),
                limits: options.limits.expression
            ), checker.areEqual(own, .automaton(meant), within: expression.place.domain)
        else { return nil }
        return text
    }

    /// Returns true if the same locations are chosen with a prefix in the place of an expression.
    fileprivate func keepsTurns(
        _ prefix: [UInt8],
        location: RuleModel.Location,
        expression: WrittenExpression
    ) -> Bool {
        // What is read of the match, or means something else below a prefix.
        let others = tree.descendants(of: expression.node).map { tree.nodes[$0].name }
        guard expression.isOnlyMatched, location.inner == nil, model.repetitions(of: location).count == 1,
            !others.contains(where: { $0.hasSuffix("_pass") || $0 == "alias" }),
            location.parent.map({ !$0.modifier.isRegex && prefix.starts(with: $0.name) }) ?? true
        else { return false }
        let level = location.level
        let around = level.longestPrefix(of: prefix)
        guard !level.locations.contains(where: { $0.modifier.isPrefix && $0.name.starts(with: prefix) }),
            around?.modifier != .prefixBeforeRegex, around?.inner == nil,
            let own = checker.language(of: expression.place.pattern)
        else { return false }
        return level.expressions.prefix { $0 != location }
            .allSatisfy { earlier in
                guard let other = earlier.expression.flatMap(checker.language(of:)) else { return false }
                return checker.isEmpty(expression.place.domain, own, other)
            }
    }
}

extension [UInt8] {
    /// True if the bytes are a word of a rule file without quotes and escapes, and with no character beyond ASCII.
    var isPlainWord: Bool { allSatisfy { $0 > 0x20 && $0 < 0x7f && !";{}\"'\\$#".utf8.contains($0) } }
}
