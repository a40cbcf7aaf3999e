import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let deadBranch = LintCheck(
        "dead-branch",
        group: .order,
        severity: .warning,
        basis: .proof,
        summary: "a condition that is never true, or always true, at its place",
        explanation: """
            The tests around a condition, the tests of the `if`s before it in a chain of `else if`, and its own are compared. If nothing \
            passes them all, the block never runs; if all that reaches the test passes, the test decides nothing.
            """,
        example: """
            input $v "0";
            if ($v < 3) { block host a.example; } else if ($v < 2) { block host b.example; }
            """
    ) { subject in
        let program = subject.program
        var found: [LintFound] = []
        for (index, instruction) in program.tables.instructions.enumerated() where instruction.position.isPlace {
            guard instruction.operation == .test || instruction.operation == .testNot,
                subject.isSteady(program.tables.conditions[instruction.a].variable)
            else { continue }
            let ways = subject.outline.ways(to: index)
            guard !ways.isEmpty, ways.count < 32 else { continue }
            for outcome in [true, false] {
                let isImpossible = ways.allSatisfy { way in
                    subject.excludes(
                        way + [.condition(ConditionIndex(instruction.a), outcome)],
                        ConditionIndex(instruction.a)
                    )
                }
                guard isImpossible else { continue }
                let message = outcome ? "this is never true here" : "this is always true here"
                let finding = LintFound(instruction.position, message, advice: "compare it with the tests before it")
                found.append(
                    finding.remarking(
                        "proved: no value passes the tests on the way here and \(outcome ? "this one" : "fails this one")"
                    )
                )
                break
            }
        }
        return found
    }
}

extension LintSubject {
    /// Returns true if a variable is the same wherever it is asked for.
    func isSteady(_ variable: VariableIndex) -> Bool {
        !variable.isNone && outline.assignments[variable] == nil && !program.tables.variables[variable].isVolatile
            && program.tables.variables[variable].source != .assigned
    }

    /// Returns true if no value of the variable of a condition passes the tests of it on a way.
    fileprivate func excludes(_ way: [ProgramOutline.Guard], _ asked: ConditionIndex) -> Bool {
        let variable = program.tables.conditions[asked].variable
        var languages: [Language] = []
        var bounds: [Bound] = []
        var texts: [[UInt8]] = []
        for case .condition(let number, let outcome) in way {
            let condition = program.tables.conditions[number]
            guard condition.variable == variable else { continue }
            let holds = outcome != condition.isNegated
            switch condition.kind {
            case .truthy:
                if let zero = checker.automaton("^0?\\z") {
                    languages.append(holds ? .complement(.automaton(zero)) : .automaton(zero))
                }
            case .equal:
                guard let text = constant(condition.template) else { continue }
                if holds { texts.append(text) }
                guard let exact = try? Automaton(exactly: text, limits: options.limits.expression) else { continue }
                languages.append(holds ? .automaton(exact) : .complement(.automaton(exact)))
            case .matches:
                guard let own = try? checker.automaton(of: condition.pattern) else { continue }
                languages.append(holds ? .automaton(own) : .complement(.automaton(own)))
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                switch condition.comparison {
                case .version:
                    guard let text = constant(condition.template) else { continue }
                    bounds.append(Bound(kind: condition.kind, value: .version(text), holds: holds))
                case .moment(let moment):
                    bounds.append(Bound(kind: condition.kind, value: .moment(moment), holds: holds))
                case .timeOfDay(let seconds):
                    bounds.append(Bound(kind: condition.kind, value: .timeOfDay(seconds), holds: holds))
                }
            default: continue
            }
        }
        if languages.count > 1, (try? Language.intersection(languages).isEmpty(limits: options.limits.proof)) == true {
            return true
        }
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

            /// The order of two of one kind; nil for others, and for texts that are no versions.
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
            switch (bound.kind, bound.holds) {
            case (.less, true): upper.append((bound.value, true))
            case (.less, false): lower.append((bound.value, false))
            case (.lessOrEqual, true): upper.append((bound.value, false))
            case (.lessOrEqual, false): lower.append((bound.value, true))
            case (.greater, true): lower.append((bound.value, true))
            case (.greater, false): upper.append((bound.value, false))
            case (.greaterOrEqual, true): lower.append((bound.value, false))
            case (.greaterOrEqual, false): upper.append((bound.value, true))
            default: continue
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

    /// The text of a template without variables.
    func constant(_ template: TemplateIndex) -> [UInt8]? {
        guard !template.isNone else { return nil }
        let part = program.tables.parts[template]
        return part.isConstant ? Array(program.tables.constants[Int(part.a)..<Int(part.b)]) : nil
    }
}
