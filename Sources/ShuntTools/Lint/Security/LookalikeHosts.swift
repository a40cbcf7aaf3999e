import Shunt
import ShuntPatterns

extension LintSubject {
    func mixedScriptHost() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return tree.nodes.flatMap { node in
            node.arguments.compactMap { word in
                guard word.bytes.count < 256, let label = Self.mixedLabel(in: word.text),
                    known.insert(word.position).inserted
                else { return nil }
                return LintFound(
                    word,
                    "\(word.text) has letters of several alphabets: \(label)",
                    advice: "write the name that is meant"
                )
            }
        }
    }

    /// The first label in Punycode that mixes Latin with letters that look like it.
    private static func mixedLabel(in text: String) -> String? {
        for label in text.lowercased().split(whereSeparator: { "./:".contains($0) }) where label.hasPrefix("xn--") {
            guard let scalars = Punycode.decoded(label.dropFirst(4)) else { continue }
            let hasLatin = scalars.contains { (0x61...0x7a).contains($0.value) }
            let other = scalars.first { (0x370...0x52f).contains($0.value) }
            if hasLatin, let other {
                return "U+0" + String(other.value, radix: 16, uppercase: true) + " among Latin letters"
            }
        }
        return nil
    }

    /// Tests of `$host` with a dot that stands for any character.
    func hosts() -> [LintFound] {
        model.steps.compactMap { step in
            guard step.position.isPlace, let condition = step.condition, let own = condition.expression,
                ["host", "http_host"].contains(condition.variable?.name),
                let host = text(throughDotOf: own, in: "^[a-z0-9.-]+\\z")
            else { return nil }
            let goal = RuleGoal.test(step, !condition.isNegated)
            guard case .confirmed(let request) = verdict(goal), let other = request.asking(host: host),
                let witness = decide(other, reaching: goal)
            else { return nil }
            return dotFinding(own, at: step.position, matching: host).confirmed(by: witness)
        }
    }

    /// The shortest text of a form that an expression matches only because a dot is not escaped; nil if none is found.
    private func text(throughDotOf pattern: RuleModel.Expression, in form: String) -> [UInt8]? {
        guard let other = Self.withoutDot(pattern.expression.pattern),
            let wider = checker.language(other, like: pattern),
            let form = checker.language(form)
        else { return nil }
        return checker.shortest(wider, form)
    }

    /// The finding about a dot, at the expression if its text is found unchanged.
    private func dotFinding(
        _ pattern: RuleModel.Expression,
        at position: SourcePosition,
        matching text: [UInt8]
    ) -> LintFound {
        let word = written.first { $0.place.position == position && $0.place.pattern == pattern }?.word
        let message = "a dot of this expression matches any character: \(ShownBytes.text(text)) is matched"
        let advice = "write \\. for a dot"
        return word.map { LintFound($0, message, advice: advice) } ?? LintFound(position, message, advice: advice)
    }

    /// Names of servers and keys of maps with a dot that stands for any character.
    func namesAndKeys() -> [LintFound] {
        var places: [(pattern: RuleModel.Expression, position: SourcePosition, form: String)] = []
        let host = "^[a-z0-9.-]+\\z"
        for listen in model.listens {
            for (expression, server) in listen.expressions {
                places.append((expression, name(expression, of: server)?.position ?? server.position, host))
            }
        }
        for map in model.maps {
            guard let name = map.source.onlyVariable?.name,
                ["host", "http_host", "http_origin", "http_referer"].contains(name)
            else { continue }
            let form = name.hasSuffix("host") ? host : "^https?://[a-z0-9.-]+(?::[0-9]+)?(?:/[a-z0-9./-]*)?\\z"
            for (expression, position, _) in map.expressions { places.append((expression, position, form)) }
        }
        var known: Set<SourcePosition> = []
        return places.compactMap { place in
            guard let text = text(throughDotOf: place.pattern, in: place.form), known.insert(place.position).inserted
            else { return nil }
            return dotFinding(place.pattern, at: place.position, matching: text).based(on: .proof)
                .remarking("proved: the expression matches \(ShownBytes.text(text))")
        }
    }

    /// Returns true if an expression accepts no foreign host once each dot between letters is escaped.
    func isDotOnly(_ pattern: RuleModel.Expression, _ form: NamedForm) -> Bool {
        let text = Self.withEscapedDots(pattern.expression.pattern)
        guard text != pattern.expression.pattern, let escaped = checker.language(text, like: pattern) else {
            return false
        }
        return foreign(escaped, naming: domains(of: pattern), form) == nil
    }
}

/// Names of hosts in letters beyond ASCII, as DNS has them (RFC 3492).
private enum Punycode {
    private static let base = 36

    /// The letters of a label without its `xn--`; nil if it is malformed.
    static func decoded(_ label: Substring) -> [Unicode.Scalar]? {
        let bytes = Array(label.utf8)
        let mark = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = mark.map { bytes[..<$0].map { UInt32($0) } } ?? []
        var index = mark.map { $0 + 1 } ?? 0
        var (number, bias, position) = (128, 72, 0)
        while index < bytes.count {
            let start = position
            var weight = 1
            var step = base
            while true {
                guard index < bytes.count, let digit = digit(bytes[index]), weight < 1 << 30 else { return nil }
                index += 1
                position += digit * weight
                let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
                if digit < threshold { break }
                weight *= base - threshold
                step += base
            }
            let count = output.count + 1
            bias = adapted(position - start, count, isFirst: start == 0)
            number += position / count
            position %= count
            guard number < 0x110000 else { return nil }
            output.insert(UInt32(number), at: position)
            position += 1
        }
        return output.compactMap(Unicode.Scalar.init)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += base
        }
        return steps + 36 * delta / (delta + 38)
    }
}
