import ShuntPatterns

/// One index over the rules on whole URLs, however many runs tests part them into: what it does not find is passed over
/// together with the tests before it.
struct URLPhaseIndex: Sendable {
    /// The place of an instruction.
    struct Place: Sendable {
        /// The first instruction of the statement that it is in.
        var statement: Int32 = 0
        /// For the first of a statement the next statement, maybe this one, that does something even where no rule of it
        /// applies; -1 for any other instruction.
        var nextEvent: Int32 = -1
        /// For a rule in the index the instruction after it where it does not apply; -1 for any other instruction.
        var next: Int32 = -1
    }

    /// The number of the first instruction.
    let start: Int
    /// The places of the instructions from there on; none where there is no index.
    private(set) var places: [Place] = []
    private(set) var hosts: UncountedReference<HostTable>?
    private(set) var hostPatterns: UncountedReference<PatternIndex>?
    private(set) var patterns: UncountedReference<PatternIndex>?
    /// For each expression on the host, and for each on the URL, its instruction.
    private(set) var hostPatternInstructions: [Int32] = []
    private(set) var patternInstructions: [Int32] = []
    /// True if some of the expressions are matched with the normal form of the URL, too.
    private(set) var seesNormalForm = false
    /// The objects that the references do not count.
    private var owned: [any AnyObject & Sendable] = []

    /// More rules than this are covered by the indexes of their runs alone, which would take the same memory again.
    private static let mostRules = 1000
    /// The fewest runs of rules and tests that are worth an index over all of them.
    private static let fewestRuns = 4

    /// Makes the index; one without places where the indexes of the runs do as well.
    init(_ tables: borrowing ProgramTables) {
        start = max(0, tables.urlPhase.position)
        guard !tables.urlPhase.isNone else { return }
        var places: [Place] = []
        var builder = Builder()
        var statements: [(first: Int, isQuiet: Bool)] = []
        var first = start
        while first < tables.instructions.count {
            let end = Self.end(of: first, in: tables)
            statements.append((first, builder.add(first..<end, of: tables, &places)))
            guard builder.ruleCount <= Self.mostRules else { return }
            if tables.instructions[first].operation == .end { break }
            first = end
        }
        guard builder.runs >= Self.fewestRuns else { return }
        var event = Int32(statements.last?.first ?? start)
        for statement in statements.reversed() {
            if !statement.isQuiet { event = Int32(statement.first) }
            places[statement.first - start].nextEvent = event
        }
        self.places = places
        patternInstructions = builder.patternInstructions
        hostPatternInstructions = builder.hostPatternInstructions
        seesNormalForm = builder.seesNormalForm
        if builder.hasHosts { hosts = own(builder.hosts.build()) }
        if !builder.hostPatterns.isEmpty { hostPatterns = own(PatternIndex(builder.hostPatterns)) }
        if !builder.patterns.isEmpty { patterns = own(PatternIndex(builder.patterns)) }
    }

    private mutating func own<Owned: AnyObject & Sendable>(_ object: Owned) -> UncountedReference<Owned> {
        owned.append(object)
        return UncountedReference(object)
    }

    /// The end of the statement that begins at an instruction: nothing in it leads past that.
    private static func end(of first: Int, in tables: borrowing ProgramTables) -> Int {
        var end = first + 1
        var number = first
        while number < end {
            let instruction = tables.instructions[number]
            switch instruction.operation {
            case .test, .testNot, .jump, .match: end = max(end, instruction.target.position)
            default: break
            }
            number += 1
        }
        return end
    }
}

/// The parts of an index of the URL phase.
private struct Builder {
    var hosts = HostTableBuilder()
    var hasHosts = false
    var hostPatterns: [RegularExpression] = []
    var hostPatternInstructions: [Int32] = []
    var patterns: [RegularExpression] = []
    var patternInstructions: [Int32] = []
    var seesNormalForm = false
    var ruleCount = 0
    /// The runs of rules, and the tests.
    var runs = 0
    private var lastChain = TableIndex<Chain>.none

    /// Adds the rules of a statement, those in the block of a `match` not among them; returns true if it does nothing where no
    /// rule of it applies.
    mutating func add(
        _ statement: Range<Int>,
        of tables: borrowing ProgramTables,
        _ places: inout [URLPhaseIndex.Place]
    ) -> Bool {
        let start = tables.urlPhase.position
        let place = URLPhaseIndex.Place(statement: Int32(statement.lowerBound))
        places += Array(repeating: place, count: statement.count)
        var isQuiet = true
        var number = statement.lowerBound
        while number < statement.upperBound {
            let instruction = tables.instructions[number]
            var next = number + 1
            if instruction.operation == .match { next = instruction.target.position }
            var matcher: MatcherIndex?
            switch instruction.operation.searched {
            case .matchers: matcher = MatcherIndex(instruction.a)
            case .renames: matcher = tables.renames[instruction.a].matcher
            case .blocks where tables.blocks[instruction.a].list.isNone: matcher = tables.blocks[instruction.a].matcher
            case .rewrites:
                add(tables.patterns[tables.urlRewrites[instruction.a].pattern], at: number)
                places[number - start].next = Int32(next)
            case .conditions:
                runs += 1
                if !Self.isQuiet(tables.conditions[instruction.a], tables) { isQuiet = false }
            case .nothing: break
            case .blocks, nil: isQuiet = false
            }
            if let matcher, add(tables.matchers[matcher], at: number, of: tables) {
                places[number - start].next = Int32(next)
            }
            if places[number - start].next >= 0 {
                ruleCount += 1
                if instruction.chain.isNone || instruction.chain != lastChain { runs += 1 }
                lastChain = instruction.chain
            } else if matcher != nil {
                isQuiet = false
            }
            number = next
        }
        return isQuiet
    }

    private mutating func add(_ pattern: RegularExpression, at number: Int) {
        patterns.append(pattern)
        patternInstructions.append(Int32(number))
    }

    /// Adds what a matcher looks for; false where that is not possible.
    private mutating func add(_ matcher: Matcher, at number: Int, of tables: borrowing ProgramTables) -> Bool {
        guard matcher.kind == .host else {
            if matcher.spelling != .written { seesNormalForm = true }
            add(tables.patterns[matcher.pattern], at: number)
            return true
        }
        for name in matcher.names {
            hasHosts = true
            if case .full = hosts.add(tables.hostNames[name].text.span, value: Int32(number)) { return false }
        }
        for pattern in matcher.hostPatterns {
            hostPatterns.append(tables.patterns[tables.hostPatterns[pattern]])
            hostPatternInstructions.append(Int32(number))
        }
        return true
    }

    /// Returns true if a test changes nothing, and no rule that follows can see that it was made.
    private static func isQuiet(_ condition: Condition, _ tables: borrowing ProgramTables) -> Bool {
        switch condition.kind {
        case .truthy: break
        case .equal: guard tables.parts[condition.template].isConstant else { return false }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard condition.template.isNone || tables.parts[condition.template].isConstant else { return false }
        case .matches, .isFile, .isDirectory, .exists, .isExecutable: return false
        }
        let variable = tables.variables[condition.variable]
        switch variable.source {
        case .split: return isPlain(tables.splits[Int(variable.index)].source, tables)
        case .geo:
            let source = tables.geos[Int(variable.index)].source
            return source.isNone || isPlain(source, tables)
        default: return isPlain(variable, tables)
        }
    }

    /// Returns true if nothing is computed for the value of a variable but its own text.
    private static func isPlain(_ variable: Variable, _ tables: borrowing ProgramTables) -> Bool {
        switch variable.source {
        case .map, .split, .geo: return false
        case .input:
            let value = tables.inputs[Int(variable.index)].defaultValue
            return value.isNone || tables.parts[value].isConstant
        default: return true
        }
    }

    private static func isPlain(_ template: TemplateIndex, _ tables: borrowing ProgramTables) -> Bool {
        let part = tables.parts[template]
        guard part.isLast else { return false }
        return part.kind != .variable || isPlain(tables.variables[part.variable], tables)
    }
}
