import Shunt

/// Runs tests one after another.
struct TestRunner: ~Copyable {
    private let judge: TestJudge
    private let recorder: CoverageRecorder?
    /// For tests that name no files, by whether such files would be looked for.
    private var unseen: Evaluation
    private var named: Evaluation

    init(_ ruleSet: RuleSet, options: RuleTests.Options, names: [SourcePosition: String]) {
        judge = TestJudge(ruleSet, options: options, names: names)
        recorder = options.collectsCoverage ? CoverageRecorder() : nil
        unseen = judge.evaluation(files: nil)
        named = judge.evaluation(files: InMemoryFileSystem())
        unseen.recorder = recorder
        named.recorder = recorder
    }

    var counts: CoverageRecorder.Counts? { recorder?.counts }

    mutating func run(_ test: TestCase) -> TestOutcome {
        guard let files = test.request.fileSystem else {
            return test.fileView == .named ? judge.run(test, in: &named) : judge.run(test, in: &unseen)
        }
        var evaluation = judge.evaluation(files: files, isExact: true)
        evaluation.recorder = recorder
        return judge.run(test, in: &evaluation)
    }
}
