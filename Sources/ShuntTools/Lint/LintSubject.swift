import Shunt

/// The input of checks: a rule set, and the results of the checks before.
final class LintSubject {
    let ruleSet: RuleSet
    let options: LintOptions
    let solver: RuleSolver
    let model: RuleModel
    let tree: RuleDocument
    /// The rules, in the order in which they are run: the first instruction of each place.
    let rules: [RuleModel.Step]
    /// The rules, locations and servers of which neither a request nor a proof is known, and why.
    private(set) var unproved: [SourcePosition: String] = [:]
    /// The questions asked so far.
    private(set) var asked: Set<SourcePosition> = []
    private var verdicts: [RuleGoal: Verdict] = [:]
    private var sightings: [RuleModel.Step: Sighting] = [:]
    /// The variables that groups of expressions are captured in.
    let capturedVariables: Set<RuleModel.Variable>
    /// Every expression with what it is asked about, once it was asked for.
    private var lookedAt: LookedAtExpressions?
    /// The walks of clients that rules redirect.
    private(set) lazy var redirectWalks = Redirects(self).walks
    /// The expressions as they are written.
    private(set) lazy var written = WrittenExpressions(self).all
    /// The texts of variables that are always the same.
    private(set) lazy var constantTexts = ConstantTexts(tree)
    /// The goals at locations and servers that ask for a login.
    private(set) lazy var loginGoals = blocks.filter(\.settings.asksForLogin).map(\.goal)
    /// The ends of the names of `X-Forwarded-` headers that the rules read, in order.
    private(set) lazy var forwardedNames = model.variables.map(\.name)
        .filter { $0.hasPrefix("http_x_forwarded_") }.map { String($0.dropFirst(17)) }.sorted()
    /// The rules that nothing reaches.
    private(set) lazy var dead = DeadRules(self)

    init(_ ruleSet: RuleSet, _ options: LintOptions) {
        self.ruleSet = ruleSet
        self.options = options
        solver = RuleSolver(ruleSet, limits: options.limits, asOf: options.asOf)
        model = solver.model
        tree = model.document
        capturedVariables = Set(model.expressions.flatMap { $0.captures.map(\.variable) })
        rules = model.rules
    }

    var checker: ValueChecker { solver.checker }

    /// Returns true if a rule is reached: a request, a proof, or neither.
    func verdict(_ goal: RuleGoal) -> Verdict {
        if let known = verdicts[goal] { return known }
        let verdict = solver.solve(goal)
        verdicts[goal] = verdict
        if case .step(let rule) = goal {
            asked.insert(rule.position)
            if case .unproved(let reason) = verdict { unproved[rule.position] = "\(reason)" }
        }
        return verdict
    }

    /// Every expression with what it is asked about.
    var expressions: LookedAtExpressions {
        if let known = lookedAt { return known }
        let made = LookedAtExpressions(self)
        lookedAt = made
        return made
    }

    /// The number of directives and instructions visited on behalf of others, with the work of proving that rules are
    /// dead: it grows with the rules, and not faster.
    var work: Int { solver.goals.directivesRead + (lookedAt?.instructionsRead ?? 0) + solver.deadRules.work }

    /// Returns the engine's steps for the request that reaches a rule; nil if no request is known.
    func example(of rule: RuleModel.Step) -> Sighting? {
        if let known = sightings[rule] { return known }
        guard case .confirmed(let request) = verdict(.step(rule)) else { return nil }
        let sighting = solver.ask(request)
        sightings[rule] = sighting
        return sighting
    }

    /// Asks the engine.
    func decide(_ description: RequestDescription) -> LintWitness {
        LintWitness(solver.ask(description))
    }

    /// Asks the engine with a request like another one.
    func decide(like description: RequestDescription, _ change: (inout RuleRequest) -> Void) -> LintWitness {
        decide(description.changed(change))
    }

    /// A request that does something and passes tests as well.
    func request(
        to goal: RuleGoal,
        where tests: [SourceTest],
        confirming isRight: (LintWitness) -> Bool
    ) -> LintWitness? {
        solver.begin()
        for var draft in solver.goals.drafts(for: goal).prefix(4) {
            draft.tests += tests
            guard case .success(let request) = solver.refine(draft, goal) else { continue }
            let witness = decide(request)
            if isRight(witness) { return witness }
        }
        return nil
    }

    /// A place as people write it.
    func shown(_ position: SourcePosition) -> String { model.location(of: position).map { "\($0)" } ?? "" }

    /// The bytes of the directive at a place, with the white space before it and the line it leaves empty: what to remove.
    func removal(of position: SourcePosition) -> [LintEdit] {
        guard let directive = tree.directive(at: position)?.directive, var range = tree.extent(of: directive),
            let bytes = ruleSet.file(Int(position.file))?.bytes
        else { return [] }
        var start = range.lowerBound
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        var end = range.upperBound
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        let isAlone = (start == 0 || bytes[start - 1] == 0x0a) && (end == bytes.count || bytes[end] == 0x0a)
        if isAlone { range = start..<min(end + 1, bytes.count) }
        return [LintEdit(file: Int(position.file), range: range, text: "")]
    }

    /// The edits that replace the two words of a location; empty where it has another number of them.
    func replacement(of words: [Word], with sign: String, _ text: String) -> [LintEdit] {
        words.count == 2 ? replacement(of: words[0], with: sign) + replacement(of: words[1], with: text) : []
    }

    /// Returns the edits that replace a word.
    private func replacement(of word: Word, with text: String) -> [LintEdit] {
        guard let start = tree.offset(of: word) else { return [] }
        return [LintEdit(file: Int(word.position.file), range: start..<start + Int(word.sourceLength), text: text)]
    }
}
