package import Shunt
import ShuntPatterns

/// Finds requests that reach rules, from a rule outwards to everything that a request has to have.
///
/// Then the engine is asked. Where another rule is in the way, it is kept out, and the engine is asked again.
///
/// Nothing is reported to reach a rule that the engine has not confirmed. The same rules have the same requests.
package final class RuleSolver {
    package let engine: Engine
    let ruleSet: RuleSet
    /// Kept so that nothing has to read the files again.
    let model: RuleModel
    let checker: ValueChecker
    let assembly: RequestAssembly
    let goals: GoalDrafts
    let deadRules: DeadRuleProof
    let limits: AnalysisLimits
    let asOf: Timestamp
    private let readsTLSVersion: Bool
    private let hasRoots: Bool
    /// The number of requests tried for the last question.
    private(set) var tried = 0
    /// The draft of the request that answered the last question; nil if it was found in another way.
    private(set) var lastDraft: RequestDraft?
    /// A request for each rule that some request was seen to reach while another one was looked for.
    private(set) var seen: [SourcePosition: RequestDescription] = [:]

    package init(_ ruleSet: RuleSet, limits: AnalysisLimits = AnalysisLimits(), asOf: Timestamp) {
        self.ruleSet = ruleSet
        let model = ruleSet.model
        self.model = model
        self.limits = limits
        self.asOf = asOf
        readsTLSVersion = model.variables.contains { $0.name == "ssl_protocol" }
        hasRoots = ["root", "alias"].contains { model.document.named[$0] != nil }
        engine = Engine(ruleSet)
        checker = ValueChecker(model, limits: limits)
        assembly = RequestAssembly(checker, asOf: asOf)
        goals = GoalDrafts(model, checker: checker)
        deadRules = DeadRuleProof(checker)
    }

    // MARK: Asking

    /// A request with what a gateway would know of it: the time, and the version of TLS.
    func served(_ request: RuleRequest) -> RuleRequest {
        var request = request.at(asOf)
        if readsTLSVersion, request.inputs["ssl_protocol"] == nil, request.url.lowercased().hasPrefix("https:") {
            request.inputs["ssl_protocol"] = "TLSv1.3"
        }
        return request
    }

    /// Decides about a request, and keeps what it reached.
    func ask(_ description: RequestDescription) -> Sighting {
        tried += 1
        let request = served(description.request)
        let engine = description.fileSystem.map { Engine(ruleSet, files: $0) } ?? engine
        let observed = engine.observe(request)
        let sighting = Sighting(
            request: description,
            decision: observed.decision,
            steps: observed.steps,
            positions: observed.positions,
            named: { [self] in
                description.files.isEmpty ? filesKeeping(observed.decision, of: request) : nil
            }
        )
        for (step, position) in zip(sighting.steps, sighting.positions) where Self.applied(step) {
            if seen[position] == nil { seen[position] = description }
        }
        return sighting
    }

    /// Returns the files to name for a request that is forwarded where no one looks for files, and the decision with them.
    ///
    /// - Returns: Files with which it is forwarded, to the same URL if possible, else a file that is not asked for; nil where it is
    ///   decided in the same way without any.
    private func filesKeeping(_ decision: Decision, of request: RuleRequest) -> (files: [String], decision: Decision)? {
        guard hasRoots, decision.kind == .forward else { return nil }
        let recorder = RecordingFiles()
        let withoutAny = Engine(ruleSet, files: recorder).decide(request)
        if withoutAny.kind == .forward, withoutAny.urlBytes == decision.urlBytes { return nil }
        for _ in 0..<4 {
            let ways = recorder.missing.reversed()
                .map { path -> (files: [String], decision: Decision) in
                    let files = recorder.files + [path]
                    return (files, Engine(ruleSet, files: InMemoryFileSystem(paths: files)).decide(request))
                }
                .filter { $0.decision.kind == .forward }
            if let way = ways.first(where: { $0.decision.urlBytes == decision.urlBytes }) ?? ways.first { return way }
            guard let missing = recorder.missing.last else { break }
            recorder.add(missing)
            _ = Engine(ruleSet, files: recorder).decide(request)
        }
        return (["/a"], withoutAny)
    }

    static func applied(_ step: Trace.Step) -> Bool {
        switch step.kind {
        case .rule: step.result != .skipped
        case .assignment, .location, .server: true
        default: false
        }
    }

    /// Returns true if a request did what was looked for.
    func reaches(_ goal: RuleGoal, _ sighting: Sighting) -> Bool {
        let wanted = goal.position
        for (step, position) in zip(sighting.steps, sighting.positions) where position == wanted {
            let isReached =
                switch goal {
                case .step: (step.kind == .rule || step.kind == .assignment) && Self.applied(step)
                case .test(_, let outcome):
                    step.kind == .condition && step.result == (outcome ? .matched : .skipped)
                case .location: step.kind == .location
                case .server: step.kind == .server
                }
            if isReached { return true }
        }
        return false
    }

    // MARK: Solving

    /// Begins a question: what is tried is counted again.
    func begin() {
        tried = 0
        lastDraft = nil
    }

    /// A request that reaches a goal, or why none was found.
    package func solve(_ goal: RuleGoal) -> Verdict {
        begin()
        // A proof is quicker than looking in vain for a request.
        if let covers = deadRules.covers(of: goal) {
            return .dead(because: covers.compactMap { model.location(of: $0) })
        }
        var drafts: [RequestDraft] = []
        var reason: UnprovedReason?
        for one in goals.repetitions(of: goal) {
            // Each place where its file is included is a question.
            tried = 0
            let own = goals.draftsInPlace(for: one)
            drafts += own
            for draft in own {
                switch refine(draft, one) {
                case .success(let request):
                    lastDraft = draft
                    return .confirmed(request)
                case .failure(let why): if reason == nil || Self.isBetter(why) { reason = why }
                }
                if tried >= limits.requestsPerQuestion { break }
            }
        }
        if let known = seen[goal.position], reaches(goal, ask(known)) {
            return .confirmed(known)
        }
        if let request = redirectedInside(to: goal) { return .confirmed(request) }
        if let request = ImageSearch(self).request(for: goal) { return .confirmed(request) }
        if let name = drafts.lazy.compactMap(\.unsolved.first).first { return .unproved(.computed(name)) }
        if let reason, Self.isBetter(reason) { return .unproved(reason) }
        if let refused = refusal(of: goal) { return .unproved(.expression(refused)) }
        return .unproved(.notFound(tried: tried))
    }

    /// A request that reaches a named or internal location from one of the other locations of its server.
    private func redirectedInside(to goal: RuleGoal) -> RequestDescription? {
        guard case .step(let step) = goal, let location = step.sequence?.location,
            location.modifier == .named || location.settings.isInternal
        else { return nil }
        let server = location.server
        let others = model.locations.filter { $0.server == server && $0 != location }
        for drafts in [goals.drafts(server: server)] + others.prefix(32).map(goals.drafts(location:)) {
            guard let draft = drafts.first, case .success(let request) = assembly.request(for: draft) else { continue }
            let sighting = ask(RequestDescription(request))
            if reaches(goal, sighting) { return sighting.request }
        }
        return nil
    }

    private static func isBetter(_ reason: UnprovedReason) -> Bool {
        if case .notFound = reason { false } else { true }
    }

    /// The reason why the expression of a goal has no automaton; nil if it has one.
    private func refusal(of goal: RuleGoal) -> String? {
        guard case .step(let step) = goal, let expression = step.expression else { return nil }
        do throws(AutomatonRefusal) {
            _ = try checker.looseAutomaton(of: expression)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Asks with a draft, and keeps out what is in the way, until the goal is reached or nothing is left to change;
    /// `known` requests are not an answer.
    func refine(_ draft: RequestDraft, _ goal: RuleGoal, besides known: [RequestDescription] = []) -> Result<
        RequestDescription, UnprovedReason
    > {
        var open = [draft]
        var reason = UnprovedReason.notFound(tried: 0)
        var rounds = 0
        while let draft = open.popLast(), rounds < 16, tried < limits.requestsPerQuestion {
            rounds += 1
            let request: RuleRequest
            switch assembly.request(for: draft) {
            case .success(let made): request = made
            case .failure(let why):
                if Self.isBetter(why) { reason = why }
                continue
            }
            let sighting = ask(RequestDescription(request, files: draft.files))
            if reaches(goal, sighting) {
                if !known.contains(where: { $0.json == sighting.request.json }) {
                    return .success(admitted(sighting, draft: draft, goal: goal))
                }
                var other = draft
                other.skipped += 1
                open.append(other)
                continue
            }
            if draft.needsFiles,
                let found = withFiles(request, areDirectories: draft.needsDirectories, { reaches(goal, ask($0)) })
            {
                return .success(found)
            }
            if draft.needsFiles { reason = .files }
            open += ObstacleSearch(goals).drafts(avoiding: sighting, draft, goal).reversed()
        }
        return .failure(reason)
    }

    /// The request from an address that is let in, if it was turned away after the goal.
    private func admitted(_ sighting: Sighting, draft: RequestDraft, goal: RuleGoal) -> RequestDescription {
        let obstacles = ObstacleSearch(goals)
        guard draft.tests(of: .address).isEmpty, let other = obstacles.admitting(sighting, draft),
            case .success(let request) = assembly.request(for: other)
        else { return sighting.request }
        let again = ask(RequestDescription(request))
        return reaches(goal, again) && again.decision.status != 403 ? again.request : sighting.request
    }

    /// The request with the files that rules look for, each that is asked for in turn.
    func withFiles(
        _ request: RuleRequest,
        areDirectories: Bool,
        _ isWanted: (RequestDescription) -> Bool
    ) -> RequestDescription? {
        let recorder = RecordingFiles()
        for _ in 0..<8 {
            _ = Engine(ruleSet, files: recorder).observe(request)
            guard let missing = recorder.missing.first else { return nil }
            recorder.add(areDirectories && !missing.hasSuffix("/") ? missing + "/" : missing)
            let description = RequestDescription(request, files: recorder.files)
            if isWanted(description) { return description }
        }
        return nil
    }
}

extension RuleRequest {
    /// The request at a time, if it names none.
    func at(_ time: Timestamp) -> RuleRequest {
        var request = self
        request.time = request.time ?? time
        return request
    }
}
