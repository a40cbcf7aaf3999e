import Shunt
import ShuntPatterns

extension LintSubject {
    func clobberedCapture() -> [LintFound] { clobberedReturns() + clobberedReaders() }

    /// Redirects that read a group of their location of which a test has none.
    private func clobberedReturns() -> [LintFound] {
        rules.compactMap { step in
            guard step.operation == .finish, let target = target(of: step), let sighting = decided(by: step),
                let number = target.pieces.compactMap(\.capture).first,
                let outer = step.sequence?.location?.chain.compactMap(\.expression).last
            else { return nil }
            let tested = step.ways().first?
                .compactMap { test -> RuleModel.Expression? in
                    guard case .condition(let condition, let holds) = test, holds != condition.isNegated else {
                        return nil
                    }
                    return condition.expression
                }
                .last
            guard outer.expression.captureCount >= number else { return nil }
            let witness: LintWitness
            if let tested {
                guard tested.expression.captureCount < number else { return nil }
                witness = LintWitness(sighting)
            } else {
                // An if before it that holds, and after which the rule decides, has the groups as well.
                guard
                    let earlier = step.before.first(where: {
                        $0.condition?.expression != nil || $0.operation == .rewrite
                    }),
                    let condition = earlier.condition, let expression = condition.expression, !condition.isNegated,
                    expression.expression.captureCount < number,
                    case .confirmed(let request) = verdict(.test(earlier, true))
                else { return nil }
                witness = decide(request)
                guard decides(step, witness) else { return nil }
            }
            return Self.clobbered(step.position, group: number).confirmed(by: witness)
        }
    }

    /// Each `set`, `alias`, `root`, `try_files` and `proxy_pass` that reads a group of its location after a test whose expression
    /// has no such group.
    private func clobberedReaders() -> [LintFound] {
        model.locations.flatMap { location -> [LintFound] in
            guard let outer = location.chain.compactMap(\.expression).last, let sequence = location.settings.sequence
            else { return [] }
            let groups = outer.expression.captureCount
            return sequence.steps.compactMap { step -> LintFound? in
                guard step.position.isPlace, let condition = step.condition, !condition.isNegated,
                    let own = condition.expression, own.expression.captureCount < groups,
                    let reader = reader(after: step, in: sequence, of: location)
                        .first(where: { $0.group > own.expression.captureCount && $0.group <= groups }),
                    case .confirmed(let request) = verdict(.test(step, true))
                else { return nil }
                let sighting = solver.ask(request)
                guard solver.reaches(.test(step, true), sighting), reader.isReached(solver, sighting) else {
                    return nil
                }
                return Self.clobbered(reader.position, group: reader.group).confirmed(by: LintWitness(sighting))
            }
        }
    }

    /// Something that reads a group.
    private struct GroupReader {
        let position: SourcePosition
        let group: Int
        /// The `set`; nil for a setting.
        var step: RuleModel.Step?

        func isReached(_ solver: RuleSolver, _ sighting: Sighting) -> Bool {
            step.map { solver.reaches(.step($0), sighting) } ?? (sighting.decision.kind == .forward)
        }
    }

    /// The readers of groups that come after a test and before the next expression of the sequence, and the settings of the
    /// location if no other expression comes.
    private func reader(
        after test: RuleModel.Step,
        in sequence: RuleModel.Sequence,
        of location: RuleModel.Location
    ) -> [GroupReader] {
        var found: [GroupReader] = []
        func add(_ template: RuleModel.Template?, at position: SourcePosition?, step: RuleModel.Step? = nil) {
            guard let position, let group = template?.pieces.compactMap(\.capture).max() else { return }
            found.append(GroupReader(position: position, group: group, step: step))
        }
        for step in sequence.steps where step > test {
            if step.condition?.expression != nil || step.operation == .rewrite { return found }
            add(step.value, at: step.position, step: step)
        }
        let settings = location.settings
        add(settings.root, at: settings.rootPosition)
        if settings.proxy?.hasVariables == true { add(settings.proxy?.target, at: settings.proxy?.position) }
        for candidate in settings.tryFiles?.candidates ?? [] { add(candidate.name, at: settings.tryFiles?.position) }
        return found
    }

    private static func clobbered(_ position: SourcePosition, group: Int) -> LintFound {
        LintFound(
            position,
            "$\(group) is of the expression of the if, which has no such group",
            advice: "name the group of the location: (?<name>…)"
        )
    }
}
