import Shunt
import ShuntPatterns

extension LintSubject {
    func unsafeOrigin() -> [LintFound] {
        let found = guards(on: ["http_origin", "http_referer"])
            .compactMap { guarded -> LintFound? in
                let isOrigin = guarded.name == "http_origin"
                if isOrigin, matchesNoOrigin(guarded.expression) {
                    return LintFound(
                        guarded.position,
                        "no origin is matched by this: one begins with a scheme, and has no path",
                        advice: "write ^https:// before the host, and $ after it"
                    )
                    .rated(.warning).based(on: .proof)
                    .remarking("proved: no scheme with a host and a port is among what it matches")
                }
                let form = isOrigin ? NamedForm.origin : .referer
                guard let text = foreign(guarded.expression, form), let witness = confirmed(guarded, text) else {
                    return nil
                }
                let shown = ShownBytes.text(text)
                return LintFound(
                    guarded.position,
                    "this accepts a foreign host: \(shown)",
                    advice: isDotOnly(guarded.expression, form)
                        ? "write \\. for a dot" : "escape the dots, and write ^ before and $ after it"
                )
                .rated(.warning, if: !isOrigin).confirmed(by: witness, "with \(shown) the test holds")
            }
        return found + testedTargets()
    }

    /// Redirects to what a request names, after a test of it by an expression that accepts other hosts.
    private func testedTargets() -> [LintFound] {
        rules.compactMap { rule in
            guard redirectStatus(rule) != nil, let choice = target(of: rule)?.choices.first, choice.before.isEmpty,
                let variable = choice.part.variable
            else { return nil }
            for case .condition(let condition, let holds) in rule.ways().first ?? [] {
                guard let expression = condition.expression, condition.variable == variable,
                    holds != condition.isNegated, let text = foreign(expression, .referer)
                else { continue }
                let witness = witness(giving: choice.part, .text(text), to: .step(rule)) { witness in
                    decides(rule, witness) && witness.decision.urlBytes?.starts(with: text) == true
                }
                guard let witness else { continue }
                return LintFound(
                    rule.position,
                    "the test before this accepts a foreign host: \(ShownBytes.text(text))",
                    advice: "escape the dots, and write ^ and a slash or $ around the host"
                )
                .confirmed(by: witness)
            }
            return nil
        }
    }

    func unanchoredCheck() -> [LintFound] {
        let found = guards(on: ["http_referer", "http_origin"])
            .compactMap { guarded -> LintFound? in
                guard let own = checker.language(of: guarded.expression),
                    let foreign = checker.language("^https://attacker\\.example/[?a-z0-9.:/-]*\\z"),
                    let text = checker.shortest(own, foreign), let witness = confirmed(guarded, text)
                else { return nil }
                let shown = ShownBytes.text(text)
                return LintFound(
                    guarded.position,
                    "the text may be anywhere: \(shown) passes",
                    advice: "write ^https?:// before it and / or $ after it"
                )
                .confirmed(by: witness, "with \(shown) the expression matches")
            }
        return found + openHosts() + openAddresses() + locationsFoundAnywhere()
    }

    /// Tests of the host that accept other hosts.
    private func openHosts() -> [LintFound] {
        guards(on: ["host", "http_host"])
            .compactMap { guarded in
                // What a dot lets in is another check's.
                guard let text = foreign(guarded.expression, .host),
                    !isDotOnly(guarded.expression, .host),
                    let witness = confirmed(guarded, text)
                else { return nil }
                return LintFound(
                    guarded.position,
                    "this accepts a foreign host: \(ShownBytes.text(text))",
                    advice: "write ^ before the host and $ after it, or list the names in server_name"
                )
                .confirmed(by: witness)
            }
    }

    /// Tests of the address that accept others which begin or end with the written address.
    private func openAddresses() -> [LintFound] {
        guards(on: ["remote_addr"])
            .compactMap { guarded in
                guard let literals = checker.tree(of: guarded.expression)?.literals,
                    let own = checker.language(of: guarded.expression)
                else { return nil }
                // Dots may be written without a backslash.
                let written = literals + domains(of: guarded.expression).map { Array($0.utf8) }
                let others = written.filter { InternetAddress($0.asText) != nil }
                    .flatMap { text in
                        (UInt8(ascii: "0")...UInt8(ascii: "9")).flatMap { [text + [$0], [$0] + text] }
                    }
                for other in others where own.contains(other) {
                    guard InternetAddress(other.asText) != nil, let witness = confirmed(guarded, other) else {
                        continue
                    }
                    return LintFound(
                        guarded.position,
                        "this accepts another address: \(other.asText)",
                        advice: "write ^ before it and $ after it, or use geo"
                    )
                    .confirmed(by: witness)
                }
                guard let other = address(throughDotOf: guarded.expression, own),
                    let witness = confirmed(guarded, other)
                else { return nil }
                return LintFound(
                    guarded.position,
                    "a dot of this expression matches any character: it accepts \(ShownBytes.text(other))",
                    advice: "write \\. for a dot, or use geo"
                )
                .confirmed(by: witness)
            }
    }

    func unescapedDot() -> [LintFound] {
        let found = rules.compactMap { rule -> LintFound? in
            guard rule.sequence?.server == nil, let expression = rule.expression?.expression,
                let other = Self.withoutDot(expression.pattern),
                let changed = try? RegularExpression(other, caseless: expression.caseless),
                let automaton = checker.automaton(of: changed)
            else { return nil }
            let tests = [SourceTest(source: .url, test: ValueTest(.isIn(automaton)))]
            let witness = request(to: .step(rule), where: tests) { witness in
                rule.operation == .match || decides(rule, witness)
                    || solver.reaches(.step(rule), solver.ask(witness.request))
            }
            guard let witness else { return nil }
            return LintFound(
                rule.position,
                "a dot of this expression matches any character",
                advice: "write \\. for a dot"
            )
            .confirmed(by: witness, "\(witness.request) is matched")
        }
        return found + hosts() + namesAndKeys()
    }

    /// The expression with each such dot escaped.
    static func withEscapedDots(_ pattern: [UInt8]) -> [UInt8] {
        var changed = pattern
        while let index = Self.dot(in: changed) { changed.insert(UInt8(ascii: "\\"), at: index) }
        return changed
    }

    /// The expression with the first such dot, which can be any character but a dot there; nil without one.
    static func withoutDot(_ pattern: [UInt8]) -> [UInt8]? {
        Self.dot(in: pattern).map { pattern[..<$0] + Array("[a-z]".utf8) + pattern[($0 + 1)...] }
    }

    /// The first dot between letters that matches any character.
    private static func dot(in pattern: [UInt8]) -> Int? {
        var index = 0
        var depth = 0
        while index < pattern.count {
            let byte = pattern[index]
            if byte == UInt8(ascii: "\\") {
                index += 2
                continue
            }
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth = max(0, depth - 1) }
            if byte == UInt8(ascii: "."), depth == 0, index > 0, index + 2 < pattern.count {
                let (before, after, next) = (pattern[index - 1], pattern[index + 1], pattern[index + 2])
                let isName = (before.isASCIILetter || before.isASCIIDigit) && after.isASCIILetter && next.isASCIILetter
                let isEscape = index > 1 && pattern[index - 2] == UInt8(ascii: "\\")
                if isName, !isEscape { return index }
            }
            index += 1
        }
        return nil
    }

    /// An address that an expression accepts only because a dot after a digit is not escaped; nil if there are no such addresses.
    fileprivate func address(throughDotOf expression: RuleModel.Expression, _ own: Language) -> [UInt8]? {
        let pattern = expression.expression.pattern.asText
        let escaped = pattern.replacing(/([0-9])\.(?![*+?{])/) { "\($0.1)\\." }
        guard escaped != pattern, let meant = checker.language(escaped), let addresses = checker.addressesOfHosts else {
            return nil
        }
        return checker.shortest(own, .complement(meant), .automaton(addresses))
    }
}
