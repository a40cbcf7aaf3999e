#if Gateway
import Shunt
import ShuntAnalysis

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
    /// What the rules read that decided last; kept where somebody asks for it.
    private(set) var reads = RequestReads([])
    private let keepsReads: Bool
    private let peers: PeerTable
    /// Where requests are noted for the gate; nil where nobody asks about them.
    private let sample: RequestSample?
    /// The upstream groups of the rules that decided last.
    private(set) var groups = GroupTable()

    init(
        shard: Int,
        reader: RuleReader,
        table: CounterTable,
        peers: PeerTable,
        sample: RequestSample?,
        keepsReads: Bool
    ) {
        self.shard = shard
        self.reader = reader
        self.table = table
        self.peers = peers
        self.sample = sample
        self.keepsReads = keepsReads
    }

    /// Decides about a request by one version of the rules, and counts the decision for the rule that made it.
    ///
    /// - Parameters:
    ///   - seconds: The time.
    ///   - ask: Takes the request apart, given the names of headers that there are, and makes one for the rules of it.
    ///   - body: What looks at the decision, with the request, what the rules were asked, and the rules.
    /// - Returns: What `body` returns.
    /// - Throws: What `ask` throws.
    func withDecision<Request, Result, Failure: Error>(
        at seconds: Int64,
        _ ask: (HeaderNames) throws(Failure) -> (Request, RuleRequest),
        _ body: (Request, RuleRequest, borrowing DecisionView, RuleSnapshot) -> Result
    ) throws(Failure) -> Result {
        try reader.withSnapshot { (snapshot) throws(Failure) in
            if counters?.ruleSet !== snapshot.ruleSet {
                counters = table.counters(of: snapshot.ruleSet)
                names = HeaderNames(snapshot.ruleSet)
                if keepsReads { reads = RequestReads([snapshot.ruleSet]) }
                groups = GroupTable(snapshot.ruleSet, peers, continuing: groups)
            }
            let (request, question) = try ask(names)
            sample?.note(question, reads: reads, at: seconds)
            return snapshot.engine.withDecision(for: question) { decision in
                counters?.count(decision, shard: shard, at: seconds)
                return body(request, question, decision, snapshot)
            }
        }
    }
}
#endif
