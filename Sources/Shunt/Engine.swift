@_exported public import ShuntCore
@_exported public import ShuntRouting
@_exported public import ShuntRules

/// Decides about requests with one rule set.
///
/// Immutable and thread safe. Evaluations, which hold the memory that deciding needs, are kept and reused by all engines.
public final class Engine: Sendable {
    /// The files that rules may read, the limits of a decision, and its details.
    public struct Options: Sendable {
        /// The files that `-f`, `try_files`, `index` and `root` read; nil answers every test with no.
        public var fileSystem: (any FileSystem)?
        /// The root of locations that set none.
        ///
        /// With it, a request that nothing decided is looked up as a file, as nginx does; without it such a request
        /// is forwarded.
        public var documentRoot: String?
        /// True if rules are tried one after another, without the index.
        ///
        /// The decisions are the same.
        public var isLinear = false
        /// The longest headers of a request together, in bytes; a longer request fails with 400.
        public var headerLimit = EvaluationLimits.headerBytes
        /// True if decisions name the entries of tables that supplied values: `Decision.entries`.
        ///
        /// It costs a decision some nanoseconds for each table that the rules read.
        public var namesEntries = false
        /// The most work that the regular expressions of one decision may do.
        public var matchLimits = MatchLimits.standard
        /// The value of `$request_id`, so that two engines can be compared; nil creates a new one for each request.
        package var requestIdentifier: [UInt8]?
        /// True if decisions have what access logs need.
        package var givesLogValues = false

        /// Makes the usual options: no files, and the index.
        public init() {}
    }

    /// The compiled rules, which never change.
    public let ruleSet: RuleSet
    private let evaluations = EvaluationPool.shared
    private let plan: EvaluationPlan
    /// The plan of evaluations that give up early, for who must not be kept waiting.
    private let quickPlan: EvaluationPlan

    /// Makes an engine for a rule set.
    public init(_ ruleSet: RuleSet, options: Options = Options()) {
        self.ruleSet = ruleSet
        var evaluation = EvaluationOptions()
        evaluation.fileSystem = options.fileSystem
        evaluation.documentRoot = options.documentRoot.map { Array($0.utf8) }
        evaluation.isLinear = options.isLinear
        evaluation.matchSteps = options.matchLimits.steps
        evaluation.headerBytes = options.headerLimit
        evaluation.requestIdentifier = options.requestIdentifier
        evaluation.givesLogValues = options.givesLogValues
        evaluation.namesEntries = options.namesEntries
        plan = EvaluationPlan(ruleSet, options: evaluation)
        evaluation.matchSteps = min(evaluation.matchSteps, Self.quickMatchSteps)
        evaluation.variableSteps = Self.quickVariableSteps
        evaluation.isQuick = true
        quickPlan = EvaluationPlan(ruleSet, options: evaluation)
    }

    deinit {
        evaluations.free(by: plan, quickPlan)
    }

    /// Decides about a request.
    ///
    /// A decision is one object. Where no one has the last one of the thread any more, the new one takes its place, so that a
    /// service that is done with each decision before it asks for the next allocates none.
    public func decide(_ request: borrowing RuleRequest) -> Decision {
        let borrowed = evaluations.take(plan)
        defer { evaluations.giveBack(borrowed) }
        return borrowed.with { evaluation in
            evaluation.evaluate(request)
            return evaluation.decision
        }
    }

    /// Decides about a request and lets `body` borrow the decision.
    ///
    /// Nothing is copied: a request that no rule changes is decided without allocating. The view lives in `body` only,
    /// which must not call the engine for long work: its evaluation is in use meanwhile.
    @inlinable
    public func withDecision<Result, Failure: Error>(
        for request: borrowing RuleRequest,
        _ body: (borrowing DecisionView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let borrowed = evaluate(request)
        defer { giveBack(borrowed) }
        // Sound: the address belongs to an evaluation, which is no one else's until it is returned.
        return try body(unsafe DecisionView(at: UnsafeRawPointer(bitPattern: borrowed.address).unsafelyUnwrapped))
    }

    /// The limit for the expressions and for the variables of a quick decision: about a tenth of a millisecond each.
    private static let quickMatchSteps = 100_000
    private static let quickVariableSteps = 1000

    /// Decides about a request where that takes little work, and lets `body` borrow the decision.
    ///
    /// For threads that serve others: what takes longer, they pass to another thread, with `hold`. Nil where the
    /// decision takes more than a fraction of a millisecond.
    @inlinable
    package func withQuickDecision<Result>(
        for request: borrowing RuleRequest,
        in context: ServingContext? = nil,
        _ body: (borrowing DecisionView) -> Result
    ) -> Result? {
        guard let borrowed = quickEvaluation(request, in: context) else { return nil }
        defer { giveBack(borrowed) }
        // Sound: as for `withDecision`.
        return body(unsafe DecisionView(at: UnsafeRawPointer(bitPattern: borrowed.address).unsafelyUnwrapped))
    }

    /// A quick evaluation that has decided about a request; nil where it gave up.
    @usableFromInline
    func quickEvaluation(_ request: borrowing RuleRequest, in context: ServingContext?) -> BorrowedEvaluation? {
        let borrowed = evaluations.take(quickPlan)
        let reason = borrowed.with { evaluation in
            if let context { evaluation.evaluate(request, in: context) } else { evaluation.evaluate(request) }
            return evaluation.outcome.reason
        }
        guard reason.isLimitOfWork else { return borrowed }
        evaluations.giveBack(borrowed)
        return nil
    }

    /// Decides about a request, for another thread to read the decision.
    package func hold(_ request: borrowing RuleRequest, in context: ServingContext? = nil) -> HeldDecision {
        let borrowed = evaluations.take(plan)
        borrowed.with { evaluation in
            if let context { evaluation.evaluate(request, in: context) } else { evaluation.evaluate(request) }
        }
        return HeldDecision(borrowed, of: self)
    }

    /// An evaluation that has decided about a request.
    @usableFromInline
    func evaluate(_ request: borrowing RuleRequest) -> BorrowedEvaluation {
        let borrowed = evaluations.take(plan)
        borrowed.with { $0.evaluate(request) }
        return borrowed
    }

    @usableFromInline
    func giveBack(_ borrowed: BorrowedEvaluation) { evaluations.giveBack(borrowed) }

    /// Decides about a request and reports how the decision came about.
    ///
    /// The decision is the same as from `decide`.
    public func explain(_ request: borrowing RuleRequest) -> (decision: Decision, trace: Trace) {
        let borrowed = evaluations.take(plan)
        defer { evaluations.giveBack(borrowed) }
        return borrowed.with { evaluation in
            let recorder = TraceRecorder { self.ruleSet.text(at: $0) }
            evaluation.recorder = recorder
            defer { evaluation.recorder = nil }
            evaluation.evaluate(request)
            return (evaluation.decision, recorder.trace)
        }
    }

    /// Decides about a request and reports the results of the rules that were tried, and the place of each.
    ///
    /// Rules that the index passes over are not steps, and steps have no text: this costs what the request costs,
    /// however many rules there are.
    package func observe(
        _ request: borrowing RuleRequest
    ) -> (decision: Decision, steps: [Trace.Step], positions: [SourcePosition]) {
        let borrowed = evaluations.take(plan)
        defer { evaluations.giveBack(borrowed) }
        return borrowed.with { evaluation in
            let recorder = TraceRecorder(listsEveryRule: false) { _ in "" }
            evaluation.recorder = recorder
            defer { evaluation.recorder = nil }
            evaluation.evaluate(request)
            return (evaluation.decision, recorder.trace.steps, recorder.positions)
        }
    }
}
