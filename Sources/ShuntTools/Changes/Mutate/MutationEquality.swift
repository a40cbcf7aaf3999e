import ShuntCore
import ShuntPatterns
import ShuntRules

/// Proves that changes of a rule set change nothing.
struct MutationEquality {
    private let outline: ProgramOutline
    private let checker: ValueChecker
    private let moves: MoveProof
    private let flags: FlagProof
    private let goals: GoalDrafts
    /// The paths that clients send, and those that rewrites make.
    private let paths: Language
    private var program: Program { outline.program }

    init(_ ruleSet: RuleSet, limits: AnalysisLimits) {
        outline = ProgramOutline(ruleSet.program)
        checker = ValueChecker(ruleSet.program, limits: limits)
        moves = MoveProof(outline, checker)
        flags = FlagProof(outline, checker)
        goals = GoalDrafts(ruleSet, outline: outline, checker: checker)
        paths = Self.paths(outline, checker)
    }

    /// Returns true if a move or another flag is proved to change nothing.
    func holds(_ mutation: Mutation) -> Bool {
        switch mutation.kind {
        case .moved: moves.holds(mutation)
        case .result: flags.holds(mutation)
        default: false
        }
    }

    /// The proof for a changed expression, on the paths that come to it.
    func proof(of mutation: Mutation, _ change: ExpressionChange) -> EqualityProof? {
        proof(at: mutation.position, change)
    }

    /// The proof for an expression of a rule at a place.
    ///
    /// - Parameters:
    ///   - position: The place.
    ///   - change: What the expression was and what it becomes.
    ///   - withControls: Whether paths with control bytes count.
    /// - Returns: The proof; nil where an expression has no automaton.
    func proof(at position: SourcePosition, _ change: ExpressionChange, withControls: Bool = false) -> EqualityProof? {
        EqualityProof(
            change,
            checker,
            among: paths,
            within: change.subject == .path ? paths(at: position) : nil,
            withControls: withControls
        )
    }

    /// The most rewrites that are followed; if there are more, any path can result.
    private static let mostRewrites = 32

    private static func paths(_ outline: ProgramOutline, _ checker: ValueChecker) -> Language {
        let program = outline.program
        let merges = program.tables.settings.allSatisfy(\.mergesSlashes)
        let rewrites = program.tables.instructions.indices.filter { index in
            let instruction = program.tables.instructions[index]
            return instruction.operation == .rewrite && program.tables.rewrites[instruction.a].status == 0
        }
        guard rewrites.count <= mostRewrites, let sent = checker.automaton(of: .path(mergesSlashes: merges)) else {
            return .automaton(.everything)
        }
        let effects = RuleEffects(outline, checker)
        var all: [Language] = [.automaton(sent)]
        for index in rewrites {
            guard let made = effects.made(by: index, .path) else { return .automaton(.everything) }
            all.append(made)
        }
        for template in program.tables.tryFiles.flatMap({ $0.candidates.map(\.name) + [$0.fallback] })
        where !template.isNone {
            guard let made = path(of: template, program, checker) else { return .automaton(.everything) }
            all.append(made)
        }
        let places = SettingsPlaces(program)
        for (list, pages) in program.tables.errorPages.enumerated() {
            for page in pages {
                if let made = path(of: page.target, program, checker) {
                    all.append(made)
                    continue
                }
                for place in places.places(errorPages: list) {
                    guard let location = location(of: place, outline),
                        let made = path(ofPage: page.target, in: location, outline, checker)
                    else { return .automaton(.everything) }
                    all.append(made)
                }
            }
        }
        guard let union = try? Language.union(all).automaton(limits: checker.limits.proof) else {
            return .automaton(.everything)
        }
        return .automaton(union)
    }

    private static func location(of place: SettingsPlaces.Place, _ outline: ProgramOutline) -> Int? {
        switch place {
        case .server: return nil
        case .location(let location), .methods(_, let location): return location
        case .branch(let index):
            if case .location(let location)? = outline.sequence(of: index)?.owner { return location }
            return nil
        }
    }

    /// Returns true if a rule has an expression.
    private static func matches(_ instruction: Instruction, _ program: Program) -> Bool {
        switch instruction.operation {
        case .rewrite, .rewriteURL: true
        case .test, .testNot: program.tables.conditions[instruction.a].kind == .matches
        default: false
        }
    }

    /// The paths that the target of an `error_page` comes to in a location whose own expression is the last that has matched; nil
    /// where nothing is known of them.
    private static func path(
        ofPage template: TemplateIndex,
        in location: Int,
        _ outline: ProgramOutline,
        _ checker: ValueChecker
    ) -> Language? {
        let program = outline.program
        guard !outline.patterns[location].isNone, program.tables.maps.allSatisfy(\.patternNumbers.isEmpty) else {
            return nil
        }
        let start = program.tables.settings[program.tables.locations[location].settings].sequence
        if !start.isNone {
            guard let rules = outline.sequence(of: start.position), rules.owner == .location(location),
                (rules.start..<rules.end).allSatisfy({ !matches(program.tables.instructions[$0], program) })
            else { return nil }
        }
        let image = TemplateImage(template, capturesOf: checker.tree(of: outline.patterns[location]), in: program)
        guard let made = try? image.language(checker.limits.expression), let query = checker.automaton("\\?"),
            (try? Language.intersection([made, .automaton(query)]).isEmpty(limits: checker.limits.proof)) == true
        else { return nil }
        return made
    }

    /// The paths that a string comes to; nil where nothing is known of them.
    private static func path(of template: TemplateIndex, _ program: Program, _ checker: ValueChecker) -> Language? {
        let part = program.tables.parts[template]
        if part.kind == .variable, part.isLast {
            // The path stays what it is.
            let variable = program.tables.variables[part.variable]
            return variable.source == .builtin && variable.index == BuiltinVariable.uri.rawValue
                ? .automaton(.nothing) : nil
        }
        guard let bytes = program.constantBytes(of: template) else { return nil }
        return (try? Automaton(exactly: bytes, limits: checker.limits.expression)).map { .automaton($0) }
    }

    /// The paths that come to a rule of a location, if nothing in it changes them before; nil for all.
    private func paths(at position: SourcePosition) -> Language? {
        guard let index = outline.instructions[position], let sequence = outline.sequence(of: index),
            case .location(let location) = sequence.owner
        else { return nil }
        for earlier in sequence.start..<index where program.tables.instructions[earlier].operation == .rewrite {
            let rule = program.tables.rewrites[program.tables.instructions[earlier].a]
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
