import Shunt
import ShuntPatterns

/// An expression on what a client sends, which an `if` tests, or a `map` whose value an `if` tests.
struct GuardingTest {
    var step: RuleModel.Step
    /// The outcome of the test where the expression matches; nil for a key of a map.
    var outcome: Bool?
    var expression: RuleModel.Expression
    /// The name of the variable that it reads.
    var name: String
    var position: SourcePosition

    /// A request with another value of that variable.
    func request(_ request: RuleRequest, with value: [UInt8]) -> RuleRequest {
        var request = request
        switch name {
        case "host", "http_host":
            if case .target(let target, _) = request.subject { request.subject = .target(target, host: value) }
        case "remote_addr": request.remoteAddress = String(decoding: value, as: UTF8.self)
        default:
            let header = name == "http_origin" ? "Origin" : "Referer"
            request.headers.removeAll { $0.name == header }
            request.headers.append(RuleRequest.Header(name: Array(header.utf8), value: value))
        }
        return request
    }

    /// A value of the variable that no rule has in mind.
    var foreignValue: [UInt8] {
        switch name {
        case "host", "http_host": Array("attacker.test".utf8)
        case "remote_addr": Array("203.0.113.77".utf8)
        default: Array("https://attacker.test".utf8)
        }
    }
}

extension LintSubject {
    /// The tests by an expression of variables with these names.
    func guards(on names: [String]) -> [GuardingTest] {
        model.steps.flatMap { step -> [GuardingTest] in
            guard step.position.isPlace, let condition = step.condition, let variable = condition.variable else {
                return []
            }
            if let expression = condition.expression, names.contains(variable.name) {
                return [
                    GuardingTest(
                        step: step,
                        outcome: !condition.isNegated,
                        expression: expression,
                        name: variable.name,
                        position: step.position
                    )
                ]
            }
            guard let map = variable.map, let name = map.source.onlyVariable?.name, names.contains(name) else {
                return []
            }
            return map.expressions.map { expression, position, _ in
                GuardingTest(step: step, outcome: nil, expression: expression, name: name, position: position)
            }
        }
    }

    /// Returns the engine's confirmation for a request in which a test matches a text.
    func confirmed(_ guarded: GuardingTest, _ text: [UInt8]) -> LintWitness? {
        guard let outcome = guarded.outcome else {
            return [true, false].lazy.compactMap { self.admitted(guarded, text, outcome: $0) }.first
        }
        if ["host", "http_host", "remote_addr"].contains(guarded.name) {
            return admitted(guarded, text, outcome: outcome)
        }
        guard case .confirmed(var other) = verdict(.test(guarded.step, outcome)) else { return nil }
        other.request = guarded.request(other.request, with: text)
        guard let witness = decide(other, reaching: .test(guarded.step, outcome)) else { return nil }
        // A list of those who are turned away, by a redirect perhaps, lets no one in whom it matches.
        let isTurnedAway = Self.refuses(witness.decision) || witness.decision.kind == .redirect
        return isTurnedAway && !Self.refuses(decide(like: other) { $0.headers.removeLast() }.decision) ? nil : witness
    }

    /// Returns the request with a text if it is let in, and is refused with a value that no rule has in mind.
    private func admitted(_ guarded: GuardingTest, _ text: [UInt8], outcome: Bool) -> LintWitness? {
        guard case .confirmed(let request) = verdict(.test(guarded.step, outcome)) else { return nil }
        func decide(_ value: [UInt8]) -> LintWitness {
            self.decide(like: request) { $0 = guarded.request($0, with: value) }
        }
        let witness = decide(text)
        let isLetIn = witness.decision.kind == .forward || (witness.decision.status ?? 400) < 300
        return isLetIn && Self.refuses(decide(guarded.foreignValue).decision) ? witness : nil
    }

    /// Returns true if a decision turns a client away.
    static func refuses(_ decision: Decision) -> Bool {
        decision.kind != .forward && (400...499).contains(decision.status ?? 0)
    }

    /// The domains that an expression names: runs of labels with dots, escaped or not.
    func domains(of pattern: RuleModel.Expression) -> [String] {
        let text = String(decoding: pattern.expression.pattern, as: UTF8.self)
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
    func matchesNoOrigin(_ pattern: RuleModel.Expression) -> Bool {
        let origins = "^(?:null|[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])(?::[0-9]+)?)\\z"
        guard let own = checker.language(of: pattern), let origins = checker.language(origins) else { return false }
        return checker.isEmpty(own, origins)
    }

    /// The form of what a client names.
    enum NamedForm {
        case origin
        case referer
        case host
    }

    /// The shortest origin, address of a page or host that an expression accepts, whose host is below none of the domains that
    /// the expression names.
    func foreign(_ pattern: RuleModel.Expression, _ form: NamedForm) -> [UInt8]? {
        checker.language(of: pattern).flatMap { foreign($0, naming: domains(of: pattern), form) }
    }

    /// The same of the texts that an expression matches, whose own domains these are.
    func foreign(_ own: Language, naming domains: [String], _ form: NamedForm) -> [UInt8]? {
        let label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
        let start = form == .host ? "^" : "^https?://"
        let end =
            switch form {
            case .origin: "(?::[1-9][0-9]{0,4})?"
            case .referer: "(?::[1-9][0-9]{0,4})?(?:/[a-z0-9./?-]*)?"
            case .host: ""
            }
        guard !domains.isEmpty || !options.trustedDomains.isEmpty,
            let origins = checker.language("\(start)\(label)(?:\\.\(label))*\(end)\\z")
        else { return nil }
        var languages = [own, origins]
        for domain in domains + options.trustedDomains {
            let quoted = domain.split(separator: ".").joined(separator: "\\.")
            guard let below = checker.language("\(start)(?:[^/?#]*\\.)?\(quoted)(?:[:/?#]|\\z)") else { return nil }
            languages.append(.complement(below))
        }
        return checker.shortest(.intersection(languages))
    }
}

extension PatternNode {
    /// The texts in an expression.
    var literals: [[UInt8]] {
        if case .literal(let text, _) = self { return [text] }
        return parts.flatMap(\.literals)
    }
}
