import Shunt

extension LintSubject {
    func untestedRule() -> [LintFound] {
        var options = RuleTests.Options()
        options.time = self.options.asOf
        options.collectsCoverage = true
        let report = RuleTests(ruleSet, self.options.tests, options: options).run()
        guard let coverage = report.coverage else { return [] }
        return coverage.missing
            .compactMap { item in
                guard case .rule(let position) = item.target, item.kind == .rules else { return nil }
                return LintFound(position, "no test reaches this", advice: "shunt examples writes one")
            }
    }

    func duplicateTest() -> [LintFound] {
        var known: [String: SourcePosition] = [:]
        return numbers(of: "expect")
            .compactMap { index in
                let node = tree.nodes[index]
                let key = ([node] + tree.descendants(of: index).map { tree.nodes[$0] })
                    .map { $0.words.map(\.text).joined(separator: "\0") }
                    .joined(separator: "\n")
                guard let first = known[key] else {
                    known[key] = node.position
                    return nil
                }
                let message = "\(shown(first)) expects the same of the same request"
                return LintFound(node.position, message, advice: "remove it").fixed(by: removal(of: node.position))
            }
    }

    func testOfDeadRule() -> [LintFound] {
        guard !options.tests.isEmpty else { return [] }
        let deadPlaces = Set(dead.found.map(\.finding.position))
        return rules.filter { deadPlaces.contains($0.position) }
            .compactMap { step in
                let tests = options.tests.filter { isMeant(step, for: url(of: $0.request.request)) }
                guard let first = tests.first else { return nil }
                let others = tests.count > 1 ? " and \(tests.count - 1) more" : ""
                let place = shown(step.position)
                return LintFound(
                    model.position(of: first.location) ?? step.position,
                    "\(first.place)\(others) tests a request that \(place) is for, and nothing reaches that rule",
                    advice: "move the rule up, or remove it"
                )
                .remarking("proved: earlier rules decide all that could reach \(place)")
            }
    }

    /// Returns true if the matcher of a rule on whole URLs takes a URL.
    fileprivate func isMeant(_ step: RuleModel.Step, for url: [UInt8]) -> Bool {
        guard step.sequence?.server == nil else { return false }
        if let expression = step.expression { return checker.matches(expression, url) }
        guard let matcher = step.matcher, let host = HostOfURL(url)?.host else { return false }
        return matcher.names(host.span)
    }
}
