package import ShuntCore
package import ShuntRouting
import Synchronization

/// The rules of a set as values that a person would name: the one reading of a compiled rule set for tools and pages.
///
/// Each value names what it refers to, so that a reader needs no number and no table. A rule set builds its model when a tool
/// or a page needs it, and keeps it only as long as they do.
///
/// Thread safety: it does not change.
package final class RuleModel: Sendable {
    package let ruleSet: RuleSet
    private let kept = Mutex<RuleDocument?>(nil)
    /// For each location the one around it, and its server.
    let parents: [LocationIndex]
    let owners: [ServerIndex]
    /// For each location the level that it is of, and its number among the expressions there.
    let levelNumbers: [LevelIndex]
    /// For each location its expression.
    let expressionsOfLocations: [ExpressionIndex]
    let sequenceList: SequenceList
    /// The steps that set each variable.
    let assignments: [VariableIndex: [Int]]
    private let rulesByPosition: [SourcePosition: Int]
    private let locationsByPosition: [SourcePosition: Int]
    /// The first steps in each sequence of the rules and tests that several sequences have from one place, and the locations of one place.
    private let repeatedSteps: [SourcePosition: [Int]]
    private let repeatedLocations: [SourcePosition: [Int]]

    var program: Program { ruleSet.program }

    /// Reads a rule set.
    ///
    /// - Complexity: In proportion to the size of the rule files.
    init(_ ruleSet: RuleSet) {
        self.ruleSet = ruleSet
        let tables = ruleSet.program.tables
        var parents = [LocationIndex](repeating: .none, count: tables.locations.count)
        var owners = [ServerIndex](repeating: .none, count: tables.locations.count)
        var levels = [LevelIndex](repeating: .none, count: tables.locations.count)
        var expressions = [ExpressionIndex](repeating: .none, count: tables.locations.count)
        for (number, level) in tables.levels.enumerated() {
            for location in level.locations { levels[location.position] = LevelIndex(number) }
            for (location, expression) in zip(level.patternLocations, level.patternNumbers) {
                expressions[location.position] = expression
            }
        }
        for (number, location) in tables.locations.enumerated() where !location.level.isNone {
            for inner in tables.levels[location.level].locations { parents[inner.position] = LocationIndex(number) }
        }
        for (number, server) in tables.servers.enumerated() where !server.level.isNone {
            for location in tables.levels[server.level].locations { owners[location.position] = ServerIndex(number) }
        }
        // The locations in another one are compiled before it.
        for number in tables.locations.indices.reversed() where !parents[number].isNone {
            owners[number] = owners[parents[number].position]
        }
        self.parents = parents
        self.owners = owners
        levelNumbers = levels
        expressionsOfLocations = expressions
        let sequences = SequenceList(tables)
        sequenceList = sequences
        var assignments: [VariableIndex: [Int]] = [:]
        var rules: [SourcePosition: Int] = [:]
        var steps = Repetitions()
        for (number, instruction) in tables.instructions.enumerated() {
            if instruction.operation.role != .controls || instruction.operation.isTest {
                steps.add(number, at: instruction.position) { sequences.sequence(of: $0)?.start }
            }
            switch instruction.operation {
            case .set, .decode, .encode: assignments[VariableIndex(instruction.a), default: []].append(number)
            default: break
            }
            if instruction.operation.role != .controls, rules[instruction.position] == nil {
                rules[instruction.position] = number
            }
        }
        self.assignments = assignments
        rulesByPosition = rules
        locationsByPosition = Dictionary(
            tables.locations.enumerated().map { ($1.position, $0) },
            uniquingKeysWith: { $1 }
        )
        var locations = Repetitions()
        for (number, location) in tables.locations.enumerated() { locations.add(number, at: location.position) { $0 } }
        repeatedSteps = steps.repeated
        repeatedLocations = locations.repeated
    }

    /// The rules as they are written, which are read at their first use, and kept.
    package var document: RuleDocument {
        kept.withLock { kept in
            let document = kept ?? ruleSet.document
            kept = document
            return document
        }
    }

    // MARK: Lists

    package var steps: some RandomAccessCollection<Step> & Sendable {
        program.tables.instructions.indices.lazy.map(step)
    }

    /// The first step at each place of a rule, in the order in which the rules are run.
    package var rules: [Step] {
        var places: Set<SourcePosition> = []
        return steps.filter { $0.isRule && $0.position.isPlace && places.insert($0.position).inserted }
    }

    /// The sequences of steps, in the order of the steps.
    package var sequences: some RandomAccessCollection<Sequence> {
        sequenceList.sequences.lazy.map { Sequence(self, $0) }
    }

    package var servers: some RandomAccessCollection<Server> { parts(of: program.tables.servers) }

    /// The locations of all servers: those in another one before it.
    package var locations: some RandomAccessCollection<Location> { parts(of: program.tables.locations) }

    /// The levels of locations: those of a server, or those in a location.
    package var levels: some RandomAccessCollection<Level> { parts(of: program.tables.levels) }

    /// The addresses where servers listen, in the order of their appearance.
    package var listens: some RandomAccessCollection<Listen> { parts(of: program.tables.listens) }

    package var variables: some RandomAccessCollection<Variable> { parts(of: program.tables.variables) }

    package var expressions: some RandomAccessCollection<Expression> { parts(of: program.tables.patterns) }

    /// True if something reads what groups of expressions capture, or may.
    package var hasCaptures: Bool {
        program.hasNamedCaptures || program.tables.parts.contains { $0.kind == .capture }
    }

    /// The matchers of rules on whole URLs.
    package var matchers: some RandomAccessCollection<URLMatcher> { parts(of: program.tables.matchers) }

    /// All texts with variables or captures, and those without that rules name as one.
    package var templates: [Template] {
        let parts = program.tables.parts
        return parts.indices.filter { $0 == 0 || parts[$0 - 1].isLast }.map { Template(self, TemplateIndex($0)) }
    }

    package var maps: some RandomAccessCollection<Map> { parts(of: program.tables.maps) }

    /// The tables of `geo`.
    package var addressTables: some RandomAccessCollection<AddressTable> { parts(of: program.tables.geos) }

    /// The tables of `split_clients`.
    package var splits: some RandomAccessCollection<Split> { parts(of: program.tables.splits) }

    /// The lists of redirects, whose rows are rules.
    package var redirectLists: [RedirectList] { Array(program.tables.redirectLists) }

    /// The rules that `block` or `allow` what a list has.
    package var listRules: [ListedEntries] { program.tables.listRules.map { ListedEntries(program.tables, $0) } }

    package var inputs: [Input] { program.tables.inputs.map { Input(self, $0) } }

    /// True if the client's address may be that of a header: `set_real_ip_from`.
    package var findsRealAddresses: Bool { !program.tables.realIPs.isEmpty }

    /// True if some location has `valid_referers`.
    package var checksReferers: Bool { !program.tables.referers.isEmpty }

    /// True if some location has `auth_basic`.
    package var checksPasswords: Bool { program.tables.gates.contains { !$0.realm.isNone } }

    /// The routes that the rules declare; nil without any.
    package var routes: RouteTable? { ruleSet.routes }

    package var files: [String] { program.tables.files }

    /// The time zone of dates and times of day, in minutes east of UTC.
    package var zoneOffset: Int { program.tables.zoneOffset }

    // MARK: Search

    func step(_ number: Int) -> Step { Step(self, number) }

    /// The first step of the rule at a place; nil where no rule is.
    package func rule(at position: SourcePosition) -> Step? { rulesByPosition[position].map(step) }

    /// The steps of a rule or test in all sequences that have it, where several include its file; else that step alone.
    package func repetitions(of step: Step) -> [Step] {
        guard let numbers = repeatedSteps[step.position] else { return [step] }
        return [step] + numbers.lazy.map(self.step).filter { $0.sequence != step.sequence }
    }

    /// The locations of one place, where several servers include its file; else that location alone.
    package func repetitions(of location: Location) -> [Location] {
        guard let numbers = repeatedLocations[location.position] else { return [location] }
        return [location] + numbers.lazy.map { Location(self, LocationIndex($0)) }.filter { $0 != location }
    }

    /// The location at a place; nil where no location is.
    package func location(at position: SourcePosition) -> Location? {
        locationsByPosition[position].map { Location(self, LocationIndex($0)) }
    }

    /// The place of `position` with its file's name; nil where nothing is.
    package func location(of position: SourcePosition) -> SourceLocation? { program.location(of: position) }

    /// The place with the file as the rules number it; nil for a file that is not one of the rules.
    package func position(of location: SourceLocation) -> SourcePosition? {
        guard let file = files.firstIndex(of: location.file) else { return nil }
        return SourcePosition(
            file: Int32(file),
            line: Int32(clamping: location.line),
            column: Int32(clamping: location.column)
        )
    }
}

extension RuleModel {
    /// `input $name [default]`.
    package struct Input: Sendable {
        package let name: String
        /// The text where a request does not have it; nil if the rules need it.
        package let defaultValue: Template?

        init(_ model: RuleModel, _ input: ShuntRules.Input) {
            name = input.name
            defaultValue = Template(model, optional: input.defaultValue)
        }
    }
}

/// The numbers of the parts that are at a place more than once, because its file is included several times.
private struct Repetitions {
    private var first: [SourcePosition: Int] = [:]
    private(set) var repeated: [SourcePosition: [Int]] = [:]

    /// Adds a number, unless one of the same group, which follows it, was added for its place.
    mutating func add(_ number: Int, at position: SourcePosition, in group: (Int) -> Int?) {
        guard position.isPlace else { return }
        guard let first = first[position] else {
            first[position] = number
            return
        }
        let last = repeated[position]?.last ?? first
        if group(last) != group(number) { repeated[position, default: [first]].append(number) }
    }
}

extension Operation {
    /// True if it tests something about a request for a condition around rules.
    fileprivate var isTest: Bool { self == .test || self == .testNot || self == .match }
}
