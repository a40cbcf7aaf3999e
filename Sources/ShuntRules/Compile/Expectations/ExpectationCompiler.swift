import ShuntCore

/// The tests of a rule set: they are made when it is loaded, and one that fails is an error like any other.
struct ExpectationCompiler {
    private var expectations: [DeclaredExpectation] = []

    /// `expect URL DECISION [STATUS] [URL]` and `expect URL route NAME`, with or without a block.
    mutating func declare(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard expectations.count < RuleLimits.expectations else {
            return context.error(.tooManyExpectations, "more than \(RuleLimits.expectations) tests", at: directive.name)
        }
        if let expectation = DeclaredExpectation(directive, in: &context) { expectations.append(expectation) }
    }

    /// Decides about the request of each test, and reports those that are not met.
    ///
    /// Tests that take longer than `limit` together are an error, too: a reload must not wait.
    func test(_ program: Program, within limit: Duration, in context: inout CompileContext) {
        guard !expectations.isEmpty else { return }
        let names = namesOfRules(in: context)
        checkRules(names, in: &context)
        checkInputs(of: program, in: &context)
        // A test that is misspelled would only report the same in other words.
        guard context.source.errorCount == 0 else { return }
        var evaluation = Evaluation(program)
        let start = ProcessorTime.ofThread()
        for expectation in expectations {
            guard ProcessorTime.ofThread() - start <= limit else {
                let message = "the tests before this one took more than \(limit) of processor time"
                let advice = "write fewer, or simpler expressions in the rules"
                return context.error(.slowExpectations, message, at: expectation.subject, suggestion: advice)
            }
            if expectation.files.isEmpty {
                test(expectation, in: &evaluation, names: names, context: &context)
            } else {
                var options = EvaluationOptions()
                options.fileSystem = InMemoryFileSystem(paths: expectation.files)
                var evaluation = Evaluation(program, options: options)
                test(expectation, in: &evaluation, names: names, context: &context)
            }
        }
    }

    /// The tests as someone else may make them.
    func collected(in context: CompileContext) -> [CollectedTest] {
        expectations.map {
            CollectedTest(
                location: context.source.location(of: $0.subject.position),
                request: $0.request,
                files: $0.files,
                expectation: $0.expectation
            )
        }
    }

    private func test(
        _ test: DeclaredExpectation,
        in evaluation: inout Evaluation,
        names: [SourcePosition: String],
        context: inout CompileContext
    ) {
        evaluation.evaluate(test.request)
        let decision = evaluation.decision
        // What follows is asked of the same evaluation, which no closure may hold.
        var wrong = test.expectation.mismatches(of: decision, named: names[decision.position])
        if wrong.isEmpty || wrong[0].part != .decision {
            var follower = FollowedDecisions(test.expectation.following, after: decision, about: test.request)
            while let request = follower.next {
                evaluation.evaluate(request)
                follower.take(evaluation.decision)
            }
            if let mismatch = follower.mismatch { wrong.append(mismatch) }
        }
        for mismatch in wrong { report(mismatch, of: test, decision: decision, in: &context) }
    }

    private func report(
        _ mismatch: Expectation.Mismatch,
        of test: DeclaredExpectation,
        decision: Decision,
        in context: inout CompileContext
    ) {
        var message: String
        switch mismatch.part {
        case .decision:
            let place = decision.rule.map { ", by \($0)" } ?? ""
            message = "expected \"\(mismatch.expected)\", but got \"\(mismatch.found)\"\(place)"
        case .following:
            message = "expected \"\(mismatch.expected)\", but got \"\(mismatch.found)\""
            if let url = mismatch.url { message += ", for the URL \(RequestFields.quoted(url))" }
        case .header, .body, .parameter, .rule:
            message = "expected \(mismatch.expected), but got \(mismatch.found)"
        }
        let advice = "change the rules, or what is expected of them"
        context.error(.unmetExpectation, message, at: test.place(of: mismatch.part), suggestion: advice)
    }

    // MARK: Names

    /// The names of rules in notes; none where no test asks for one.
    private func namesOfRules(in context: CompileContext) -> [SourcePosition: String] {
        guard expectations.contains(where: { $0.rule != nil }) else { return [:] }
        return context.source.notes.compactMapValues { $0["name"] }
    }

    /// Reports files and names that there are none of, which no decision could come from.
    private func checkRules(_ names: [SourcePosition: String], in context: inout CompileContext) {
        let files = context.source.files.map(\.name)
        for test in expectations {
            guard let rule = test.expectation.rule, let word = test.rule, !names.values.contains(rule.text),
                !files.contains(where: { rule.names(file: $0) })
            else { continue }
            let meant = Suggestion.meant(by: rule.text, among: files + names.values)
            let message = "there is no rule file and no note with the name \(word.shownText)"
            context.error(.unknownRule, message, at: word, suggestion: meant)
        }
    }

    /// Reports values for variables that no rule reads: they are probably not what was meant.
    private func checkInputs(of program: Program, in context: inout CompileContext) {
        let declared = program.tables.inputs.map(\.name)
        let known = Set(declared + program.tables.variables.map(\.name))
        for input in expectations.flatMap(\.inputs) {
            let name = String(input.text.dropFirst()).lowercased()
            guard !known.contains(name) else { continue }
            let meant = Suggestion.closest(to: name, among: declared)
            let advice = meant.map { "did you mean \"$\($0)\"?" } ?? "declare it: input \(input.text);"
            context.error(.unknownInput, "the rules have no input \(input.shownText)", at: input, suggestion: advice)
        }
    }
}
