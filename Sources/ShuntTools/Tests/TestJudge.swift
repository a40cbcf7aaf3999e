import Shunt
import ShuntPatterns

/// Compares what is decided about a test's request with what the test expects.
struct TestJudge {
    private let ruleSet: RuleSet
    private let options: RuleTests.Options
    private let names: [SourcePosition: String]
    private let scratch = MatchScratch()

    init(_ ruleSet: RuleSet, options: RuleTests.Options, names: [SourcePosition: String]) {
        self.ruleSet = ruleSet
        self.options = options
        self.names = names
    }

    /// An evaluation that reads some files, nil where no one looks; with `isExact` there are no others, even on a disk.
    func evaluation(files: InMemoryFileSystem?, isExact: Bool = false) -> Evaluation {
        var evaluationOptions = EvaluationOptions()
        evaluationOptions.isLinear = options.isLinear
        if let root = options.documentRoot, !isExact {
            evaluationOptions.documentRoot = Array(root.utf8)
            evaluationOptions.fileSystem = LocalFileSystem()
        } else {
            evaluationOptions.fileSystem = files
        }
        return Evaluation(ruleSet, options: evaluationOptions)
    }

    func run(_ test: TestCase, in evaluation: inout Evaluation) -> TestOutcome {
        var request = test.request.request
        if request.time == nil { request.time = options.time }
        let clock = ContinuousClock()
        let duration = clock.measure { evaluation.evaluate(request) }
        let decision = evaluation.decision
        var outcome = TestOutcome(test: test, result: .passed, decision: decision)
        outcome.nanoseconds = Int(duration / .nanoseconds(1))
        outcome.notChecked = test.notChecked
        guard let expectation = test.expectation else {
            outcome.result = .failed
            let found = ExpectedDecision.text(of: decision)
            outcome.problems = [.init(kind: "recording", expected: "a recorded decision", found: found)]
            return outcome
        }
        var checked = expectation.decision == nil ? 0 : 1
        if let status = test.status {
            checked += check(status, decision: decision, in: &outcome)
        }
        var known = expectation
        if decision.kind == .forward, test.fileView == .unseen, test.status != nil {
            // The upstream adds its own headers.
            known.headers = expectation.headers.filter { !expectation.mismatches(onlyOf: $0, in: decision) }
            let unknown = expectation.headers.count - known.headers.count
            outcome.notChecked += Array(repeating: "a header of a forwarded request", count: unknown)
        }
        checked += known.headers.count + (known.body == nil ? 0 : 1) + known.parameters.count
        checked += (known.rule == nil ? 0 : 1) + known.following.count
        var wrong = known.mismatches(of: decision, named: names[decision.position])
        if wrong.first?.part != .decision {
            var follower = FollowedDecisions(known.following, after: decision, about: request)
            while let next = follower.next {
                evaluation.evaluate(next)
                follower.take(evaluation.decision)
            }
            if let mismatch = follower.mismatch { wrong.append(mismatch) }
        }
        for mismatch in wrong {
            outcome.problems.append(
                .init(
                    kind: Self.kind(of: mismatch.part),
                    expected: mismatch.expected,
                    found: mismatch.found,
                    url: mismatch.url.map { ShownBytes.text($0) }
                )
            )
        }
        if test.followsRedirects, wrong.isEmpty, let circle = circle(after: decision, in: &evaluation) {
            outcome.problems.append(.init(kind: "next decision", expected: "an end of the redirects", found: circle))
        }
        for header in test.headerTests { checked += check(header, decision: decision, in: &outcome) }
        if !outcome.problems.isEmpty {
            outcome.result = .failed
            outcome.reason = reason(of: request, decision)
        } else if checked == 0 {
            outcome.result = .notChecked
        }
        return outcome
    }

    /// The URLs of a circle that a redirect leads into; nil if it leads out of the rules, or to the tenth redirect.
    private func circle(after decision: Decision, in evaluation: inout Evaluation) -> String? {
        var urls: [String] = []
        var next = decision
        while next.kind == .redirect, let url = next.url, urls.count < 10 {
            if urls.contains(url) { return "a circle: " + (urls + [url]).joined(separator: " → ") }
            urls.append(url)
            var request = RuleRequest(url: url)
            request.time = options.time
            evaluation.evaluate(request)
            next = evaluation.decision
        }
        return nil
    }

    private static func kind(of part: Expectation.Mismatch.Part) -> String {
        switch part {
        case .decision: "decision"
        case .body: "body"
        case .rule: "rule"
        case .header: "header"
        case .parameter: "parameter"
        case .following: "next decision"
        }
    }

    /// Compares a status; that of a forwarded request is its upstream's.
    private func check(_ status: Int, decision: Decision, in outcome: inout TestOutcome) -> Int {
        if decision.kind == .forward, decision.status == nil, !(300..<400).contains(status) {
            outcome.notChecked.append("the status of a forwarded request")
            return 0
        }
        if decision.status != status {
            outcome.problems.append(
                .init(kind: "decision", expected: "status \(status)", found: ExpectedDecision.text(of: decision))
            )
        }
        return 1
    }

    private func check(_ test: TestCase.HeaderTest, decision: Decision, in outcome: inout TestOutcome) -> Int {
        let values = Expectation.values(of: test.name, in: decision)
        if decision.kind == .forward, values.isEmpty {
            outcome.notChecked.append("a header of a forwarded request")
            return 0
        }
        let isMet = values.contains { value in
            switch test.comparison {
            case .startsWith: value.starts(with: test.text)
            case .endsWith: value.reversed().starts(with: test.text.reversed())
            case .contains: value.firstRange(of: test.text) != nil
            case .matches: matches(test.pattern, value)
            }
        }
        guard !isMet else { return 1 }
        let name = String(decoding: test.name, as: UTF8.self)
        outcome.problems.append(
            .init(
                kind: "header",
                expected: "the header \(name) \(test.comparison.rawValue) \(RequestFields.quoted(test.text))",
                found: values.first.map { RequestFields.quoted($0) } ?? "no such header"
            )
        )
        return 1
    }

    private func matches(_ pattern: RegularExpression?, _ value: [UInt8]) -> Bool {
        guard let pattern else { return false }
        scratch.renew()
        if case .matched = pattern.match(value.span, scratch: scratch) { return true }
        return false
    }

    /// The condition that let the request reach the rule that decided, if it is right before that rule.
    private func reason(of request: RuleRequest, _ decision: Decision) -> String? {
        guard let rule = decision.rule else { return nil }
        var evaluation = self.evaluation(files: InMemoryFileSystem())
        let ruleSet = ruleSet
        let recorder = TraceRecorder { ruleSet.text(at: $0) }
        evaluation.recorder = recorder
        evaluation.evaluate(request)
        let steps = recorder.trace.steps
        guard let place = steps.lastIndex(where: { $0.kind == .rule && $0.rule == rule }),
            let step = steps[..<place].last(where: { $0.kind != .rule || $0.result != .skipped }),
            step.kind == .condition, step.result == .matched
        else { return nil }
        return step.subject.map { "\($0): \(step.text)" } ?? step.text
    }
}
