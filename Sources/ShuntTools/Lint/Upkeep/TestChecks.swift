import Shunt

extension LintCheck {
    static let untestedRule = LintCheck(
        "untested-rule",
        group: .upkeep,
        severity: .note,
        basis: .structure,
        isUsual: false
    ) { subject in
        var options = RuleTests.Options()
        options.time = subject.options.asOf
        options.collectsCoverage = true
        let report = RuleTests(subject.ruleSet, subject.options.tests, options: options).run()
        guard let coverage = report.coverage else { return [] }
        return coverage.missing
            .compactMap { item in
                guard case .rule(let position) = item.target, item.kind == .rules else { return nil }
                return LintFound(position, "no test reaches this", advice: "shunt examples writes one")
            }
    }

    static let duplicateTest = LintCheck(
        "duplicate-test",
        group: .upkeep,
        severity: .note,
        basis: .structure
    ) { subject in
        var known: [String: SourcePosition] = [:]
        var found: [LintFound] = []
        for index in subject.tree.named["expect"] ?? [] {
            let node = subject.tree.nodes[index]
            let block = subject.tree.descendants(of: index).map { subject.tree.nodes[$0] }
            let key = ([node] + block).map { ([$0.name] + $0.arguments.map(\.text)).joined(separator: "\0") }
                .joined(separator: "\n")
            guard let first = known[key] else {
                known[key] = node.position
                continue
            }
            var finding = LintFound(
                node.position,
                "\(subject.shown(first)) expects the same of the same request",
                advice: "remove it"
            )
            finding.edits = subject.removal(of: node.position)
            found.append(finding)
        }
        return found
    }

    static let testOfDeadRule = LintCheck(
        "test-of-dead-rule",
        group: .upkeep,
        severity: .note,
        basis: .proof
    ) { subject in
        guard !subject.options.tests.isEmpty else { return [] }
        let dead = Set(subject.dead.found.map(\.finding.position))
        return subject.rules.filter { dead.contains($0.position) }
            .compactMap { step in
                let tests = subject.options.tests.filter {
                    subject.isMeant(step, for: subject.url(of: $0.request.request))
                }
                guard let first = tests.first else { return nil }
                let others = tests.count > 1 ? " and \(tests.count - 1) more" : ""
                let place = subject.shown(step.position)
                return LintFound(
                    subject.model.position(of: first.location) ?? step.position,
                    "\(first.place)\(others) tests a request that \(place) is for, and nothing reaches that rule",
                    advice: "move the rule up, or remove it"
                )
                .remarking("proved: earlier rules decide all that could reach \(place)")
            }
    }
}

extension LintSubject {
    /// Returns true if the matcher of a rule on whole URLs takes a URL.
    fileprivate func isMeant(_ step: RuleModel.Step, for url: [UInt8]) -> Bool {
        guard step.sequence?.server == nil else { return false }
        if let expression = step.expression { return checker.matches(expression, url) }
        guard let matcher = step.matcher, let host = HostOfURL(url)?.host else { return false }
        return matcher.names(host.span)
    }
}
