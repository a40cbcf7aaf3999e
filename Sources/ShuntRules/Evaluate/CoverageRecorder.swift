package import ShuntCore
import ShuntPatterns
package import ShuntRouting

/// Counts which parts of a program evaluations went through: all that ran with it, one after another.
package final class CoverageRecorder: StepRecorder {
    package struct Seen: Sendable, Hashable {
        package var isTrue = false
        package var isFalse = false

        package init() {}

        mutating func insert(_ outcome: Bool) { if outcome { isTrue = true } else { isFalse = true } }

        func union(_ other: Seen) -> Seen {
            var seen = self
            if other.isTrue { seen.isTrue = true }
            if other.isFalse { seen.isFalse = true }
            return seen
        }
    }

    package struct Counts: Sendable {
        /// The places of rules that decided, or changed something.
        package var rules: Set<SourcePosition> = []
        /// The tests of `if`, by their numbers.
        var conditions: [ConditionIndex: Seen] = [:]
        /// The results of rules on whole URLs for the URLs that reached them, by their instructions.
        package var matchers: [Int: Seen] = [:]
        var servers: Set<ServerIndex> = []
        var locations: Set<LocationIndex> = []
        package var routes: Set<RouteID> = []
        /// For comparisons of versions: whether a value below, equal, above was seen, by condition.
        var boundaries: [ConditionIndex: Set<Ordering>] = [:]
        /// The entries that supplied a value.
        var entries: Set<TableEntry> = []
        /// The ways that matches went through an expression, by its number.
        var ways: [ExpressionIndex: Set<Int>] = [:]

        package init() {}

        package mutating func formUnion(_ other: Counts) {
            rules.formUnion(other.rules)
            conditions.merge(other.conditions) { $0.union($1) }
            matchers.merge(other.matchers) { $0.union($1) }
            servers.formUnion(other.servers)
            locations.formUnion(other.locations)
            routes.formUnion(other.routes)
            boundaries.merge(other.boundaries) { $0.union($1) }
            entries.formUnion(other.entries)
            ways.merge(other.ways) { $0.union($1) }
        }
    }

    package private(set) var counts = Counts()
    /// The expressions that were seen to match; nil for those without alternatives.
    private var probes: [ExpressionIndex: AlternativeProbe?] = [:]
    private let scratch = MatchScratch()

    /// Begins again, with nothing seen.
    package func forget() { counts = Counts() }

    override func record(server: ServerIndex, in evaluation: borrowing Evaluation) {
        counts.servers.insert(server)
    }

    override func record(location: LocationIndex, in evaluation: borrowing Evaluation) {
        if !location.isNone { counts.locations.insert(location) }
    }

    override func record(rule pc: Int, result: Trace.Step.Result, in evaluation: borrowing Evaluation) {
        if result != .skipped {
            counts.rules.insert(evaluation.program.tables.instructions[pc].position)
            counts.rules.insert(evaluation.rulePosition(at: pc, result))
        }
        if evaluation.phase == .url { counts.matchers[pc, default: Seen()].insert(result != .skipped) }
    }

    override func record(
        share: Int?,
        hash: UInt32,
        of value: ByteRange,
        in split: SplitClients,
        in evaluation: borrowing Evaluation
    ) {
        if let share {
            counts.entries.insert(TableEntry(table: split.position, position: split.shares[share].position))
        }
    }

    override func record(entry: TableEntry, for text: ByteRange, in evaluation: borrowing Evaluation) {
        counts.entries.insert(entry)
    }

    override func record(match pattern: ExpressionIndex, on subject: ByteRange, in evaluation: borrowing Evaluation) {
        if probes[pattern] == nil {
            let expression = evaluation.program.expressions.expressions[pattern.position]
            probes.updateValue(AlternativeProbe(expression), forKey: pattern)
        }
        guard let probe = probes[pattern] ?? nil, counts.ways[pattern]?.count != probe.ways.count else { return }
        let bytes = evaluation.arena.array(subject)
        counts.ways[pattern, default: []].formUnion(probe.waysTaken(in: bytes.span, scratch: scratch))
    }

    override func record(assignment pc: Int, value: ByteRange, in evaluation: borrowing Evaluation) {
        counts.rules.insert(evaluation.program.tables.instructions[pc].position)
    }

    override func record(
        condition index: ConditionIndex,
        result: Bool,
        value: ByteRange,
        in evaluation: borrowing Evaluation
    ) {
        counts.conditions[index, default: Seen()].insert(result)
        let condition = evaluation.program.tables.conditions[index]
        guard condition.isVersionBoundary else { return }
        let bytes = evaluation.arena.array(value)
        let bound = evaluation.program.tables.constantBytes(of: condition.template)
        if let bound, let order = VersionComparison.compare(bytes.span, bound.span) {
            counts.boundaries[index, default: []].insert(order)
        }
    }

    override func record(file path: ByteRange, found: Bool, in evaluation: borrowing Evaluation) {
        if evaluation.position.isPlace { counts.rules.insert(evaluation.position) }
    }

    override func record(note: String, at position: SourcePosition, in evaluation: borrowing Evaluation) {
        if position.isPlace { counts.rules.insert(position) }
    }

    override func record(access position: SourcePosition) { counts.rules.insert(position) }

    override func record(route: RouteLookup, in evaluation: borrowing Evaluation) {
        if route.isMatch { counts.routes.insert(route.route) }
    }

    override func record(decision outcome: Outcome, in evaluation: borrowing Evaluation) {
        if outcome.position.isPlace { counts.rules.insert(outcome.position) }
    }
}

extension Condition {
    /// True if it compares versions, so that values below, at and above the bound can be distinguished.
    package var isVersionBoundary: Bool {
        guard case .version = comparison else { return false }
        switch kind {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return true
        default: return false
        }
    }
}
