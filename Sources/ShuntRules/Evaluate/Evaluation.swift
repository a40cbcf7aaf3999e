import ShuntCore
import ShuntPatterns

/// Evaluates requests against one program, one after another, reusing its memory.
///
/// A value that no one shares: who calls it has it alone, as the compiler proves, so nothing is checked at run time. A request
/// that no rule touches allocates nothing. The phases are those of nginx
/// (http://nginx.org/en/docs/dev/development_guide.html#http_phases), with the URL phase before them. There is one way to
/// fail: a `EvaluationFailure` is thrown.
package struct Evaluation: ~Copyable {
    let program: Program
    /// The options of the plan.
    ///
    /// They are here and not there alone because of the file system among them: a value without one would be copied for each call that
    /// borrows it.
    let options: EvaluationOptions
    /// True if there are files to read; asking `options` would count references.
    let servesFiles: Bool
    /// True if phases are skipped that have nothing to do: not where rules are tried one by one, and not where every
    /// request may be one for a file.
    let mayTakeStraightWay: Bool
    /// True if rules on whole URLs are passed over that an index knows not to apply.
    let passesQuietRules: Bool
    /// True if the values that access logs need are computed.
    private let givesLogValues: Bool
    let namesEntries: Bool
    /// True if the entries of tables that supply values are noted: while no log reads them.
    var isNotingEntries: Bool
    let memory: EvaluationMemory
    /// The request; only intake writes it.
    var request = EvaluatedRequest()
    var url = URLState()
    var server = ServerState()
    var foundRules = FoundRules()
    /// The forms of the URL, where it has more than its normal form.
    var urlForms: [URLForm] = []
    var values: VariableFrame
    var answer: RuleAnswer
    var phase = Phase.url
    /// The rule that is being tried, for decisions and failures that follow from it.
    var position = SourcePosition.none
    /// The rule that last changed the URL or the path, which decided a forwarded request.
    var changePosition = SourcePosition.none
    /// The decision that was copied out last; nil before the first one, and where that was large.
    var lastDecision: DecisionStorage?
    /// The answers of upstreams to the request, where it is decided about again.
    var earlier = UpstreamAnswers()
    /// The status of a request that is refused before a location is known; 0 for any other.
    var refused: Int32 = 0
    /// The status in place of the 200 of a `return`; 0 for none.
    var unmet: Int32 = 0
    /// True if the caller passes the question of an `auth_request` on; for anyone else each request is let in.
    var mayAsk = false
    /// True if a request that the rules send nowhere is one for a file that is missing, for which there may be a page.
    var isAlone = false { didSet { looksAtContent = servesFiles || isAlone } }
    /// True if the body is longer than one may be without a `client_max_body_size`.
    var isLong = false
    /// True if files or missing files are read.
    private(set) var looksAtContent: Bool
    /// The place where steps are recorded; nil without a trace.
    package var recorder: StepRecorder?

    enum Phase: UInt8 {
        case url
        case server
    }

    package init(_ ruleSet: RuleSet, options: EvaluationOptions = EvaluationOptions()) {
        self.init(EvaluationPlan(ruleSet, options: options))
    }

    init(_ program: Program, options: EvaluationOptions = EvaluationOptions()) {
        self.init(EvaluationPlan(program, options: options))
    }

    package init(_ plan: EvaluationPlan) {
        self.init(plan, memory: EvaluationMemory(), values: VariableFrame(), answer: RuleAnswer(), lastDecision: nil)
    }

    /// Makes an evaluation by a plan in the memory of an old one, of which nothing else stays.
    package init(_ plan: EvaluationPlan, inMemoryOf old: consuming Evaluation) {
        old.answer.empty()
        var lastDecision = old.lastDecision.take()
        if lastDecision?.empty(for: plan.program.names) == false { lastDecision = nil }
        self.init(plan, memory: old.memory, values: old.values, answer: old.answer, lastDecision: lastDecision)
    }

    private init(
        _ plan: EvaluationPlan,
        memory: consuming EvaluationMemory,
        values: consuming VariableFrame,
        answer: consuming RuleAnswer,
        lastDecision: consuming DecisionStorage?
    ) {
        let (program, options) = (plan.program, plan.options)
        self.program = program
        self.options = options
        // `self` is not read here: the compiler would destroy what is not there yet.
        let hasFiles = options.fileSystem != nil
        let hasRoot = options.documentRoot != nil
        servesFiles = hasFiles
        looksAtContent = hasFiles
        passesQuietRules = !options.isLinear && !program.urlPhaseIndex.places.isEmpty
        givesLogValues = options.givesLogValues && !program.tables.accessLogs.isEmpty
        namesEntries = options.namesEntries
        isNotingEntries = options.namesEntries
        mayTakeStraightWay = options.isLinear ? false : !hasFiles || !hasRoot
        memory.limit(matchSteps: options.matchSteps)
        values.prepare(count: program.tables.variables.count, steps: options.variableSteps)
        self.memory = memory
        self.values = values
        self.answer = answer
        self.lastDecision = lastDecision
    }

    @inline(__always)
    var arena: ByteArena { memory.arena }

    /// Decides about `request`, and leaves the result in `outcome`: runs through all phases, and then looks the route
    /// up.
    package mutating func evaluate(_ request: borrowing RuleRequest) {
        begin(request)
        do throws(EvaluationFailure) {
            let step = try takeIn()
            if case .selectServer = step { try runServer() } else { try run(from: step) }
            try complete()
        } catch {
            fail(error)
        }
        end()
    }

    /// The same for a request that is refused before a location is known, with the status `refused`.
    @inline(never)
    mutating func evaluateRefused(_ request: borrowing RuleRequest) {
        begin(request)
        do throws(EvaluationFailure) {
            try run(from: try takeRefused())
            try complete()
        } catch {
            fail(error)
        }
        end()
    }

    @inline(__always)
    private mutating func complete() throws(EvaluationFailure) {
        if mayAsk { try goOn() }
        if answer.outcome.action == .forward { try findRoute() }
        // Each value is checked when it is made; this finds what was forgotten.
        if arena.overflowed { throw failure(.valueTooLong) }
    }

    @inline(never)
    private mutating func fail(_ error: EvaluationFailure) {
        answer.outcome = outcome(of: error)
        addHeaders(to: error)
    }

    @inline(__always)
    private mutating func end() {
        recorder?.record(decision: outcome, in: self)
        if givesLogValues, recorder == nil { setLogValues() }
        self.request.forget()
    }

    /// The outcome of the last evaluation; its ranges are valid until the next.
    package var outcome: Outcome {
        @inline(__always)
        get { answer.outcome }
    }

    @inline(__always)
    private mutating func begin(_ incoming: borrowing RuleRequest) {
        memory.scratch.renew()
        if !url.range.isEmpty { url = URLState() }
        server = ServerState()
        values.begin()
        answer.begin()
        phase = .url
        position = .none
        changePosition = .none
        recorder?.begin()
        request.takeContext(incoming)
        if !incoming.isForURL { chooseListen() }
        request.takeBytes(incoming, isSecure: server.isSecure, into: arena)
        server.method = request.line.method
        server.methodKind = request.line.methodKind
    }

    func failure(_ reason: FailureReason, status: Int32 = 500) -> EvaluationFailure {
        EvaluationFailure(reason, status: status, at: position)
    }

    /// The outcome of an evaluation that failed: nothing of what was decided before is in it.
    private mutating func outcome(of failure: EvaluationFailure) -> Outcome {
        answer.removeHeaders()
        var outcome = Outcome()
        outcome.action = .fail
        outcome.reason = failure.reason
        outcome.urlError = failure.urlError
        outcome.status = failure.status
        outcome.position = failure.position
        outcome.server = server.index
        outcome.location = server.location
        if failure.isFinal {
            outcome.uri = server.uri
            outcome.arguments = server.arguments
            outcome.hasURI = true
        }
        return outcome
    }

    // MARK: Values in the arena

    /// Returns the bytes appended since `mark`; throws if there was no room for them.
    @inline(__always)
    func made(from mark: Int) throws(EvaluationFailure) -> ByteRange {
        if arena.overflowed { throw failure(.valueTooLong) }
        return arena.range(from: mark)
    }

    func append(_ bytes: [UInt8]) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(bytes)
        return try made(from: mark)
    }

    /// A copy of a constant of the program in the arena.
    func append(constant range: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(program.tables.constants, range)
        return try made(from: mark)
    }

    /// A constant text in the arena.
    func text(_ string: StaticString) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(string)
        return try made(from: mark)
    }

    func join(_ first: ByteRange, _ second: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: first)
        arena.append(copyOf: second)
        return try made(from: mark)
    }
}
