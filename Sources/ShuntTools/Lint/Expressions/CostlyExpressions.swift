import Shunt
import ShuntPatterns

extension LintSubject {
    func regexRedos() -> [LintFound] { CostlyExpressions(self).found }
}

/// Expressions with which a request fails because they take too many steps.
private struct CostlyExpressions {
    private(set) var found: [LintFound] = []
    private var reported: Set<RuleModel.Expression> = []
    private let subject: LintSubject
    private let tries = 1_600

    init(_ subject: LintSubject) {
        self.subject = subject
        var known: [RuleModel.Expression: [[UInt8]]] = [:]
        func texts(_ pattern: RuleModel.Expression) -> [[UInt8]] {
            if let found = known[pattern] { return found }
            let found = costlyTexts(pattern)
            known[pattern] = found
            return found
        }
        for place in subject.expressions.all where place.kind == .path && place.goal != nil {
            guard isSuspicious(place.pattern), let goal = place.goal, case let costly = texts(place.pattern),
                !costly.isEmpty, case .confirmed(let request) = subject.verdict(goal)
            else { continue }
            for text in costly {
                // An expression that may match anywhere does so after the slash of a path as well.
                let text = text.first == UInt8(ascii: "/") ? text : [UInt8(ascii: "/")] + text
                guard let asked = request.asking(path: text) else { continue }
                if add(place.pattern, at: place.position, text: text, witness: subject.decide(asked)) { break }
            }
        }
        for step in subject.model.steps where step.position.isPlace {
            guard let condition = step.condition, let expression = condition.expression,
                let variable = condition.variable, isSuspicious(expression)
            else { continue }
            let reducer = ValueReducer(subject.model, checker: subject.checker, place: step)
            for text in texts(expression) {
                guard case .confirmed(let request) = subject.verdict(.test(step, !condition.isNegated)),
                    let draft = reducer.drafts(RequestDraft(), variable: variable, test: ValueTest(.equals(text)))
                        .first,
                    let source = draft.tests.first?.source, let changed = request.saying(text, source)
                else { continue }
                if add(expression, at: step.position, text: text, witness: subject.decide(changed)) { break }
            }
        }
    }

    /// Adds a finding if the request fails, one for each expression; returns true if it does.
    private mutating func add(
        _ pattern: RuleModel.Expression,
        at position: SourcePosition,
        text: [UInt8],
        witness: LintWitness
    ) -> Bool {
        guard witness.decision.kind == .fail, witness.decision.reason == FailureReason.patternLimit.text else {
            return false
        }
        guard reported.insert(pattern).inserted else { return true }
        let message = "\(text.count) bytes are enough to reach the limit of steps"
        let advice = "let only one repetition match what both can"
        found.append(LintFound(position, message, advice: advice).confirmed(by: witness))
        return true
    }

    /// Returns true if an expression may be slow: loading reports it, or its form has repetitions that share a text.
    private func isSuspicious(_ pattern: RuleModel.Expression) -> Bool {
        if pattern.expression.slowness != nil { return true }
        guard let tree = subject.checker.tree(of: pattern) else { return false }
        return tree.repeatsChoices(inside: false) || tree.beginsRepeated
    }

    /// The most bytes of the shortest match that are put at the end of a text.
    private static let mostOfEnd = 32

    /// Texts with which an expression reaches the limit of steps; none if none is found.
    ///
    /// The second has the text that each match ends with at its end: without it the engine may try nothing.
    private func costlyTexts(_ pattern: RuleModel.Expression) -> [[UInt8]] {
        let expression = pattern.expression
        guard let tree = subject.checker.tree(of: pattern),
            let shortest = (try? subject.checker.looseAutomaton(of: pattern))?.shortestSubject()
        else { return [] }
        var bytes: [UInt8] = []
        tree.collectBytes(&bytes)
        let scratch = MatchScratch()
        var count = 0
        var heads = (0...min(shortest.count, 12)).map { Array(shortest.prefix($0)) }
        // Where one alternative matches what begins so, another one is reached after something else.
        if case .choice = tree { heads = ["x", "/x", "!"].map { Array($0.utf8) } + heads }
        let end = [0x21] + shortest.prefix(Self.mostOfEnd)
        let tails: [[UInt8]] = [[0x21], [], [0x20, 0x21], end]
        for length in [40, 2_000, 7_000] {
            for head in heads {
                for byte in bytes.prefix(8) {
                    for tail in tails {
                        count += 1
                        if count > tries { return [] }
                        var text = head
                        text += [UInt8](repeating: byte, count: length)
                        text += tail
                        scratch.renew()
                        if case .limitExceeded = expression.match(text.span, scratch: scratch) {
                            return [text, text + end]
                        }
                    }
                }
            }
        }
        return []
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
            changed.request.headers.removeAll { $0.nameBytes == header }
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

    /// True if a repetition is at the beginning, which every place of a text can be, and an end after it.
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
