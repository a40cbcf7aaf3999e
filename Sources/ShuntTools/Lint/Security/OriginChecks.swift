import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let unsafeOrigin = LintCheck(
        "unsafe-origin",
        group: .security,
        severity: .error,
        basis: .witness,
        summary: "an expression on the Origin or the Referer that accepts foreign hosts",
        explanation: """
            All that the expression accepts is searched for an origin whose host is not below the domains that it names. A dot that is not \
            escaped, or an end that is open, and an attacker registers a host that matches. Name your domains with --trusted-domain.
            """,
        example: """
            server {
                if ($http_origin ~ ^https://sub.example.com$) { return 204; }
                return 403;
            }
            """
    ) { subject in
        subject.guards(on: ["http_origin", "http_referer"])
            .compactMap { guarded in
                let condition = subject.program.tables.conditions[guarded.condition]
                if guarded.name == "http_origin", subject.matchesNoOrigin(condition.pattern) {
                    var finding = LintFound(
                        guarded.position,
                        "no origin is matched by this: one begins with a scheme, and has no path",
                        advice: "write ^https:// before the host, and $ after it"
                    )
                    finding.severity = .warning
                    finding.basis = .proof
                    return finding.remarking("proved: no scheme with a host and a port is among what it matches")
                }
                guard let text = subject.foreign(condition.pattern, isOrigin: guarded.name == "http_origin"),
                    let witness = subject.confirmed(guarded, text)
                else { return nil }
                let shown = ShownBytes.text(text)
                var finding = LintFound(
                    guarded.position,
                    "this accepts a foreign host: \(shown)",
                    advice: "escape the dots, and write ^ before and $ after it"
                )
                if guarded.name == "http_referer" { finding.severity = .warning }
                return finding.shown(by: [witness]).remarking("confirmed: with \(shown) the test holds")
            } + testedTargets(subject)
    }

    /// Redirects to what a request says, after a test of it by an expression that accepts hosts of others.
    private static func testedTargets(_ subject: LintSubject) -> [LintFound] {
        let program = subject.program
        return subject.rules.compactMap { index in
            guard subject.redirectStatus(index) != nil, let target = subject.target(of: index),
                let choice = TargetProbe(subject).choices(of: target).first, choice.before.isEmpty,
                choice.part.kind == .variable
            else { return nil }
            let tests = subject.outline.ways(to: index).first ?? []
            for case .condition(let number, let holds) in tests {
                let condition = program.tables.conditions[number]
                guard condition.kind == .matches, condition.variable == choice.part.variable,
                    holds != condition.isNegated,
                    let text = subject.foreign(condition.pattern, isOrigin: false)
                else { continue }
                let probe = TargetProbe(subject)
                let witness = probe.witness(giving: choice.part, text, to: .instruction(index)) { witness in
                    subject.decides(index, witness) && witness.decision.url?.starts(with: text) == true
                }
                guard let witness else { continue }
                return LintFound(
                    subject.position(of: index),
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
        basis: .witness,
        summary: "a guarding expression that is open at an end",
        explanation: """
            The text may be anywhere: in the query of a foreign address, after the host, before it. Write `^` and `$`, or a slash after \
            the host.
            """,
        example: """
            server {
                if ($http_referer !~ example\\.com) { return 403; }
            }
            """
    ) { subject in
        subject.guards(on: ["http_referer", "http_origin"])
            .compactMap { guarded in
                let condition = subject.program.tables.conditions[guarded.condition]
                guard let own = try? subject.checker.automaton(of: condition.pattern),
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
            } + locationsFoundAnywhere(subject)
    }

    static let unescapedDot = LintCheck(
        "unescaped-dot",
        group: .security,
        severity: .warning,
        basis: .witness,
        summary: "a dot in an expression on a host or a URL that matches any character",
        explanation: """
            `www.example.com` in an expression also matches `wwwaexample.com`, which an attacker may own. Write `\\.`.
            """,
        example: """
            block ~ ^https?://www.example.com/;
            """
    ) { subject in
        var found: [LintFound] = []
        for index in subject.rules {
            guard subject.server(of: index) == nil, let pattern = GoalDrafts.pattern(of: index, subject.program) else {
                continue
            }
            let expression = subject.program.expressions.expressions[pattern.position]
            guard let other = withoutDot(expression.pattern),
                let changed = try? RegularExpression(other, caseless: expression.caseless),
                let automaton = try? Automaton(changed, limits: subject.options.limits.expression)
            else { continue }
            let tests = [SourceTest(source: .url, test: ValueTest(.isIn(automaton)))]
            let witness = subject.request(to: index, where: tests) { witness in
                subject.program.tables.instructions[index].operation == .match
                    || witness.decision.position == subject.position(of: index)
                    || subject.solver.reaches(.instruction(index), subject.solver.ask(witness.request))
            }
            guard let witness else { continue }
            found.append(
                LintFound(
                    subject.position(of: index),
                    "a dot of this expression matches any character",
                    advice: "write \\. for a dot"
                )
                .shown(by: [witness]).remarking("confirmed: \(witness.request) is matched")
            )
        }
        return found + hosts(subject)
    }

    /// The expression with the first such dot, which can be any character but a dot there; nil without one.
    static func withoutDot(_ pattern: [UInt8]) -> [UInt8]? {
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
                if isName, !isEscape { return pattern[..<index] + Array("[a-z]".utf8) + pattern[(index + 1)...] }
            }
            index += 1
        }
        return nil
    }
}

/// A test of an `if` on a header.
struct GuardingTest {
    var instruction: Int
    var condition: ConditionIndex
    var name: String
    var position: SourcePosition
}

extension LintSubject {
    /// The tests by an expression of variables with these names.
    fileprivate func guards(on names: [String]) -> [GuardingTest] {
        program.tables.instructions.indices.compactMap { index in
            let instruction = program.tables.instructions[index]
            guard instruction.operation == .test || instruction.operation == .testNot, instruction.position.isPlace
            else { return nil }
            let condition = program.tables.conditions[instruction.a]
            guard condition.kind == .matches, !condition.variable.isNone,
                names.contains(program.tables.variables[condition.variable].name)
            else { return nil }
            let name = program.tables.variables[condition.variable].name
            return GuardingTest(
                instruction: index,
                condition: ConditionIndex(instruction.a),
                name: name,
                position: instruction.position
            )
        }
    }

    /// Returns the engine's confirmation for a request in which a test matches a text.
    fileprivate func confirmed(_ guarded: GuardingTest, _ text: [UInt8]) -> LintWitness? {
        let condition = program.tables.conditions[guarded.condition]
        guard case .confirmed(let request) = verdict(.test(guarded.instruction, !condition.isNegated)) else {
            return nil
        }
        var other = request
        let header = guarded.name == "http_origin" ? "Origin" : "Referer"
        other.request.headers.removeAll { $0.nameText == header }
        other.request.headers.append(RuleRequest.Header(name: Array(header.utf8), value: text))
        let sighting = solver.ask(other)
        guard solver.reaches(.test(guarded.instruction, !condition.isNegated), sighting) else { return nil }
        // A list of those who are turned away lets no one in whom it matches.
        if Self.refuses(sighting.decision), !Self.refuses(decide(like: other) { $0.headers.removeLast() }.decision) {
            return nil
        }
        return LintWitness(request: other, decision: sighting.decision)
    }

    private static func refuses(_ decision: Decision) -> Bool {
        decision.kind != .forward && (400...499).contains(decision.status ?? 0)
    }

    /// The domains that an expression names: runs of labels with dots, escaped or not.
    fileprivate func domains(of pattern: ExpressionIndex) -> [String] {
        let text = String(decoding: program.expressions.expressions[pattern.position].pattern, as: UTF8.self)
            .lowercased()
        var found: [String] = []
        var run = ""
        var isEscaped = false
        func end() {
            let labels = run.split(separator: ".")
            if labels.count > 1 { found.append(labels.joined(separator: ".")) }
            run = ""
        }
        for character in text {
            if isEscaped {
                isEscaped = false
                if character == "." || character == "-" { run.append(character) } else { end() }
                continue
            }
            if character == "\\" {
                isEscaped = true
            } else if character.isASCII,
                character.isLetter || character.isNumber || character == "-" || character == "."
            {
                run.append(character)
            } else {
                end()
            }
        }
        end()
        return found
    }

    /// Returns true if it is proved that no header of a browser is matched but `null`.
    fileprivate func matchesNoOrigin(_ pattern: ExpressionIndex) -> Bool {
        guard let own = try? checker.automaton(of: pattern),
            let origins = checker.automaton(
                "^(?:null|[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])(?::[0-9]+)?)\\z"
            )
        else { return false }
        return
            (try? Language.intersection([.automaton(own), .automaton(origins)])
            .isEmpty(limits: options.limits.proof)) == true
    }

    /// The shortest origin that an expression accepts and whose host is below none of the domains that it names.
    fileprivate func foreign(_ pattern: ExpressionIndex, isOrigin: Bool) -> [UInt8]? {
        let domains = domains(of: pattern)
        let end = isOrigin ? "" : "(?:/[a-z0-9./?-]*)?"
        let label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
        guard !domains.isEmpty || !options.trustedDomains.isEmpty,
            let own = try? checker.automaton(of: pattern),
            let origins = checker.automaton("^https?://\(label)(?:\\.\(label))*(?::[1-9][0-9]{0,4})?\(end)\\z")
        else { return nil }
        var languages: [Language] = [.automaton(own), .automaton(origins)]
        for domain in domains + options.trustedDomains {
            let quoted = domain.split(separator: ".").joined(separator: "\\.")
            guard let below = checker.automaton("^https?://(?:[^/?#]*\\.)?\(quoted)(?:[:/?#]|\\z)") else { return nil }
            languages.append(.complement(.automaton(below)))
        }
        return (try? Language.intersection(languages).shortestSubject(limits: options.limits.proof)) ?? nil
    }
}
