import Shunt
import ShuntPatterns

extension LintCheck {
    static let unsafeOrigin = LintCheck(
        "unsafe-origin",
        group: .security,
        severity: .error,
        basis: .witness
    ) { subject in
        subject.guards(on: ["http_origin", "http_referer"])
            .compactMap { guarded in
                if guarded.name == "http_origin", subject.matchesNoOrigin(guarded.expression) {
                    var finding = LintFound(
                        guarded.position,
                        "no origin is matched by this: one begins with a scheme, and has no path",
                        advice: "write ^https:// before the host, and $ after it"
                    )
                    finding.severity = .warning
                    finding.basis = .proof
                    return finding.remarking("proved: no scheme with a host and a port is among what it matches")
                }
                guard
                    let text = subject.foreign(guarded.expression, guarded.name == "http_origin" ? .origin : .referer),
                    let witness = subject.confirmed(guarded, text)
                else { return nil }
                let shown = ShownBytes.text(text)
                var finding = LintFound(
                    guarded.position,
                    "this accepts a foreign host: \(shown)",
                    advice: subject.isDotOnly(guarded.expression, guarded.name == "http_origin" ? .origin : .referer)
                        ? "write \\. for a dot" : "escape the dots, and write ^ before and $ after it"
                )
                if guarded.name == "http_referer" { finding.severity = .warning }
                return finding.shown(by: [witness]).remarking("confirmed: with \(shown) the test holds")
            } + testedTargets(subject)
    }

    /// Redirects to what a request says, after a test of it by an expression that accepts hosts of others.
    private static func testedTargets(_ subject: LintSubject) -> [LintFound] {
        subject.rules.compactMap { rule in
            guard subject.redirectStatus(rule) != nil, let target = subject.target(of: rule),
                let choice = TargetProbe(subject).choices(of: target).first, choice.before.isEmpty,
                let variable = choice.part.variable
            else { return nil }
            let tests = rule.ways().first ?? []
            for case .condition(let condition, let holds) in tests {
                guard let expression = condition.expression, condition.variable == variable,
                    holds != condition.isNegated, let text = subject.foreign(expression, .referer)
                else { continue }
                let probe = TargetProbe(subject)
                let witness = probe.witness(giving: choice.part, text, to: .step(rule)) { witness in
                    subject.decides(rule, witness) && witness.decision.url?.starts(with: text) == true
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

    static let unanchoredCheck = LintCheck(
        "unanchored-check",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.guards(on: ["http_referer", "http_origin"])
            .compactMap { guarded in
                guard let own = try? subject.checker.automaton(of: guarded.expression),
                    let foreign = subject.checker.automaton("^https://attacker\\.example/[?a-z0-9.:/-]*\\z"),
                    let text =
                        (try? Language.intersection([.automaton(own), .automaton(foreign)])
                            .shortestSubject(limits: subject.options.limits.proof)) ?? nil,
                    let witness = subject.confirmed(guarded, text)
                else { return nil }
                let shown = ShownBytes.text(text)
                return LintFound(
                    guarded.position,
                    "the text may be anywhere: \(shown) passes",
                    advice: "write ^https?:// before it and / or $ after it"
                )
                .shown(by: [witness]).remarking("confirmed: with \(shown) the expression matches")
            } + openHosts(subject) + openAddresses(subject) + locationsFoundAnywhere(subject)
    }

    /// Tests of the host that accept hosts of others.
    private static func openHosts(_ subject: LintSubject) -> [LintFound] {
        subject.guards(on: ["host", "http_host"])
            .compactMap { guarded in
                // What a dot lets in is another check's.
                guard let text = subject.foreign(guarded.expression, .host),
                    !subject.isDotOnly(guarded.expression, .host),
                    let witness = subject.confirmed(guarded, text)
                else { return nil }
                return LintFound(
                    guarded.position,
                    "this accepts a foreign host: \(ShownBytes.text(text))",
                    advice: "write ^ before the host and $ after it, or list the names in server_name"
                )
                .confirmed(by: witness)
            }
    }

    /// Tests of the address that accept others which begin or end with the one that is written.
    private static func openAddresses(_ subject: LintSubject) -> [LintFound] {
        subject.guards(on: ["remote_addr"])
            .compactMap { guarded in
                guard let tree = subject.checker.tree(of: guarded.expression),
                    let own = try? subject.checker.automaton(of: guarded.expression)
                else { return nil }
                let others = tree.literals.filter { InternetAddress(String(decoding: $0, as: UTF8.self)) != nil }
                    .flatMap { text in
                        (UInt8(ascii: "0")...UInt8(ascii: "9")).flatMap { [text + [$0], [$0] + text] }
                    }
                for other in others where own.accepts(other) {
                    let text = String(decoding: other, as: UTF8.self)
                    guard InternetAddress(text) != nil, let witness = subject.confirmed(guarded, other) else {
                        continue
                    }
                    return LintFound(
                        guarded.position,
                        "this accepts another address: \(text)",
                        advice: "write ^ before it and $ after it, or use geo"
                    )
                    .confirmed(by: witness)
                }
                guard let other = subject.address(throughDotOf: guarded.expression, own),
                    let witness = subject.confirmed(guarded, other)
                else { return nil }
                return LintFound(
                    guarded.position,
                    "a dot of this expression matches any character: it accepts \(ShownBytes.text(other))",
                    advice: "write \\. for a dot, or use geo"
                )
                .confirmed(by: witness)
            }
    }

    static let unescapedDot = LintCheck(
        "unescaped-dot",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        var found: [LintFound] = []
        for rule in subject.rules {
            guard rule.sequence?.server == nil, let expression = rule.expression?.expression,
                let other = withoutDot(expression.pattern),
                let changed = try? RegularExpression(other, caseless: expression.caseless),
                let automaton = try? Automaton(changed, limits: subject.options.limits.expression)
            else { continue }
            let tests = [SourceTest(source: .url, test: ValueTest(.isIn(automaton)))]
            let witness = subject.request(to: rule, where: tests) { witness in
                rule.operation == .match
                    || witness.decision.position == rule.position
                    || subject.solver.reaches(.step(rule), subject.solver.ask(witness.request))
            }
            guard let witness else { continue }
            found.append(
                LintFound(
                    rule.position,
                    "a dot of this expression matches any character",
                    advice: "write \\. for a dot"
                )
                .shown(by: [witness]).remarking("confirmed: \(witness.request) is matched")
            )
        }
        return found + hosts(subject) + namesAndKeys(subject)
    }

    /// The expression with each such dot escaped.
    static func withEscapedDots(_ pattern: [UInt8]) -> [UInt8] {
        var changed = pattern
        while let index = dot(in: changed) { changed.insert(UInt8(ascii: "\\"), at: index) }
        return changed
    }

    /// The expression with the first such dot, which can be any character but a dot there; nil without one.
    static func withoutDot(_ pattern: [UInt8]) -> [UInt8]? {
        dot(in: pattern).map { pattern[..<$0] + Array("[a-z]".utf8) + pattern[($0 + 1)...] }
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
}

extension LintSubject {
    /// An address that an expression accepts only because a dot after a digit is not escaped; nil if there are no such addresses.
    fileprivate func address(throughDotOf expression: RuleModel.Expression, _ own: Automaton) -> [UInt8]? {
        let pattern = String(decoding: expression.expression.pattern, as: UTF8.self)
        let escaped = pattern.replacing(/([0-9])\.(?![*+?{])/) { "\($0.1)\\." }
        guard escaped != pattern, let meant = checker.automaton(escaped),
            let addresses = checker.addressesOfHosts
        else { return nil }
        let others = Language.intersection([.automaton(own), .complement(.automaton(meant)), .automaton(addresses)])
        return (try? others.shortestSubject(limits: options.limits.proof)) ?? nil
    }
}
