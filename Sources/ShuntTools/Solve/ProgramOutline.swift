import ShuntCore
import ShuntPatterns
import ShuntRules

/// The place where the rules of a program stand: in which sequence, under which tests, in which location of which
/// server.
struct ProgramOutline {
    /// The owner of a sequence of rules.
    enum Owner: Hashable {
        case urlPhase
        case server(Int)
        case location(Int)
    }

    /// The instructions of a level, which are run from top to bottom.
    struct Sequence {
        var start: Int
        /// The instruction that ends it.
        var end: Int
        var owner: Owner
    }

    /// A test on the way to a rule, and how it has to come out.
    enum Guard: Hashable {
        case condition(ConditionIndex, Bool)
        case matcher(MatcherIndex, Bool)
    }

    let program: Program
    /// By their starts.
    private(set) var sequences: [Sequence] = []
    /// For each location, the one around it; -1 for those of a server.
    private(set) var parents: [Int]
    /// For each location its server.
    private(set) var servers: [Int]
    /// For each location, the number of its expression; -1 for others.
    private(set) var patterns: [ExpressionIndex]
    /// The instructions that give each variable a value.
    private(set) var assignments: [VariableIndex: [Int]] = [:]
    /// For each instruction, where the outermost block begins that it stands in.
    private var regions: [Int32]
    /// The first instruction at each place that has a rule.
    private(set) var instructions: [SourcePosition: Int] = [:]
    /// The locations and servers at each place.
    private(set) var locationsByPosition: [SourcePosition: Int] = [:]

    init(_ program: Program) {
        self.program = program
        parents = [Int](repeating: -1, count: program.tables.locations.count)
        servers = [Int](repeating: -1, count: program.tables.locations.count)
        patterns = [ExpressionIndex](repeating: .none, count: program.tables.locations.count)
        regions = [Int32](repeating: 0, count: program.tables.instructions.count)
        findLocations()
        findSequences()
        for (index, instruction) in program.tables.instructions.enumerated() {
            switch instruction.operation {
            case .set, .decode, .encode: assignments[VariableIndex(instruction.a), default: []].append(index)
            default: break
            }
            if instruction.operation.role != .controls, instructions[instruction.position] == nil {
                instructions[instruction.position] = index
            }
        }
        for (index, location) in program.tables.locations.enumerated() {
            locationsByPosition[location.position] = index
        }
    }

    /// Returns true if nothing after a rule in its sequence is looked at when it has applied.
    func endsSequence(_ index: Int) -> Bool {
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .finish, .degrade, .block: return true
        case .rewrite:
            let rule = program.tables.rewrites[instruction.a]
            return rule.status != 0 || rule.flow != .next
        case .rewriteURL:
            let rule = program.tables.urlRewrites[instruction.a]
            return rule.status != 0 || rule.flow != .next
        default: return false
        }
    }

    /// The sequence that an instruction is part of.
    func sequence(of instruction: Int) -> Sequence? {
        var low = 0
        var high = sequences.count
        while low < high {
            let middle = (low + high) / 2
            if sequences[middle].start <= instruction { low = middle + 1 } else { high = middle }
        }
        guard low > 0, instruction <= sequences[low - 1].end else { return nil }
        return sequences[low - 1]
    }

    /// A location with those around it, the outermost first.
    func chain(of location: Int) -> [Int] {
        var chain = [location]
        while let last = chain.last, parents[last] >= 0, chain.count < 64 { chain.append(parents[last]) }
        return chain.reversed()
    }

    // MARK: Locations

    /// Finds which location stands in which: those of a level are compiled before what they stand in, and one after another.
    private mutating func findLocations() {
        for level in program.tables.levels {
            for (location, number) in zip(level.patternLocations, level.patternNumbers) {
                patterns[location.position] = number
            }
        }
        var open: [Int] = []
        for (index, location) in program.tables.locations.enumerated() {
            if !location.level.isNone {
                while let last = open.last, isMember(last, of: location.level) {
                    parents[last] = index
                    open.removeLast()
                }
            }
            open.append(index)
        }
        var next = 0
        for (index, server) in program.tables.servers.enumerated() {
            while next < open.count, isMember(open[next], of: server.level) || isNamed(open[next], in: server) {
                servers[open[next]] = index
                next += 1
            }
        }
        for index in program.tables.locations.indices.reversed() where parents[index] >= 0 {
            servers[index] = servers[parents[index]]
        }
    }

    private func isNamed(_ location: Int, in server: Server) -> Bool {
        let name = program.tables.locations[location].name
        return server.named.value(name.span).map(Int.init) == location
    }

    private func isMember(_ number: Int, of level: LevelIndex) -> Bool {
        guard !level.isNone else { return false }
        let location = program.tables.locations[number]
        let level = program.tables.levels[level]
        switch location.modifier {
        case .exact: return level.exact?.value(location.name.span).map(Int.init) == number
        case .prefix, .prefixBeforeRegex:
            return level.prefixes.longestPrefix(of: location.name.span).map { Int($0.value) } == number
        case .regex, .caselessRegex: return level.patternLocations.contains(LocationIndex(number))
        case .named: return false
        }
    }

    // MARK: Sequences

    private mutating func findSequences() {
        var starts: [(start: Int, owner: Owner)] = []
        if !program.tables.urlPhase.isNone { starts.append((program.tables.urlPhase.position, .urlPhase)) }
        for (index, server) in program.tables.servers.enumerated() {
            let sequence = program.tables.settings[server.settings].sequence
            if !sequence.isNone { starts.append((sequence.position, .server(index))) }
        }
        for (index, location) in program.tables.locations.enumerated() {
            let sequence = program.tables.settings[location.settings].sequence
            if !sequence.isNone { starts.append((sequence.position, .location(index))) }
        }
        for (start, owner) in starts.sorted(by: { $0.start < $1.start }) {
            var end = start
            var reach = start
            var region = start
            while end < program.tables.instructions.count, program.tables.instructions[end].operation != .end {
                if end >= reach { region = end }
                regions[end] = Int32(truncatingIfNeeded: region)
                if let target = target(of: end) { reach = max(reach, target) }
                end += 1
            }
            sequences.append(Sequence(start: start, end: end, owner: owner))
        }
    }

    /// The place where an instruction may go besides the next one.
    private func target(of index: Int) -> Int? {
        let instruction = program.tables.instructions[index]
        return switch instruction.operation {
        case .test, .testNot, .jump, .match: instruction.target.position
        default: nil
        }
    }

    /// The ways from the start of its block to an instruction, each as the tests on it; none if nothing leads there.
    ///
    /// - Parameters:
    ///   - goal: The instruction.
    ///   - limit: How many ways are wanted at most.
    /// - Returns: The ways, those first that need fewer turns.
    func ways(to goal: Int, limit: Int = 32) -> [[Guard]] {
        let start = Int(regions[goal])
        guard start <= goal else { return [[]] }
        // Of each instruction whether it can lead to the goal, and whether it must.
        var can = [Bool](repeating: false, count: goal - start + 1)
        var must = can
        can[goal - start] = true
        must[goal - start] = true
        func at(_ index: Int, _ list: [Bool]) -> Bool { index <= goal && list[index - start] }
        for index in stride(from: goal - 1, through: start, by: -1) {
            let instruction = program.tables.instructions[index]
            switch instruction.operation {
            case .test, .testNot, .match:
                can[index - start] = at(index + 1, can) || at(instruction.target.position, can)
                must[index - start] = at(index + 1, must) && at(instruction.target.position, must)
            case .jump:
                can[index - start] = at(instruction.target.position, can)
                must[index - start] = at(instruction.target.position, must)
            case .finish, .stop, .last, .end: break
            default:
                can[index - start] = at(index + 1, can)
                must[index - start] = at(index + 1, must)
            }
        }
        var found: [[Guard]] = []
        var open: [(index: Int, tests: [Guard])] = [(start, [])]
        while let (index, tests) = open.popLast(), found.count < limit {
            guard index < goal else {
                if index == goal { found.append(tests) }
                continue
            }
            let instruction = program.tables.instructions[index]
            let target = instruction.target.position
            switch instruction.operation {
            case .test, .testNot, .match:
                if at(index + 1, must), at(target, must) {
                    open.append((target, tests))
                    continue
                }
                let falls = instruction.operation != .testNot
                func test(_ outcome: Bool) -> Guard {
                    instruction.operation == .match
                        ? .matcher(MatcherIndex(instruction.a), outcome)
                        : .condition(ConditionIndex(instruction.a), outcome)
                }
                if at(target, can) { open.append((target, tests + [test(!falls)])) }
                if at(index + 1, can) { open.append((index + 1, tests + [test(falls)])) }
            case .jump: if at(target, can) { open.append((target, tests)) }
            default: if at(index + 1, can) { open.append((index + 1, tests)) }
            }
        }
        return found
    }
}
