import Shunt

extension LintCheck {
    static let regexBeforePrefix = LintCheck(
        "regex-before-prefix",
        group: .nginx,
        severity: .note,
        basis: .witness,
        isUsual: false
    ) { subject in
        subject.model.locations.compactMap { location in
            guard location.modifier == .prefix, location.name.count > 1 else { return nil }
            return subject.expression(takingPartOf: location) { _ in true }
                .map { expression, witness in
                    LintFound(
                        location.position,
                        "\(subject.shown(expression.position)) matches a part of this location",
                        advice: "write ^~ before the prefix if it is to have all"
                    )
                    .confirmed(by: witness)
                }
        }
    }

    static let tryFilesWithAlias = LintCheck(
        "try-files-with-alias",
        group: .nginx,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            guard location.settings.isAlias, let rule = location.settings.tryFiles,
                case .confirmed(let request) = subject.verdict(.location(location)),
                case .target(let target, _) = request.request.subject
            else { return nil }
            var asked = request
            asked.files = []
            let witness = subject.decide(asked)
            if location.modifier.isRegex {
                let path = String(decoding: target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
                guard let file = subject.file(askedBy: request.request), file.hasSuffix(path), file.count > path.count
                else { return nil }
                return LintFound(
                    rule.position,
                    "the path of the request is appended to the alias",
                    advice: "use root, or a name that the expression captured"
                )
                .shown(by: [witness]).remarking("confirmed: \(asked) requests the file \(file)")
            }
            guard let path = witness.decision.uri, path.first != UInt8(ascii: "/") else { return nil }
            return LintFound(
                rule.position,
                "the fallback loses the prefix of the location",
                advice: "use root, or a named location"
            )
            .shown(by: [witness]).remarking("confirmed: \(asked) continues with the path \(ShownBytes.text(path))")
        }
    }

    static let limitExceptBypass = LintCheck(
        "limit-except-bypass",
        group: .nginx,
        severity: .warning,
        basis: .witness
    ) { subject in
        var found: [LintFound] = []
        for location in subject.model.locations {
            guard let limit = location.settings.methodLimit,
                case .confirmed(let own) = subject.verdict(.location(location))
            else { continue }
            let listed = Set(limit.methods.map { String(decoding: $0, as: UTF8.self) })
            guard let method = ["DELETE", "PUT", "POST", "GET"].first(where: { !listed.contains($0) }) else { continue }
            func asked(_ request: RequestDescription) -> LintWitness {
                subject.decide(like: request) {
                    $0.method = Array(method.utf8)
                    $0.remoteAddress = "203.0.113.77"
                }
            }
            guard asked(own).decision.status == 403 else { continue }
            for inner in location.inner?.locations ?? [] {
                let goal = RuleGoal.location(inner)
                guard case .confirmed(let request) = subject.verdict(goal) else { continue }
                let witness = asked(request)
                guard witness.decision.status != 403, witness.decision.kind != .fail,
                    subject.solver.reaches(goal, subject.solver.ask(witness.request))
                else { continue }
                let finding = LintFound(
                    inner.position,
                    "the limit_except of \(subject.shown(location.position)) does not apply here",
                    advice: "repeat it here"
                )
                found.append(finding.confirmed(by: witness))
            }
        }
        return found
    }
}

extension LintSubject {
    /// A location by an expression that takes a request in the place of a prefix location, with the request; nil if none is found.
    func expression(
        takingPartOf location: RuleModel.Location,
        among most: Int = .max,
        where isMeant: (LintWitness) -> Bool
    ) -> (location: RuleModel.Location, witness: LintWitness)? {
        guard let path = solver.goals.pathTest(location) else { return nil }
        let tests = [SourceTest(source: .path, test: path)]
        for expression in location.level.expressions.prefix(most) {
            let witness = request(to: .location(expression), where: tests) { witness in
                let sighting = solver.ask(witness.request)
                return isMeant(witness) && solver.reaches(.location(expression), sighting)
                    && !solver.reaches(.location(location), sighting)
            }
            if let witness { return (expression, witness) }
        }
        return nil
    }
}
