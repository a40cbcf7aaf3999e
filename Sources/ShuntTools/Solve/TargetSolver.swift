package import Shunt

/// Finds requests that reach the things that are counted: rules, settings that decide, entries of tables, outcomes of tests, ways
/// through expressions.
///
/// Each was asked of the rules before it is proposed.
package final class TargetSolver {
    private let solver: RuleSolver
    private let drafts: TargetDrafts
    private let recorders = [CoverageRecorder(listsEveryRule: false), CoverageRecorder()]
    private var evaluation: Evaluation
    private var pool: [RequestDescription]?
    private lazy var lists = ListRequests(solver.model)
    private var pooled: [Bool: [CoverageRecorder.Counts]] = [:]
    /// The most rules and places that are checked for the requests that are tried for everything.
    private let most = 256
    /// The most values that are tried for a share.
    private let mostValues = 5_000

    package convenience init(_ ruleSet: RuleSet, limits: AnalysisLimits = AnalysisLimits(), asOf: Timestamp) {
        self.init(RuleSolver(ruleSet, limits: limits, asOf: asOf))
    }

    init(_ solver: RuleSolver) {
        self.solver = solver
        drafts = TargetDrafts(solver.goals)
        evaluation = Evaluation(solver.ruleSet)
    }

    /// A request that reaches a thing; nil if none was found.
    package func request(reaching target: CoverageTarget) -> RequestDescription? {
        requests(reaching: target, count: 1).first
    }

    /// Requests that reach a thing; fewer than `count` if no more were found.
    ///
    /// An entry of a map and a share are looked up with what passes the tests.
    func requests(
        reaching target: CoverageTarget,
        count: Int,
        passing tests: [ValueTest] = []
    ) -> [RequestDescription] {
        var found: [RequestDescription] = []
        var known = Set<[UInt8]>()
        func isTaken(_ request: RequestDescription) -> Bool {
            guard known.insert(request.json).inserted, isReached(target, by: request) else { return false }
            found.append(request)
            return true
        }
        if case .rule(let position) = target {
            for request in lists.requests(at: position) where found.count < count { _ = isTaken(request) }
            if !found.isEmpty { return found }
        }
        let ways = tests.isEmpty ? drafts.ways(to: target) : drafts.ways(to: target, passing: tests)
        for skipped in 0..<count {
            for way in ways where found.count < count {
                var draft = way.draft
                draft.skipped = skipped
                guard case .success(let request) = solver.assembly.request(for: draft) else { continue }
                if isTaken(RequestDescription(request, files: draft.files)) { continue }
                if draft.needsFiles, solver.withFiles(request, areDirectories: draft.needsDirectories, isTaken) != nil {
                    continue
                }
                guard found.isEmpty, let goal = way.goal else { continue }
                solver.begin()
                if case .success(let request) = solver.refine(draft, goal) { _ = isTaken(request) }
            }
            // What was not reached in one of the ways is not reached with another path either.
            if found.isEmpty { break }
        }
        guard found.isEmpty, tests.isEmpty else { return found }
        if let goal = drafts.goal(of: target), case .confirmed(let request) = solver.solve(goal), isTaken(request) {
            return found
        }
        if case .share(let split, _, _) = target, split.source.onlyVariable == nil,
            let source = split.source.pieces.lazy.compactMap({ $0.variable?.source }).first(where: \.isChosen),
            let way = drafts.ways(to: target, passing: []).first,
            case .success(let request) = solver.assembly.request(for: way.draft)
        {
            // The hash of a value with more around it is not known before.
            for number in 0..<mostValues {
                var request = request
                source.set(number, in: &request)
                if isTaken(RequestDescription(request, files: way.draft.files)) { return found }
            }
        }
        let recorded = counts(ofPoolListingEveryRule: Self.listsEveryRule(target))
        if let (request, _) = zip(pool ?? [], recorded).first(where: { target.isReached($0.1) }) {
            found.append(request)
        }
        return found
    }

    /// The rules or entries that take all that could reach a thing, if that is known; nil if it is not.
    func covers(of target: CoverageTarget) -> [SourcePosition]? {
        switch target {
        case .hiddenEntry(let others): others
        case .rule(let position): drafts.settings.covers(ofAccessRuleAt: position)
        default: nil
        }
    }

    /// Requests that just do not reach a setting, named by what is different.
    func misses(of target: CoverageTarget, count: Int) -> [(part: String, request: RequestDescription)] {
        guard case .rule(let position) = target else { return [] }
        var found: [(part: String, request: RequestDescription)] = []
        for way in drafts.settings.waysBeside(accessRuleAt: position) where found.count < count {
            guard case .success(let request) = solver.assembly.request(for: way.draft) else { continue }
            let description = RequestDescription(request)
            if !isReached(target, by: description) { found.append(("the address", description)) }
        }
        return found
    }

    /// Returns true if the engine, asked with a request, reaches a thing.
    private func isReached(_ target: CoverageTarget, by request: RequestDescription) -> Bool {
        target.isReached(counts(of: request, listsEveryRule: Self.listsEveryRule(target)))
    }

    /// Returns true if a thing is seen only if rules are gone through one by one: what an index passes over is seen not
    /// to hold.
    private static func listsEveryRule(_ target: CoverageTarget) -> Bool {
        switch target {
        case .condition, .matcher, .boundary, .way: true
        case .rule, .mapEntry, .addressEntry, .share, .hiddenEntry, .server, .location, .route: false
        }
    }

    /// Returns the things that a request reaches.
    private func counts(of description: RequestDescription, listsEveryRule: Bool) -> CoverageRecorder.Counts {
        let recorder = recorders[listsEveryRule ? 1 : 0]
        recorder.forget()
        let request = description.request.at(solver.asOf)
        if let files = description.fileSystem {
            var options = EvaluationOptions()
            options.fileSystem = files
            var evaluation = Evaluation(solver.ruleSet, options: options)
            evaluation.recorder = recorder
            evaluation.evaluate(request)
        } else {
            evaluation.recorder = recorder
            evaluation.evaluate(request)
        }
        return recorder.counts
    }

    // MARK: Requests that are tried for everything

    private func counts(ofPoolListingEveryRule listsEveryRule: Bool) -> [CoverageRecorder.Counts] {
        if let known = pooled[listsEveryRule] { return known }
        let requests = pool ?? makePool()
        pool = requests
        let found = requests.map { counts(of: $0, listsEveryRule: listsEveryRule) }
        pooled[listsEveryRule] = found
        return found
    }

    private func makePool() -> [RequestDescription] {
        var requests: [RequestDescription] = []
        for rule in solver.model.rules.prefix(most) {
            if case .confirmed(let request) = solver.solve(.step(rule)) { requests.append(request) }
        }
        for way in drafts.settings.anywhere.prefix(most) {
            if case .success(let request) = solver.assembly.request(for: way.draft) {
                requests.append(RequestDescription(request))
            }
        }
        for request in requests.prefix(most) { requests += RequestVariations.all(of: request) }
        return requests
    }
}

extension RuleModel.Variable.Source {
    /// True for what a client chooses freely.
    fileprivate var isChosen: Bool {
        switch self {
        case .builtin(.remoteAddress), .builtin(.requestURI), .builtin(.uri), .builtin(.arguments): true
        case .requestHeader(let name): !name.elementsEqual("host".utf8)
        case .argument, .cookie, .input: true
        default: false
        }
    }

    /// Sets one of many values.
    fileprivate func set(_ number: Int, in request: inout RuleRequest) {
        let text = Array("\(number)".utf8)
        switch self {
        case .builtin(.remoteAddress): request.remoteAddress = "10.0.\(number / 250).\(number % 250 + 1)"
        case .builtin(.uri):
            let end = request.bytes.firstIndex(of: UInt8(ascii: "?")) ?? request.bytes.count
            request.bytes.insert(contentsOf: text, at: end)
        case .builtin: request.bytes += (request.bytes.contains(UInt8(ascii: "?")) ? "&" : "?").utf8 + text
        case .argument(let name):
            request.bytes += (request.bytes.contains(UInt8(ascii: "?")) ? "&" : "?").utf8 + name + "=".utf8 + text
        case .requestHeader(let name):
            request.headers.append(RuleRequest.Header(name: RequestAssembly.headerName(name), value: text))
        case .cookie(let name):
            request.headers.append(RuleRequest.Header(name: Array("Cookie".utf8), value: name + "=".utf8 + text))
        case .input(let name): request.inputs[name] = text
        default: break
        }
    }
}
