import Shunt
import ShuntPatterns

extension LintSubject {
    func regexRedos() -> [LintFound] {
        var known: Set<RuleModel.Expression> = []
        return CostlyExpressions(self).all.filter { known.insert($0.pattern).inserted }
            .map { found in
                LintFound(
                    found.position,
                    "\(found.text.count) bytes are enough to reach the limit of steps",
                    advice: "let only one repetition match what both can"
                )
                .confirmed(by: found.witness)
            }
    }
}

/// Expressions with which a request fails because they take too many steps.
private struct CostlyExpressions {
    struct Found {
        var pattern: RuleModel.Expression
        var position: SourcePosition
        var text: [UInt8]
        var witness: LintWitness
    }

    private(set) var all: [Found] = []
    private let subject: LintSubject
    private let tries = 1_200

    init(_ subject: LintSubject) {
        self.subject = subject
        var texts: [RuleModel.Expression: [UInt8]?] = [:]
        func text(_ pattern: RuleModel.Expression) -> [UInt8]? {
            if let known = texts[pattern] { return known }
            let found = costlyText(pattern)
            texts[pattern] = .some(found)
            return found
        }
        for place in subject.expressions.all where place.kind == .path && place.goal != nil {
            guard isSuspicious(place.pattern), let goal = place.goal,
                let costly = text(place.pattern),
                // An expression that may match anywhere does so after the slash of a path as well.
                case let text = costly.first == UInt8(ascii: "/") ? costly : [UInt8(ascii: "/")] + costly,
                case .confirmed(let request) = subject.verdict(goal), let asked = request.asking(path: text)
            else { continue }
            add(place.pattern, at: place.position, text: text, witness: subject.decide(asked))
        }
        for step in subject.model.steps where step.position.isPlace {
            guard let condition = step.condition, let expression = condition.expression,
                let variable = condition.variable, isSuspicious(expression), let text = text(expression)
            else { continue }
            let reducer = ValueReducer(subject.model, checker: subject.checker, place: step)
            guard case .confirmed(let request) = subject.verdict(.test(step, !condition.isNegated)),
                let draft = reducer.drafts(RequestDraft(), variable: variable, test: ValueTest(.equals(text))).first,
                let source = draft.tests.first?.source, let changed = request.saying(text, source)
            else { continue }
            add(expression, at: step.position, text: text, witness: subject.decide(changed))
        }
    }

    private mutating func add(
        _ pattern: RuleModel.Expression,
        at position: SourcePosition,
        text: [UInt8],
        witness: LintWitness
    ) {
        guard witness.decision.kind == .fail, witness.decision.reason == FailureReason.patternLimit.text else { return }
        all.append(Found(pattern: pattern, position: position, text: text, witness: witness))
    }

    /// Returns true if an expression may be slow: loading says so, or its form has repetitions that share a text.
    private func isSuspicious(_ pattern: RuleModel.Expression) -> Bool {
        if pattern.expression.slowness != nil { return true }
        guard let tree = subject.checker.tree(of: pattern) else { return false }
        return tree.repeatsChoices(inside: false) || tree.beginsRepeated
    }

    /// A text with which an expression reaches the limit of steps; nil if none is found.
    private func costlyText(_ pattern: RuleModel.Expression) -> [UInt8]? {
        let expression = pattern.expression
        guard let tree = subject.checker.tree(of: pattern),
            let shortest = (try? subject.checker.looseAutomaton(of: pattern))?.shortestSubject()
        else { return nil }
        var bytes: [UInt8] = []
        tree.collectBytes(&bytes)
        let scratch = MatchScratch()
        var count = 0
        var heads = (0...min(shortest.count, 12)).map { Array(shortest.prefix($0)) }
        // Where one alternative matches what begins so, another one is come to after something else.
        if case .choice = tree { heads = ["x", "/x", "!"].map { Array($0.utf8) } + heads }
        for length in [40, 2_000, 7_000] {
            for head in heads {
                for byte in bytes.prefix(8) {
                    for tail in [[0x21], [], [0x20, 0x21]] as [[UInt8]] {
                        count += 1
                        if count > tries { return nil }
                        var text = head
                        text += [UInt8](repeating: byte, count: length)
                        text += tail
                        scratch.renew()
                        if case .limitExceeded = expression.match(text.span, scratch: scratch) {
                            return text
                        }
                    }
                }
            }
        }
        return nil
    }
}

extension RequestDescription {
    /// The request with another argument, header or cookie; nil for other parts.
    fileprivate func saying(_ text: [UInt8], _ source: RequestSource) -> RequestDescription? {
        let path = target.map { Array($0.prefix { $0 != UInt8(ascii: "?") }) + [UInt8(ascii: "?")] }
        switch source {
        case .argument(let name):
            guard !text.contains(UInt8(ascii: "&")) else { return nil }
            let value = text.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
            return path.flatMap { asking(target: $0 + name + [UInt8(ascii: "=")] + value) }
        case .arguments: return path.flatMap { asking(target: $0 + text) }
        case .header(let name):
            var changed = self
            let header = RequestAssembly.headerName(name)
            changed.request.headers.removeAll { $0.name == header }
            changed.request.headers.append(RuleRequest.Header(name: header, value: text))
            return changed
        default: return nil
        }
    }
}

extension PatternNode {
    /// Returns true if something is repeated that can be taken in several ways.
    fileprivate func repeatsChoices(inside: Bool) -> Bool {
        switch self {
        case .repeated(let inner, _, let maximum, let preference):
            if preference == .possessive { return false }
            let isOpen = maximum.map { $0 > 8 } ?? true
            return inside && isOpen || inner.repeatsChoices(inside: inside || isOpen)
        case .choice(let nodes):
            return inside && nodes.count > 1 || nodes.contains { $0.repeatsChoices(inside: inside) }
        case .atomic: return false
        default: return parts.contains { $0.repeatsChoices(inside: inside) }
        }
    }

    /// True if a repetition stands at the beginning, which every place of a text can be, and an end after it.
    fileprivate var beginsRepeated: Bool {
        switch self {
        case .choice(let nodes): return nodes.contains(where: \.beginsRepeated)
        case .sequence(let nodes):
            guard case .repeated(_, _, nil, let preference)? = nodes.first, preference != .possessive else {
                return false
            }
            return nodes.contains(.end) || nodes.contains(.absoluteEnd)
        default: return false
        }
    }

    /// One byte of each thing that is repeated, those that are nice first.
    fileprivate func collectBytes(_ bytes: inout [UInt8]) {
        func add(_ byte: UInt8) { if !bytes.contains(byte) { bytes.append(byte) } }
        switch self {
        case .literal(let text, _): for byte in text.prefix(4) { add(byte) }
        case .set(let set):
            for byte in Array("a0/-. x".utf8) where set.contains(byte) { return add(byte) }
            if let byte = (UInt8(0x21)...0x7e).first(where: set.contains) { add(byte) }
        default: for part in parts { part.collectBytes(&bytes) }
        }
    }
}
