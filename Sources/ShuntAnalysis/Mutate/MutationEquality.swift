import ShuntAutomata
import ShuntCore
import ShuntRules

/// Proves that changes of a rule set change nothing.
struct MutationEquality {
    private let outline: ProgramOutline
    private let checker: ValueChecker
    private let moves: MoveProof
    private let flags: FlagProof
    private let goals: GoalDrafts
    private var program: Program { outline.program }

    init(_ ruleSet: RuleSet, limits: AnalysisLimits) {
        outline = ProgramOutline(ruleSet.program)
        checker = ValueChecker(ruleSet.program, limits: limits)
        moves = MoveProof(outline, checker)
        flags = FlagProof(outline, checker)
        goals = GoalDrafts(ruleSet, outline, checker)
    }

    /// Whether a move or another flag is proved to change nothing.
    func holds(_ mutation: Mutation) -> Bool {
        switch mutation.kind {
        case .moved: moves.holds(mutation)
        case .result: flags.holds(mutation)
        default: false
        }
    }

    /// The proof for a changed expression, on the paths that come to it.
    func proof(of mutation: Mutation, _ change: ExpressionChange) -> EqualityProof? {
        EqualityProof(change, checker, within: change.subject == .path ? paths(at: mutation.position) : nil)
    }

    /// The paths that come to a rule of a location, if nothing in it changes them before; nil for all.
    private func paths(at position: SourcePosition) -> Language? {
        guard let index = outline.instructions[position], let sequence = outline.sequence(of: index),
            case .location(let location) = sequence.owner
        else { return nil }
        for earlier in sequence.start..<index where program.instructions[earlier].operation == .rewrite {
            let rule = program.rewrites[Int(program.instructions[earlier].a)]
            if rule.status == 0, rule.flow == .next { return nil }
        }
        var all: [Language] = []
        for around in outline.chain(of: location) {
            guard let test = goals.pathTest(around), let language = try? checker.language(of: test) else { return nil }
            all.append(language)
        }
        return .intersection(all)
    }
}
