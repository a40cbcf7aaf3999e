public import ShuntCore
public import ShuntRules
import Synchronization

/// Counts for every rule of a rule set how often it decided, and when it last did.
///
/// Thread safe. A rule costs 16 bytes a shard, taken when the shard counts for the first time. With a separate shard
/// for every thread that decides, counting is never contended; with fewer shards it is still exact.
public final class RuleCounters: Sendable {
    /// The counts of one rule.
    public struct Count: Sendable, Hashable {
        /// The place of the rule: file, line and column.
        public var rule: SourceLocation
        /// The directive on one line, without its block.
        public var text: String
        /// The number of decisions it made.
        public var hits: UInt64
        /// The time of the last one, in whole seconds; nil when there was none.
        public var lastHit: Timestamp?
        /// The time since which the rule is counted without a gap.
        public var since: Timestamp
    }

    /// The cost of a rule in each shard that has counted, in bytes.
    public static var bytesPerRule: Int { CounterShard.bytesPerRule }

    /// The rule set whose rules are counted.
    public let ruleSet: RuleSet
    /// In their order, so that one is found by halving.
    private let positions: [SourcePosition]
    private let shards: [CounterShard]
    private let inheritance: Mutex<Inheritance>
    private let started = Timestamp.now().seconds

    private typealias Total = (hits: UInt64, last: Int64)

    /// The counts of the same rules in earlier rule sets.
    private struct Carried {
        /// By index.
        var totals: [Int: Total] = [:]
        /// The time since which each rule is counted, by index; empty if that is the start of these counters.
        var since: [Int64] = []
    }

    /// Finding the same rules takes as long as a good part of a reload, so it is done when someone wants to know.
    private enum Inheritance {
        case due(from: RuleCounters)
        case taken(Carried)
    }

    /// Makes counters.
    ///
    /// Rules that were in the rule set before continue from what they had: a rule is the same when it has the same
    /// text in a file of the same name. What they had is looked up by the first reading, or by `takeOver()`; until
    /// then the counters before are kept. Linear in the number of rules.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - countsEntries: Whether the entries of `map`, `geo` and `split_clients` are counted, too: each once for a decision that it
    ///     supplied a value for, in addition to the rule. The engine has to name them: `Engine.Options.namesEntries`.
    ///   - shards: How many threads count, at least 1.
    ///   - previous: The counters of the rule set that this one replaces; nil to begin with zero.
    public init(
        _ ruleSet: RuleSet,
        countsEntries: Bool = false,
        shards: Int = 1,
        continuing previous: RuleCounters? = nil
    ) {
        self.ruleSet = ruleSet
        let positions = ruleSet.countedPositions(withEntries: countsEntries)
        self.positions = positions
        self.shards = (0..<max(1, shards)).map { _ in CounterShard(count: positions.count) }
        // No more than one rule set before this one is ever kept.
        previous?.takeOver()
        inheritance = Mutex(previous.map { .due(from: $0) } ?? .taken(Carried()))
    }

    /// Takes over what the same rules had counted before, and lets go of the counters before.
    ///
    /// To be called off the hot path once the rule set is in use. Linear in the number of rules.
    public func takeOver() { _ = carried() }

    private func carried() -> Carried {
        inheritance.withLock { inheritance in
            switch inheritance {
            case .taken(let carried): return carried
            case .due(let previous):
                let carried = carry(from: previous)
                inheritance = .taken(carried)
                return carried
            }
        }
    }

    /// A rule apart from the line it is in: the number distinguishes equal rules of a file.
    private struct Identity: Hashable {
        var file: String
        var text: String
        var number: Int
    }

    private func carry(from previous: RuleCounters) -> Carried {
        let before = previous.carried()
        var found: [Identity: (total: Total, since: Int64)] = [:]
        Self.forEachIdentity(of: previous.ruleSet, previous.positions) { index, identity in
            found[identity] = (previous.total(index, before), previous.since(index, before))
        }
        var carried = Carried()
        carried.since.reserveCapacity(positions.count)
        Self.forEachIdentity(of: ruleSet, positions) { index, identity in
            let known = found[identity]
            if let known, known.total.hits > 0 { carried.totals[index] = known.total }
            carried.since.append(known?.since ?? started)
        }
        return carried
    }

    private static func forEachIdentity(
        of ruleSet: RuleSet,
        _ positions: [SourcePosition],
        _ body: (Int, Identity) -> Void
    ) {
        var numbers: [Identity: Int] = [:]
        for (index, position) in positions.enumerated() {
            let file = ruleSet.location(of: position)?.file ?? ""
            var identity = Identity(file: file, text: ruleSet.text(at: position), number: 0)
            let number = numbers[identity, default: 0]
            numbers[identity] = number + 1
            identity.number = number
            body(index, identity)
        }
    }

    /// The number of rules that are counted: those that can make a decision, each once wherever it was included.
    public var ruleCount: Int { positions.count }

    /// Counts a decision for the rule that made it; one that no rule made counts for none.
    ///
    /// Takes no lock and does not allocate, but for the shard's memory the first time.
    ///
    /// - Parameters:
    ///   - decision: A decision of an engine with this rule set.
    ///   - shard: The number of the calling thread; taken modulo the number of shards.
    ///   - time: The time of the request.
    public func count(_ decision: Decision, shard: Int = 0, at time: Timestamp = .now()) {
        count(decision.position, shard: shard, seconds: time.seconds)
        for entry in decision.entryPositions { count(entry, shard: shard, seconds: time.seconds) }
    }

    /// Counts a decision that is read where the engine made it; otherwise like the other `count`.
    public func count(_ decision: borrowing DecisionView, shard: Int = 0, at time: Timestamp = .now()) {
        count(decision.position, shard: shard, seconds: time.seconds)
        decision.forEachEntry { count($0, shard: shard, seconds: time.seconds) }
    }

    private func count(_ position: SourcePosition, shard: Int, seconds: Int64) {
        guard let index = index(of: position) else { return }
        shards[Int(UInt(bitPattern: shard) % UInt(shards.count))].count(index, at: seconds)
    }

    private func index(of position: SourcePosition) -> Int? {
        guard position.isPlace else { return nil }
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = low &+ (high &- low) &>> 1
            if positions[middle] < position { low = middle &+ 1 } else { high = middle }
        }
        return low < positions.count && positions[low] == position ? low : nil
    }

    /// The counts of all rules in the order of the rule files.
    ///
    /// Linear in the number of rules and shards.
    public func counts() -> [Count] {
        let carried = carried()
        return positions.indices.map { count(at: $0, carried) }
    }

    /// Returns the counts of each rule in the order of `counts()`, without its text.
    package func totals() -> [(hits: UInt64, last: Int64?, since: Int64)] {
        let carried = carried()
        return positions.indices.map { index in
            let total = total(index, carried)
            return (total.hits, total.hits > 0 ? total.last : nil, since(index, carried))
        }
    }

    /// The counts of the rules that made most decisions, highest first, of those that made any.
    public func highest(_ limit: Int) -> [Count] {
        let carried = carried()
        let totals = positions.indices.map { (index: $0, hits: total($0, carried).hits) }.filter { $0.hits > 0 }
        return totals.sorted { ($0.hits, $1.index) > ($1.hits, $0.index) }.prefix(max(0, limit))
            .map { count(at: $0.index, carried) }
    }

    private func count(at index: Int, _ carried: Carried) -> Count {
        let total = total(index, carried)
        let position = positions[index]
        return Count(
            rule: ruleSet.location(of: position) ?? SourceLocation(file: "", line: 0, column: 0),
            text: ruleSet.text(at: position),
            hits: total.hits,
            lastHit: total.hits > 0 ? Timestamp(seconds: total.last) : nil,
            since: Timestamp(seconds: since(index, carried))
        )
    }

    private func since(_ index: Int, _ carried: Carried) -> Int64 {
        index < carried.since.count ? carried.since[index] : started
    }

    private func total(_ index: Int, _ carried: Carried) -> Total {
        var (hits, last) = carried.totals[index] ?? (0, .min)
        for shard in shards {
            let cell = shard.read(index)
            hits &+= cell.hits
            if cell.hits > 0 { last = max(last, cell.last) }
        }
        return (hits, last)
    }
}
