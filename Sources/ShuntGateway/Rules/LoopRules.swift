#if Gateway
import Shunt

/// The rules as one event loop sees them: used on it only.
///
/// Reading takes no lock, and touches nothing that other loops write, until the rules change.
final class LoopRules {
    /// The number of the loop: the shard that it counts in.
    let shard: Int
    private let reader: RuleReader
    private let table: CounterTable
    private var counters: RuleCounters?

    init(shard: Int, reader: RuleReader, table: CounterTable) {
        self.shard = shard
        self.reader = reader
        self.table = table
    }

    /// Decides about a request by one version of the rules, and counts the decision for the rule that made it.
    func decide(_ request: Request, at seconds: Int64) -> (decision: Decision, version: Int) {
        reader.withSnapshot { snapshot in
            let decision = snapshot.engine.decide(request)
            if counters?.ruleSet !== snapshot.ruleSet { counters = table.counters(of: snapshot.ruleSet) }
            counters?.count(decision, shard: shard, at: seconds)
            return (decision, snapshot.version)
        }
    }
}
#endif
