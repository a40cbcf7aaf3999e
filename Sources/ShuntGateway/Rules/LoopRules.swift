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
    private var names = HeaderNames()

    init(shard: Int, reader: RuleReader, table: CounterTable) {
        self.shard = shard
        self.reader = reader
        self.table = table
    }

    /// Decides about a request by one version of the rules, and counts the decision for the rule that made it.
    ///
    /// - Parameters:
    ///   - seconds: The time.
    ///   - ask: Makes the request, given the names of headers that there are.
    /// - Returns: The decision, and the version of the rules that made it.
    /// - Throws: What `ask` throws.
    func decide<Failure: Error>(
        at seconds: Int64,
        _ ask: (HeaderNames) throws(Failure) -> RuleRequest
    ) throws(Failure) -> (decision: Decision, version: Int) {
        try reader.withSnapshot { (snapshot) throws(Failure) in
            if counters?.ruleSet !== snapshot.ruleSet {
                counters = table.counters(of: snapshot.ruleSet)
                names = HeaderNames(snapshot.ruleSet)
            }
            let decision = snapshot.engine.decide(try ask(names))
            counters?.count(decision, shard: shard, at: seconds)
            return (decision, snapshot.version)
        }
    }
}
#endif
