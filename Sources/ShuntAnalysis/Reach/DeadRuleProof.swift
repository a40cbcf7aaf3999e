import ShuntAutomata
import ShuntCore
import ShuntPatterns
import ShuntRules

/// Proves that no request reaches a rule, because the rules before it take all that could.
///
/// A rule before another one is a cover if it ends the sequence when it applies, if the tests around it are among those around the
/// other, and if nothing between the two changes the subject: then what comes to the other has passed it. Covers that are left
/// out only make the proof harder.
struct DeadRuleProof {
    private let outline: ProgramOutline
    private let checker: ValueChecker
    private var program: Program { outline.program }
    private var limits: AnalysisLimits { checker.limits }
    /// How many covers are compared at once.
    private let maximumCovers = 32

    init(_ outline: ProgramOutline, _ checker: ValueChecker) {
        self.outline = outline
        self.checker = checker
    }

    /// The rules because of which a goal is never reached; nil if that is not proved.
    func covers(of goal: RuleGoal) -> [SourcePosition]? {
        switch goal {
        case .instruction(let index):
            if case .location(let location)? = outline.sequence(of: index)?.owner,
                let found = covers(ofLocation: location)
            {
                return found
            }
            return covers(ofInstruction: index)
        case .location(let location): return covers(ofLocation: location)
        case .test, .server: return nil
        }
    }

    /// A set of subjects, and the rule that takes them.
    private struct Cover {
        var subjects: Language
        var position: SourcePosition
    }

    /// The fewest covers that hold all subjects; nil if these are not all held.
    private func needed(_ all: [Cover], toHold subjects: Language) -> [SourcePosition]? {
        func hold(_ covers: [Cover]) -> Bool {
            (try? subjects.isSubset(of: .union(covers.map(\.subjects)), limits: limits.proof)) == true
        }
        if (try? subjects.isEmpty(limits: limits.proof)) == true { return nil }
        var covers: [Cover] = []
        for cover in all {
            let both = Language.intersection([subjects, cover.subjects])
            guard (try? both.isEmpty(limits: limits.proof)) == false else { continue }
            if hold([cover]) { return [cover.position] }
            covers.append(cover)
            if covers.count > maximumCovers { return nil }
        }
        guard !covers.isEmpty, hold(covers) else { return nil }
        for index in covers.indices.reversed() {
            var fewer = covers
            fewer.remove(at: index)
            if !fewer.isEmpty, hold(fewer) { covers = fewer }
        }
        return covers.map(\.position)
    }

    // MARK: Rules of a sequence

    private func covers(ofInstruction goal: Int) -> [SourcePosition]? {
        guard let sequence = outline.sequence(of: goal) else { return nil }
        let ways = outline.ways(to: goal)
        if ways.isEmpty { return endBefore(goal).map { [$0] } }
        // More ways than are followed prove nothing.
        guard ways.count < 32, let subjects = subjects(of: goal, in: sequence) else { return nil }
        var covers: [Cover] = []
        for index in stride(from: goal - 1, through: sequence.start, by: -1) {
            if mayChange(index) { break }
            guard outline.endsSequence(index), !isOfList(index), isAround(index, ways) else { continue }
            if program.instructions[index].operation == .finish {
                return [program.instructions[index].position]
            }
            guard let language = subjects.kind.language(of: index, self) else { continue }
            covers.append(Cover(subjects: language, position: program.instructions[index].position))
        }
        return needed(covers.reversed(), toHold: subjects.language)
    }

    /// The rule that ends the sequence before an instruction to which nothing leads.
    private func endBefore(_ goal: Int) -> SourcePosition? {
        for index in stride(from: goal - 1, through: 0, by: -1) {
            switch program.instructions[index].operation {
            case .finish, .stop: return program.instructions[index].position
            case .test, .testNot, .match, .jump, .end: return nil
            default: continue
            }
        }
        return nil
    }

    /// Whether the tests around a rule hold wherever a goal is come to.
    private func isAround(_ index: Int, _ ways: [[ProgramOutline.Guard]]) -> Bool {
        let own = outline.ways(to: index)
        guard own.count == 1, let tests = own.first else { return false }
        return ways.allSatisfy { way in tests.allSatisfy(way.contains) }
    }

    /// Whether a rule takes hosts from a list, whose subjects are not followed.
    private func isOfList(_ index: Int) -> Bool {
        let instruction = program.instructions[index]
        return instruction.operation == .block && program.blocks[Int(instruction.a)].matcher < 0
    }

    /// Whether a rule may change what those behind it look at.
    private func mayChange(_ index: Int) -> Bool {
        let instruction = program.instructions[index]
        switch instruction.operation {
        case .rewrite, .rewriteURL: return !outline.endsSequence(index)
        case .renameHost, .removeArguments: return true
        case .set, .decode, .encode: return program.variables[Int(instruction.a)].source == .builtin
        default: return false
        }
    }

    /// What a rule looks at, so that rules are compared with those of their kind.
    private enum SubjectKind {
        case path
        /// The URL as it is written, or with its normal form, too.
        case url(Matcher.Spelling)
        case host

        /// The subjects with which a rule surely applies; nil for rules that look at something else.
        func language(of index: Int, _ proof: DeadRuleProof) -> Language? {
            let program = proof.program
            switch self {
            case .path:
                guard program.instructions[index].operation == .rewrite else { return nil }
                return proof.language(GoalDrafts.pattern(of: index, program))
            case .url(let spelling):
                guard let matcher = proof.matcher(of: index) else { return nil }
                if matcher.kind == .host {
                    // Other spellings of a host than the usual one are not among these, nor URLs with a user.
                    guard spelling == .written, let hosts = proof.hosts(of: matcher),
                        let urls = try? URLPart.host.urls(having: hosts, proof.checker),
                        let plain = proof.checker.automaton("^[^:/?#]+://[^/?#@]*(?:[/?#]|\\z)")
                    else { return nil }
                    return .intersection([urls, .automaton(plain)])
                }
                let isSeen = matcher.spelling == .both || matcher.spelling == spelling
                return isSeen ? proof.language(matcher.pattern) : nil
            case .host:
                guard let matcher = proof.matcher(of: index) else { return nil }
                if matcher.kind == .host { return proof.hosts(of: matcher) }
                return proof.takesEveryURL(matcher.pattern) ? .automaton(.everything) : nil
            }
        }
    }

    /// Whether an expression matches every URL.
    private func takesEveryURL(_ pattern: Int32) -> Bool {
        guard let own = try? checker.automaton(of: pattern), own.accepts("a:".utf8), own.accepts("kl://a/".utf8),
            let urls = checker.automaton(of: .url)
        else { return false }
        return (try? Language.automaton(urls).isSubset(of: .automaton(own), limits: limits.proof)) == true
    }

    /// All subjects with which a goal applies.
    private func subjects(
        of goal: Int,
        in sequence: ProgramOutline.Sequence
    ) -> (kind: SubjectKind, language: Language)? {
        if program.instructions[goal].operation == .rewrite {
            guard let own = language(GoalDrafts.pattern(of: goal, program)) else { return nil }
            return (.path, own)
        }
        guard let matcher = matcher(of: goal) else { return nil }
        switch matcher.kind {
        case .url: return language(matcher.pattern).map { (.url(matcher.spelling), $0) }
        case .host:
            guard matcher.hostPatterns.isEmpty else { return nil }
            return hosts(of: matcher).map { (.host, $0) }
        }
    }

    /// The matcher of a rule on whole URLs; nil for others.
    private func matcher(of index: Int) -> Matcher? {
        let instruction = program.instructions[index]
        let number: Int32? =
            switch instruction.operation {
            case .match, .degrade: instruction.a
            case .renameHost: program.renames[Int(instruction.a)].matcher
            case .block: program.blocks[Int(instruction.a)].matcher
            default: nil
            }
        if let number, number >= 0 { return program.matchers[Int(number)] }
        guard instruction.operation == .rewriteURL else { return nil }
        let pattern = program.urlRewrites[Int(instruction.a)].pattern
        // A rewrite sees the URL as it is written; its own matcher is like that of any other expression.
        return program.matchers.first { $0.kind == .url && $0.pattern == pattern && $0.spelling == .written }
    }

    private func language(_ pattern: Int32?) -> Language? {
        guard let pattern, pattern >= 0 else { return nil }
        return (try? checker.automaton(of: pattern)).map { .automaton($0) }
    }

    /// The hosts that the names of a matcher stand for.
    private func hosts(of matcher: Matcher) -> Language? {
        guard !matcher.names.isEmpty, matcher.names.count <= 64 else { return nil }
        var all: [Language] = []
        for name in matcher.names {
            let test = ValueTest(program.hostNames[name], isWanted: false, limits: limits.expression)
            guard let language = try? checker.language(of: test) else { return nil }
            all.append(language)
        }
        return .union(all)
    }

    // MARK: Locations

    /// The locations because of which an expression's location is never chosen.
    private func covers(ofLocation location: Int) -> [SourcePosition]? {
        for inner in outline.chain(of: location) {
            guard let level = program.levels.first(where: { $0.patternLocations.contains(Int32(inner)) }),
                let number = level.patternLocations.firstIndex(of: Int32(inner)),
                let own = language(level.patternNumbers[number])
            else { continue }
            var covers: [Cover] = []
            for earlier in 0..<number {
                guard let language = language(level.patternNumbers[earlier]) else { continue }
                let position = program.locations[Int(level.patternLocations[earlier])].position
                covers.append(Cover(subjects: language, position: position))
            }
            if let found = needed(covers, toHold: own) { return found }
        }
        return nil
    }
}
