import Shunt
public import ShuntCore
import ShuntPatterns
import ShuntRouting
package import ShuntRules

/// The parts of a rule set that tests have reached.
public struct RuleCoverage: Sendable {
    /// The kinds of things that are counted.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Whatever a decision may name as its rule, or changes what later rules see.
        case rules
        /// Both outcomes of each test: of an `if`, of each of its operands, of each rule on whole URLs.
        case branches
        /// Keys and defaults of `map` and `geo`, shares of `split_clients`.
        case entries
        /// The alternatives of expressions, and groups that may be left out, taken and left out.
        case alternatives
        case servers
        case locations
        case routes
        /// Values below, at and above each version that rules compare with.
        case boundaries
    }

    /// One thing that is counted.
    public struct Item: Sendable, Hashable {
        /// Its kind.
        public var kind: Kind
        /// The place where it stands.
        public var location: SourceLocation
        /// The directive, on one line.
        public var text: String
        /// The part; nil for all of it.
        public var part: String?
        /// True if a test reached it.
        public var isCovered: Bool
        /// The target that has to be seen for it.
        package var target: CoverageTarget
    }

    /// The number of things of a kind, and were reached.
    public struct Count: Sendable, Hashable {
        /// The number reached.
        public var covered = 0
        /// The number of all.
        public var all = 0

        /// The share in percent; 100 where there are none.
        public var percent: Double { all == 0 ? 100 : Double(covered) * 100 / Double(all) }
    }

    /// Everything that is counted, by kind and place.
    public let items: [Item]
    /// The names of the rule files.
    package let files: [String]

    package init(_ ruleSet: RuleSet, _ counts: CoverageRecorder.Counts) {
        let program = ruleSet.program
        files = program.tables.files
        var items: [Item] = []
        var texts: [SourcePosition: String] = [:]
        func add(_ kind: Kind, at position: SourcePosition, target: CoverageTarget, part: String? = nil) {
            guard let location = program.location(of: position) else { return }
            let text = texts[position] ?? ruleSet.text(at: position)
            texts[position] = text
            let isCovered = target.isReached(counts, in: program)
            items.append(
                Item(kind: kind, location: location, text: text, part: part, isCovered: isCovered, target: target)
            )
        }

        for position in Self.rules(of: program) { add(.rules, at: position, target: .rule(position)) }
        for test in Self.tests(of: program) {
            let part = test.number.map { "test \($0), " } ?? ""
            for outcome in [true, false] {
                let target: CoverageTarget =
                    switch test.source {
                    case .condition(let index): .condition(index, at: test.pc, outcome)
                    case .matcher: .matcher(at: test.pc, outcome)
                    }
                add(.branches, at: test.position, target: target, part: part + "\(outcome)")
            }
            guard case .condition(let index) = test.source, program.tables.conditions[index].isVersionBoundary else {
                continue
            }
            let orders: [(String, Ordering)] = [("below", .less), ("equal", .equal), ("above", .greater)]
            for (name, order) in orders {
                add(.boundaries, at: test.position, target: .boundary(index, at: test.pc, order), part: part + name)
            }
        }
        for entry in TableEntries.all(of: ruleSet) { add(.entries, at: entry.position, target: entry.target) }
        for (pattern, positions) in ExpressionPlaces.all(of: program) {
            let expression = program.expressions.expressions[pattern.position]
            guard let probe = AlternativeProbe(expression) else { continue }
            for position in positions {
                for (number, way) in probe.ways.enumerated() {
                    let target = CoverageTarget.way(pattern, number, at: position)
                    add(.alternatives, at: position, target: target, part: way.text(in: expression.pattern))
                }
            }
        }
        for (index, server) in program.tables.servers.enumerated() {
            add(.servers, at: server.position, target: .server(index))
        }
        for (index, location) in program.tables.locations.enumerated() {
            add(.locations, at: location.position, target: .location(index))
        }
        for route in program.tables.routes?.routes ?? [] {
            items.append(
                Item(
                    kind: .routes,
                    location: route.origin,
                    text: "route \(route.fullPattern.text) \(route.displayName)",
                    isCovered: counts.routes.contains(route.id),
                    target: .route(route.id)
                )
            )
        }
        self.items = items
    }

    /// The number of things of a kind.
    public func count(_ kind: Kind) -> Count {
        var count = Count()
        for item in items where item.kind == kind {
            count.all += 1
            if item.isCovered { count.covered += 1 }
        }
        return count
    }

    /// The parts that no test reached.
    public var missing: [Item] { items.filter { !$0.isCovered } }

    // MARK: What there is

    /// The places of all rules that decide or change something.
    private static func rules(of program: Program) -> [SourcePosition] {
        var found = Set(program.countedPositions)
        for instruction in program.tables.instructions {
            switch instruction.operation {
            case .set, .decode, .encode: found.insert(instruction.position)
            default: break
            }
        }
        found.remove(.none)
        return found.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// A place where the rules may go one way or the other.
    private struct Test {
        enum Source {
            case condition(ConditionIndex)
            case matcher
        }

        var source: Source
        /// The instruction.
        var pc: Int
        var position: SourcePosition
        /// Its number among the tests of a directive; nil where it is the only one.
        var number: Int?
    }

    private static func tests(of program: Program) -> [Test] {
        var tests: [Test] = []
        var counts: [SourcePosition: Int] = [:]
        for (pc, instruction) in program.tables.instructions.enumerated() {
            switch instruction.operation {
            case .test, .testNot:
                counts[instruction.position, default: 0] += 1
                tests.append(
                    Test(
                        source: .condition(ConditionIndex(instruction.a)),
                        pc: pc,
                        position: instruction.position,
                        number: counts[instruction.position]
                    )
                )
            case .match, .renameHost, .rewriteURL, .degrade, .block:
                tests.append(Test(source: .matcher, pc: pc, position: instruction.position))
            default: break
            }
        }
        for index in tests.indices where counts[tests[index].position] == 1 { tests[index].number = nil }
        return tests
    }
}
