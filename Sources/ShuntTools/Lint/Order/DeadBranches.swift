import Shunt
import ShuntPatterns

extension LintSubject {
    func deadBranch() -> [LintFound] {
        var found: [LintFound] = []
        var places: [SourcePosition] = []
        let failed = testsFailedBefore()
        for step in model.steps where step.position.isPlace && step.condition != nil {
            places.append(step.position)
            guard let condition = step.condition, let variable = condition.variable,
                isSteady(variable) || failed[step] != nil && isOfRequest(variable)
            else { continue }
            let ways = step.ways()
            guard !ways.isEmpty, ways.count < 32 else { continue }
            for outcome in [true, false] {
                let before = outcome ? failed[step, default: []].filter { $0.names(variable) } : []
                let isImpossible = ways.allSatisfy { way in
                    excludes(way + before + [.condition(condition, outcome)], variable)
                }
                guard isImpossible else { continue }
                let message = outcome ? "this is never true here" : "this is always true here"
                let end = outcome ? "this one" : "fails this one"
                found.append(
                    LintFound(step.position, message, advice: "compare it with the tests before it")
                        .remarking("proved: no value passes the tests on the way here and \(end)")
                )
                break
            }
        }
        return found.holdingEverywhere(among: places) + wordsTakenForFalse()
    }

    /// The most tests before one that it is compared with.
    private static var mostFailed: Int { 32 }

    /// For each test of a server the ones before it in which a request is answered, so that they have failed there.
    private func testsFailedBefore() -> [RuleModel.Step: [RuleModel.Guard]] {
        var found: [RuleModel.Step: [RuleModel.Guard]] = [:]
        for sequence in model.sequences where sequence.server != nil {
            var failed: [RuleModel.Guard] = []
            for step in sequence.steps {
                if EarlierRules.mayChange(step) { failed = [] }
                if step.condition != nil { found[step] = failed }
                guard case .answer = step.action, step.endsSequence else { continue }
                let ways = step.ways(limit: 2)
                guard ways.count == 1, ways[0].count == 1, case .condition(let condition, true) = ways[0][0] else {
                    continue
                }
                failed = failed.suffix(Self.mostFailed - 1) + [.condition(condition, false)]
            }
        }
        return found
    }

    /// The values of variables that an `if` tests alone which are written as false, and are true.
    private func wordsTakenForFalse() -> [LintFound] {
        let tested = Set(directives("if").filter { $0.arguments.count == 1 }.compactMap(\.arguments.first?.text))
        func isTested(_ variable: Word?) -> Bool { variable.map { tested.contains("(\($0.text))") } ?? false }
        let rows = directives("map", "geo").filter { isTested($0.arguments.last) }
            .flatMap { tree.nodes[$0.children] }.filter { $0.arguments.count == 1 }
        // A variable may have another use in another server.
        let testedHere = Set(
            numbers(of: "if").filter { tree.nodes[$0].arguments.count == 1 }
                .map { "\(tree.block("server", around: $0) ?? -1) \(tree.nodes[$0].arguments[0].text)" }
        )
        let sets = numbers(of: "set").filter { tree.nodes[$0].arguments.count == 2 }
            .filter {
                testedHere.contains("\(tree.block("server", around: $0) ?? -1) (\(tree.nodes[$0].arguments[0].text))")
            }
            .map { tree.nodes[$0] }
        return (rows + sets).compactMap(\.arguments.last)
            .filter { ["off", "no", "false", "none", "null", "-"].contains($0.text.lowercased()) }
            .map { word in
                LintFound(word, "this value is true for if: only 0 and an empty text are false", advice: "write 0")
                    .based(on: .structure)
            }
    }

    /// Returns true if a variable is the same wherever it is asked for.
    fileprivate func isSteady(_ variable: RuleModel.Variable) -> Bool {
        variable.assignments.isEmpty && !variable.isVolatile && !variable.isAssigned
    }

    /// Returns true if a variable is a part of the request, which only a change of the path or the query changes.
    fileprivate func isOfRequest(_ variable: RuleModel.Variable) -> Bool {
        guard variable.assignments.isEmpty else { return false }
        if case .argument = variable.source { return true }
        return variable.builtin != nil
    }

    /// Returns true if no value of a variable passes the tests of it on a way.
    fileprivate func excludes(_ way: [RuleModel.Guard], _ variable: RuleModel.Variable) -> Bool {
        var languages: [Language] = []
        var bounds: [Bound] = []
        var texts: [[UInt8]] = []
        for case .condition(let condition, let outcome) in way where condition.variable == variable {
            let holds = outcome != condition.isNegated
            var language: Language?
            switch condition.kind {
            case .truthy: language = checker.language("^0?\\z").map { .complement($0) }
            case .equal:
                guard let text = condition.text?.constant else { continue }
                if holds { texts.append(text) }
                language = (try? Automaton(exactly: text, limits: options.limits.expression)).map(Language.automaton)
            case .matches: language = condition.expression.flatMap { checker.language(of: $0) }
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                switch condition.comparison {
                case .version:
                    guard let text = condition.text?.constant else { continue }
                    bounds.append(Bound(kind: condition.kind, value: .version(text), holds: holds))
                case .moment(let moment):
                    bounds.append(Bound(kind: condition.kind, value: .moment(moment), holds: holds))
                case .timeOfDay(let seconds):
                    bounds.append(Bound(kind: condition.kind, value: .timeOfDay(seconds), holds: holds))
                }
            default: continue
            }
            if let language { languages.append(holds ? language : .complement(language)) }
        }
        if languages.count > 1, checker.isEmpty(.intersection(languages)) { return true }
        for text in texts {
            let fails = bounds.contains { bound in
                guard case .version(let version) = bound.value else { return false }
                return checker.passes(text, ValueTest(.version(bound.kind, version), negated: bound.holds))
            }
            if fails { return true }
        }
        return bounds.contains(where: \.holds) && areApart(bounds)
    }

    /// A comparison on the way, and how it comes out.
    private struct Bound {
        enum Value {
            case version([UInt8])
            case moment(Timestamp)
            case timeOfDay(Int64)

            /// The order of two of one kind; nil for others, and for texts that are not versions.
            func order(to other: Value) -> Ordering? {
                switch (self, other) {
                case (.version(let left), .version(let right)): VersionComparison.compare(left.span, right.span)
                case (.moment(let left), .moment(let right)): left < right ? .less : right < left ? .greater : .equal
                case (.timeOfDay(let left), .timeOfDay(let right)):
                    left < right ? .less : right < left ? .greater : .equal
                default: nil
                }
            }
        }

        var kind: Condition.Kind
        var value: Value
        var holds: Bool
    }

    /// Returns true if no version and no time lies within all bounds, one of which at least it passes.
    private func areApart(_ bounds: [Bound]) -> Bool {
        // What is not below a bound, and is a version, is at it or above.
        var lower: [(value: Bound.Value, isOpen: Bool)] = []
        var upper: [(value: Bound.Value, isOpen: Bool)] = []
        for bound in bounds {
            let isOpen = (bound.kind == .less || bound.kind == .greater) == bound.holds
            if (bound.kind == .less || bound.kind == .lessOrEqual) == bound.holds {
                upper.append((bound.value, isOpen))
            } else {
                lower.append((bound.value, isOpen))
            }
        }
        return lower.contains { low in
            upper.contains { high in
                switch low.value.order(to: high.value) {
                case .greater: true
                case .equal: low.isOpen || high.isOpen
                case .less, nil: false
                }
            }
        }
    }
}

extension RuleModel.Guard {
    fileprivate func names(_ variable: RuleModel.Variable) -> Bool {
        if case .condition(let condition, _) = self { condition.variable == variable } else { false }
    }
}
