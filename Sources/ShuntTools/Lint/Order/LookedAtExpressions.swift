import ShuntCore
import ShuntPatterns
import ShuntRules

/// Every expression of the rules with what it is asked about.
struct LookedAtExpressions {
    enum Kind: Hashable {
        case path
        case url
        case host
        case known(KnownValues)
        case value

        /// The facts known about the subject.
        var subject: String {
            switch self {
            case .path: "the input is a path, decoded, without query"
            case .url: "the input is a whole URL"
            case .host: "the input is a host, in lower case"
            case .known(let values): values.fact
            case .value: "this holds for every text"
            }
        }
    }

    struct Place {
        var pattern: ExpressionIndex
        var kind: Kind
        var position: SourcePosition
        /// All that may be looked at.
        var domain: Language
        /// The goal of the search for requests that come here; nil for conditions and keys.
        var goal: RuleGoal?
        /// The goal of a condition: that the expression matches.
        var test: RuleGoal?
    }

    private(set) var all: [Place] = []
    private let subject: LintSubject
    /// The changes that the rules of each server make to its path.
    private var changes: [PathChanges] = []
    /// The number of instructions read for that.
    private(set) var instructionsRead = 0

    init(_ subject: LintSubject) {
        self.subject = subject
        let program = subject.program
        findChanges()
        for index in subject.rules {
            guard let pattern = GoalDrafts.pattern(of: index, program) else { continue }
            let server = subject.server(of: index)
            let kind: Kind = program.tables.instructions[index].operation == .rewrite ? .path : .url
            add(pattern, kind: kind, at: subject.position(of: index), server: server, goal: .instruction(index))
        }
        for (index, location) in program.tables.locations.enumerated() where !subject.outline.patterns[index].isNone {
            add(
                subject.outline.patterns[index],
                kind: .path,
                at: location.position,
                server: subject.outline.servers[index],
                goal: .location(index)
            )
        }
        for listen in program.tables.listens {
            for (pattern, server) in zip(listen.patternNumbers, listen.patternServers) {
                add(
                    pattern,
                    kind: .host,
                    at: program.tables.servers[server].position,
                    server: nil,
                    goal: .server(server.position)
                )
            }
        }
        for (index, instruction) in program.tables.instructions.enumerated() where instruction.position.isPlace {
            guard instruction.operation == .test || instruction.operation == .testNot else { continue }
            let condition = program.tables.conditions[instruction.a]
            guard condition.kind == .matches else { continue }
            add(
                condition.pattern,
                kind: kind(of: condition.variable, isInServer: subject.server(of: index) != nil),
                at: instruction.position,
                server: subject.server(of: index),
                goal: nil,
                test: .test(index, !condition.isNegated)
            )
        }
        for map in program.tables.maps {
            let part = program.tables.parts[map.source]
            let kind = part.isLast && part.kind == .variable ? kind(of: part.variable) : .value
            for (pattern, position) in zip(map.patternNumbers, map.patternPositions) {
                add(pattern, kind: kind, at: position, server: nil, goal: nil)
            }
        }
    }

    private func kind(of variable: VariableIndex, isInServer: Bool = false) -> Kind {
        guard !variable.isNone, subject.outline.assignments[variable] == nil else { return .value }
        let variable = subject.program.tables.variables[variable]
        guard variable.source == .builtin else { return .value }
        let builtin = BuiltinVariable(rawValue: variable.index)
        return switch builtin {
        case .url: .url
        case .host: .host
        case .uri where isInServer: .path
        default: isInServer ? builtin.flatMap(KnownValues.init).map(Kind.known) ?? .value : .value
        }
    }

    private mutating func add(
        _ pattern: ExpressionIndex,
        kind: Kind,
        at position: SourcePosition,
        server: Int?,
        goal: RuleGoal?,
        test: RuleGoal? = nil
    ) {
        let domain = domain(kind, server)
        all.append(
            Place(pattern: pattern, kind: kind, position: position, domain: domain, goal: goal, test: test)
        )
    }

    private func domain(_ kind: Kind, _ server: Int?) -> Language {
        let checker = subject.checker
        let automaton: Automaton?
        switch kind {
        case .path:
            let merges = server.map {
                subject.program.tables.settings[subject.program.tables.servers[$0].settings].mergesSlashes
            }
            switch server.map({ changes[$0] }) ?? .any {
            case .none: automaton = checker.automaton(of: .path(mergesSlashes: merges ?? false))
            case .kept: automaton = checker.automaton("^/")
            case .any: automaton = nil
            }
        case .url: automaton = checker.automaton(of: .url)
        // The host of the rules may be changed to anything that they say.
        case .host: automaton = checker.automaton("^[^\\x00-\\x20/A-Z\\x7f]*\\z")
        case .known(let values): automaton = checker.automaton(values.expression)
        case .value: automaton = nil
        }
        return .automaton(automaton ?? .everything)
    }

    func pathsBeginWithSlash(inServer server: Int) -> Bool { changes[server] != .any }

    /// Returns true if an expression matches something that begins in a way.
    private func mayMatch(_ pattern: ExpressionIndex, _ beginning: String) -> Bool {
        guard let own = try? subject.checker.automaton(of: pattern), let other = subject.checker.automaton(beginning)
        else { return true }
        let both = Language.intersection([.automaton(own), .automaton(other)])
        return (try? both.isEmpty(limits: subject.options.limits.proof)) != true
    }

    private enum PathChanges {
        case none
        /// The result begins with a slash as well.
        case kept
        case any
    }

    /// Finds the changes that the rules of each server make to its path.
    private mutating func findChanges() {
        let program = subject.program
        let mayAskAnew = program.tables.settings.contains { !$0.tryFiles.isNone || !$0.errorPages.isNone }
        changes = [PathChanges](repeating: mayAskAnew ? .kept : .none, count: program.tables.servers.count)
        for sequence in subject.outline.sequences {
            let server: Int
            switch sequence.owner {
            case .urlPhase: continue
            case .server(let own): server = own
            case .location(let location): server = subject.outline.servers[location]
            }
            guard changes.indices.contains(server) else { continue }
            instructionsRead += sequence.end - sequence.start
            for index in sequence.start..<sequence.end where changes[server] != .any {
                let instruction = program.tables.instructions[index]
                switch instruction.operation {
                case .rewrite:
                    let rule = program.tables.rewrites[instruction.a]
                    guard rule.status == 0 else { continue }
                    let part = program.tables.parts[rule.target]
                    let first = part.kind == .literal && part.b > part.a ? program.tables.constants[Int(part.a)] : 0
                    // What makes another path of one with a slash comes first.
                    guard mayMatch(rule.pattern, "^/") else { continue }
                    changes[server] = first == UInt8(ascii: "/") ? .kept : .any
                case .set, .decode, .encode:
                    if program.tables.variables[instruction.a].source == .builtin { changes[server] = .any }
                default: continue
                }
            }
        }
    }
}

extension LintSubject {
    /// Returns the decision about a request that an expression matches.
    func witness(at place: LookedAtExpressions.Place) -> LintWitness? {
        guard let goal = place.goal ?? place.test, case .confirmed(let request) = verdict(goal) else { return nil }
        return decide(request)
    }
}
