public import Shunt

/// A test as mutation sees it: a request, and whether a decision is the expected one.
public struct MutationTest: Sendable {
    /// The request that is decided.
    public var request: RequestDescription
    /// True if a decision is what the test expects.
    public var isMet: @Sendable (Decision) -> Bool

    /// Creates a test.
    public init(_ request: RequestDescription, isMet: @escaping @Sendable (Decision) -> Bool) {
        self.request = request
        self.isMet = isMet
    }

    /// The test that a request has the decision `decision`, but for the rule that decides.
    public init(_ request: RequestDescription, decidedAs decision: Decision) {
        self.init(request) { $0.isSameOutcome(as: decision) }
    }
}

/// Makes small changes of the rules, and sees which of them tests find.
///
/// Each change is compiled and the tests are run, those first that reach the changed rule. A change that no test finds
/// is either proved to change nothing, or a request is looked for that shows it. Everything depends on the rules, the
/// tests and the options only.
public struct MutationRun {
    /// The options of a run.
    public struct Options: Sendable {
        /// The number of changes to try; nil tries all.
        public var sample: Int?
        /// From what the sample is taken.
        public var seed: UInt64 = 1
        /// True if requests are looked for that show the changes that no test finds.
        public var suggests = true
        /// The time after which no further change is tried; nil tries all.
        public var end: ContinuousClock.Instant?
        /// The bounds on the work.
        public var limits = AnalysisLimits()

        /// All changes, with requests that show them.
        public init() {}
    }

    /// Compiles the rules with one file changed.
    public typealias Compile = (_ file: String, _ content: [UInt8]) throws(RuleSetError) -> RuleSet

    /// Makes the check of a rule set: whether the test with a number fails.
    private typealias MakeCheck = (RuleSet) -> (Int) -> Bool

    private let ruleSet: RuleSet
    /// The requests of the tests that pass.
    private let requests: [RequestDescription]
    private let makeCheck: MakeCheck
    private let options: Options
    private let asOf: Timestamp
    private let compile: Compile
    /// The decisions about requests of tests that expect no more than a decision: a request that is decided as before
    /// need not be run again.
    private var decisions: [Int: Decision] = [:]
    /// The tests that reach each place.
    private var reached: [SourcePosition: [Int]] = [:]
    /// The paths of the requests; nil where they are not known.
    private var trails: [PathTrail?] = []

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - ruleSet: The present rules.
    ///   - tests: The tests; those that fail already are left out.
    ///   - options: What is done.
    ///   - asOf: The time of requests that name none.
    ///   - compile: Compiles the rules with one file changed.
    public init(
        _ ruleSet: RuleSet,
        tests: [MutationTest],
        options: Options = Options(),
        asOf: Timestamp,
        compile: @escaping Compile
    ) {
        let engine = Engine(ruleSet)
        let passing = tests.filter { $0.isMet(Self.decide($0.request, ruleSet: ruleSet, usual: engine, asOf: asOf)) }
        self.init(
            ruleSet,
            requests: passing.map(\.request),
            ofDecision: [],
            options: options,
            asOf: asOf,
            compile: compile
        ) { mutant in
            let engine = Engine(mutant)
            return { !passing[$0].isMet(Self.decide(passing[$0].request, ruleSet: mutant, usual: engine, asOf: asOf)) }
        }
    }

    /// Makes a run with the tests of rules.
    ///
    /// - Parameters:
    ///   - tests: The tests; those that fail already are left out.
    ///   - options: What is done.
    ///   - asOf: The time of requests that name none.
    ///   - compile: Compiles the rules with one file changed; their own tests are not to be made by it.
    public init(_ tests: RuleTests, options: Options = Options(), asOf: Timestamp, compile: @escaping Compile) {
        let all = tests.run().outcomes
        let passing = all.filter { $0.result == .passed }.map(\.test)
        var testOptions = tests.options
        testOptions.collectsCoverage = false
        // A test of files, of a rule's place, or of what follows sees more than the decision about its request.
        let ofDecision = passing.indices.filter { index in
            let test = passing[index]
            return test.fileView == .unseen && test.request.files.isEmpty && tests.options.documentRoot == nil
                && test.expectation?.rule == nil && test.expectation?.following.isEmpty != false
        }
        self.init(
            tests.ruleSet,
            requests: passing.map(\.request),
            ofDecision: ofDecision,
            options: options,
            asOf: asOf,
            compile: compile
        ) { mutant in
            let check = TestCheck(mutant, tests: passing, options: testOptions)
            return { check.fails($0) }
        }
    }

    private init(
        _ ruleSet: RuleSet,
        requests: [RequestDescription],
        ofDecision: [Int],
        options: Options,
        asOf: Timestamp,
        compile: @escaping Compile,
        makeCheck: @escaping MakeCheck
    ) {
        self.ruleSet = ruleSet
        self.requests = requests
        self.makeCheck = makeCheck
        self.options = options
        self.asOf = asOf
        self.compile = compile
        let engine = Engine(ruleSet)
        for (index, description) in requests.enumerated() {
            let request = description.request.at(asOf)
            let seen = Self.engine(for: description, ruleSet, engine).observe(request)
            for position in Set(seen.positions) { reached[position, default: []].append(index) }
            trails.append(PathTrail(seen.steps))
        }
        for index in ofDecision {
            decisions[index] = Self.decide(requests[index], ruleSet: ruleSet, usual: engine, asOf: asOf)
        }
    }

    /// Returns the compiler of the rules at a path with one file changed.
    public static func compiler(
        path: String,
        from fileSystem: any FileSystem = LocalFileSystem(),
        trusting trustedDirectories: [String] = [],
        ignoringUnknownDirectives ignoresUnknown: Bool = false
    ) -> Compile {
        { file, content throws(RuleSetError) in
            let real = (try? fileSystem.realPath(file)) ?? file
            return try RuleSet(
                collectingTestsAt: path,
                from: OverlayFileSystem(base: fileSystem, path: real, content: content),
                trusting: trustedDirectories,
                ignoringUnknownDirectives: ignoresUnknown
            )
        }
    }

    // MARK: Deciding

    private static func engine(for request: RequestDescription, _ ruleSet: RuleSet, _ usual: Engine) -> Engine {
        request.fileSystem.map { Engine(ruleSet, files: $0) } ?? usual
    }

    static func decide(
        _ description: RequestDescription,
        ruleSet: RuleSet,
        usual: Engine,
        asOf: Timestamp
    ) -> Decision {
        if description.files.isEmpty, description.request.time != nil { return usual.decide(description.request) }
        return engine(for: description, ruleSet, usual).decide(description.request.at(asOf))
    }

    // MARK: The run

    /// Tries the changes, or a part of them.
    ///
    /// - Parameters:
    ///   - part: The number of the part.
    ///   - parts: In how many parts the changes are tried; together, in their order, these are the whole report.
    ///   - progress: Called with how many of how many changes have been tried.
    /// - Returns: What became of each.
    public func report(part: Int = 0, of parts: Int = 1, progress: (Int, Int) -> Void = { _, _ in }) -> MutationReport {
        var report = MutationReport()
        let all = sampled(MutationMaker.mutations(of: ruleSet))
        let mutations = all[part * all.count / parts..<(part + 1) * all.count / parts]
        let search = options.suggests ? KillingRequestSearch(ruleSet, limits: options.limits, asOf: asOf) : nil
        let equality = MutationEquality(ruleSet, limits: options.limits)
        for (number, (mutation, expression)) in mutations.enumerated() {
            if let end = options.end, ContinuousClock.now >= end {
                report.untried = mutations.count - number
                break
            }
            defer { progress(number + 1, mutations.count) }
            if let outcome = outcome(of: mutation, expression: expression, equality: equality, search: search) {
                report.mutants.append((mutation, outcome))
            }
        }
        return report
    }

    private func sampled(
        _ all: [(mutation: Mutation, expression: ExpressionChange?)]
    ) -> [(mutation: Mutation, expression: ExpressionChange?)] {
        guard let sample = options.sample, sample < all.count else { return all }
        var random = SampleGenerator(seed: options.seed)
        return all.indices.shuffled(using: &random).prefix(sample).sorted().map { all[$0] }
    }

    /// Returns the result of a change; nil for one that is not a rule set any more.
    private func outcome(
        of mutation: Mutation,
        expression: ExpressionChange?,
        equality: MutationEquality,
        search: KillingRequestSearch?
    ) -> MutationReport.Outcome? {
        guard let file = ruleSet.file(mutation.file) else { return nil }
        var content = file.bytes
        content.replaceSubrange(mutation.range, with: mutation.replacement)
        let mutant: RuleSet
        do throws(RuleSetError) {
            mutant = try compile(file.name, content)
        } catch {
            let errors = error.diagnostics.filter { $0.severity == .error }
            return errors.allSatisfy { $0.code == "unmet-expectation" } ? .killed(by: nil) : nil
        }
        let fails = makeCheck(mutant)
        let near = reached[mutation.position] ?? []
        if let killer = near.first(where: fails) { return .killed(by: killer) }
        // A proof is quicker than all the other tests.
        let proof = expression.flatMap { equality.proof(of: mutation, $0) }
        if proof?.isEqual == true || equality.holds(mutation) { return .equal }
        var isNear = [Bool](repeating: false, count: requests.count)
        for index in near { isNear[index] = true }
        let engine = Engine(mutant)
        let change = expression.flatMap(ChangedPathExpression.init)
        let isFound = { (index: Int) in
            guard !isNear[index] else { return false }
            if let change, let trail = trails[index], !trail.isDistinguished(by: change) { return false }
            if let before = decisions[index],
                Self.decide(requests[index], ruleSet: mutant, usual: engine, asOf: asOf).isSameOutcome(as: before)
            {
                return false
            }
            return fails(index)
        }
        if let killer = requests.indices.first(where: isFound) { return .killed(by: killer) }
        return .survived(search?.suggestion(for: mutation, proof: proof, mutant: mutant, engine: engine))
    }
}

/// Runs tests one by one with a rule set.
private final class TestCheck {
    private var runner: TestRunner
    private let tests: [TestCase]

    init(_ ruleSet: RuleSet, tests: [TestCase], options: RuleTests.Options) {
        self.tests = tests
        runner = TestRunner(ruleSet, options: options, names: ruleSet.document.notes.compactMapValues { $0["name"] })
    }

    func fails(_ index: Int) -> Bool { runner.run(tests[index]).result == .failed }
}

/// Numbers from a seed, the same on every machine: SplitMix64.
struct SampleGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}

extension Decision {
    /// Returns true if a client sees the same: what decided, and the version of the rules, do not count.
    package func isSameOutcome(as other: Decision) -> Bool { OutcomeChange(from: self, to: other) == nil }
}
