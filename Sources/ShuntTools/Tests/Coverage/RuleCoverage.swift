public import Shunt
import ShuntPatterns

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
        /// The place where it is.
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
        let model = ruleSet.model
        files = model.files
        var items: [Item] = []
        var texts: [SourcePosition: String] = [:]
        func add(_ kind: Kind, at position: SourcePosition, target: CoverageTarget, part: String? = nil) {
            guard let location = model.location(of: position) else { return }
            let text = texts[position] ?? ruleSet.text(at: position)
            texts[position] = text
            let isCovered = target.isReached(counts)
            items.append(
                Item(kind: kind, location: location, text: text, part: part, isCovered: isCovered, target: target)
            )
        }

        for position in Self.rules(of: model) { add(.rules, at: position, target: .rule(position)) }
        for test in Self.tests(of: model) {
            let part = test.number.map { "test \($0), " } ?? ""
            for outcome in [true, false] {
                let target: CoverageTarget =
                    switch test.source {
                    case .condition(let condition): .condition(condition, at: test.step, outcome)
                    case .matcher: .matcher(at: test.step, outcome)
                    }
                add(.branches, at: test.position, target: target, part: part + "\(outcome)")
            }
            guard case .condition(let condition) = test.source, condition.isVersionBoundary else { continue }
            let orders: [(String, Ordering)] = [("below", .less), ("equal", .equal), ("above", .greater)]
            for (name, order) in orders {
                add(
                    .boundaries,
                    at: test.position,
                    target: .boundary(condition, at: test.step, order),
                    part: part + name
                )
            }
        }
        for entry in TableEntries.all(of: model) { add(.entries, at: entry.position, target: entry.target) }
        for (expression, positions) in ExpressionPlaces.all(of: model) {
            let written = expression.expression
            guard let probe = AlternativeProbe(written) else { continue }
            for position in positions {
                for (number, way) in probe.ways.enumerated() {
                    let target = CoverageTarget.way(expression, number, at: position)
                    add(.alternatives, at: position, target: target, part: way.text(in: written.pattern))
                }
            }
        }
        for server in model.servers { add(.servers, at: server.position, target: .server(server)) }
        for location in model.locations { add(.locations, at: location.position, target: .location(location)) }
        for route in model.routes?.routes ?? [] {
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
    private static func rules(of model: RuleModel) -> [SourcePosition] {
        var found = Set(model.ruleSet.countedPositions)
        for step in model.steps where step.assigned != nil { found.insert(step.position) }
        found.remove(.none)
        return found.sorted()
    }

    /// A place where the rules may go one way or the other.
    private struct Test {
        enum Source {
            case condition(RuleModel.Condition)
            case matcher
        }

        var source: Source
        var step: RuleModel.Step
        var position: SourcePosition { step.position }
        /// Its number among the tests of a directive; nil where it is the only one.
        var number: Int?
    }

    private static func tests(of model: RuleModel) -> [Test] {
        var tests: [Test] = []
        var counts: [SourcePosition: Int] = [:]
        for step in model.steps {
            switch step.action {
            case .test(let condition, _):
                counts[step.position, default: 0] += 1
                tests.append(Test(source: .condition(condition), step: step, number: counts[step.position]))
            case .match, .rename, .rewriteURL, .degrade, .block: tests.append(Test(source: .matcher, step: step))
            default: break
            }
        }
        for index in tests.indices where counts[tests[index].position] == 1 { tests[index].number = nil }
        return tests
    }
}
