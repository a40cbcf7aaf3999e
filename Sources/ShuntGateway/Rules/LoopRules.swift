#if Gateway
import NIOCore
import Shunt
import ShuntTools

/// The rules as one event loop sees them: used on it only.
///
/// Reading takes no lock, and touches nothing that other loops write, until the rules change.
final class LoopRules {
    /// The number of the loop: the shard that it counts in.
    let shard: Int
    private let reader: RuleReader
    /// The rules that decided last.
    private(set) var basis: DecisionBasis?
    private let table: CounterTable
    private var counters: RuleCounters?
    /// The names of headers by the rules that decided last.
    private(set) var names = HeaderNameTable()
    /// The headers that the rules read that decided last.
    private(set) var readHeaders = ReadHeaders()
    /// True if those rules read which servers were tried.
    private(set) var readsAttempts = false
    /// The parts of requests that the last rules read; kept if they are needed.
    private(set) var reads = RequestReads([])
    private let keepsReads: Bool
    private let peers: PeerTable
    /// The place where requests are noted for the gate; nil where no one asks about them.
    private let sample: RequestSample?
    /// The upstream groups of the rules that decided last.
    private(set) var groups = GroupTable()
    /// The version of the addresses in `groups`.
    private var groupsVersion = 0
    /// The rewriter of those rules for the Locations of upstreams; nil before the first decision.
    private(set) var rewriter: LocationRewriter?
    /// The access logs of each list of those rules; none where they are not written.
    private(set) var logs: [[RuleLog]] = []
    private let ruleLogs: RuleLogs?
    /// The gates of the rules that decided last; nil where they have none.
    private(set) var gates: RuleGates?
    private let keeper: GateKeeper?
    /// The connections to upstreams.
    let upstreams: UpstreamPool
    let hosts = HostCache()
    let headers = HeaderCache()
    let date = DateLine()
    private var spare: ByteBuffer?
    /// The memory for effects of the exchange that is at work.
    var spareEffects = Exchange.Effects()
    private static let spareLimit = 65_536

    init(
        shard: Int,
        reader: RuleReader,
        table: CounterTable,
        peers: PeerTable,
        sample: RequestSample?,
        keepsReads: Bool,
        upstreams: UpstreamPool,
        logs ruleLogs: RuleLogs?,
        gates keeper: GateKeeper?
    ) {
        self.shard = shard
        self.reader = reader
        self.table = table
        self.peers = peers
        self.sample = sample
        self.keepsReads = keepsReads
        self.upstreams = upstreams
        self.ruleLogs = ruleLogs
        self.keeper = keeper
        upstreams.isInUse = { [weak self] group, endpoint in self?.hasServer(group, endpoint) ?? false }
    }

    /// Hands one version of the rules to `body`.
    ///
    /// - Throws: What `body` throws.
    func withRules<Failure: Error>(_ body: (RuleSnapshot) throws(Failure) -> Void) throws(Failure) {
        try reader.withSnapshot { (snapshot) throws(Failure) in
            if basis?.rules !== snapshot { basis = DecisionBasis(snapshot) }
            adopt(snapshot.ruleSet)
            try body(snapshot)
        }
    }

    /// Hands the rules to `body` that decided about a request before.
    ///
    /// - Throws: What `body` throws.
    func withRules<Failure: Error>(
        of basis: DecisionBasis,
        _ body: (RuleSnapshot) throws(Failure) -> Void
    ) throws(Failure) {
        adopt(basis.rules.ruleSet)
        try body(basis.rules)
    }

    /// Decides about a request within `withRules`, and counts the decision for the rule that made it.
    ///
    /// - Parameters:
    ///   - question: The request.
    ///   - snapshot: The rules.
    ///   - context: The context of a request that is passed on; nil where another proxy does that.
    ///   - seconds: The time.
    ///   - body: What reads the decision.
    /// - Returns: What `body` returns; nil for a request that takes long to decide about.
    func withDecision<Result>(
        for question: borrowing RuleRequest,
        by snapshot: RuleSnapshot,
        in context: ServingContext?,
        at seconds: Int64,
        _ body: (borrowing DecisionView) -> Result
    ) -> Result? {
        sample?.note(question, reads: reads, at: seconds)
        return snapshot.engine.withQuickDecision(for: question, in: context) { decision in
            counters?.count(decision, shard: shard, at: Timestamp(seconds: seconds))
            return body(decision)
        }
    }

    /// Reads a decision that took long, by the rules that made it, and counts it.
    ///
    /// - Parameters:
    ///   - held: The decision.
    ///   - snapshot: The rules.
    ///   - seconds: When the request came.
    ///   - body: What reads it.
    /// - Returns: What `body` returns.
    func withDecision<Result>(
        _ held: HeldDecision,
        by snapshot: RuleSnapshot,
        at seconds: Int64,
        _ body: (borrowing DecisionView) -> Result
    ) -> Result {
        adopt(snapshot.ruleSet)
        return held.withView { decision in
            counters?.count(decision, shard: shard, at: Timestamp(seconds: seconds))
            return body(decision)
        }
    }

    /// Makes what the loop keeps of a rule set, where it is another one than before.
    func adopt(_ ruleSet: RuleSet) {
        let version = peers.version
        guard counters?.ruleSet !== ruleSet else {
            if version != groupsVersion { adoptGroups(ruleSet, version) }
            return
        }
        counters = table.counters(of: ruleSet)
        names = HeaderNameTable(ruleSet)
        readHeaders = ReadHeaders(ruleSet)
        readsAttempts = ruleSet.readsAttempts
        if keepsReads { reads = RequestReads([ruleSet]) }
        adoptGroups(ruleSet, version)
        rewriter = LocationRewriter(ruleSet)
        logs = ruleLogs?.table(ruleSet) ?? []
        gates = keeper?.gates(of: ruleSet)
    }

    private func adoptGroups(_ ruleSet: RuleSet, _ version: Int) {
        groups = peers.table(of: ruleSet)
        groupsVersion = version
    }

    /// The access logs for requests that no one has decided about, by the newest rules.
    func defaultLogs(at endpoint: RuleRequest.Endpoint?) -> [RuleLog] {
        guard ruleLogs != nil else { return [] }
        reader.withSnapshot { adopt($0.ruleSet) }
        return adoptedDefaultLogs(at: endpoint)
    }

    /// The access logs for requests that reached no server of the rules that decided last.
    func adoptedDefaultLogs(at endpoint: RuleRequest.Endpoint?) -> [RuleLog] {
        guard let ruleSet = counters?.ruleSet else { return [] }
        return logs(in: ruleSet.defaultAccessLogs(at: endpoint))
    }

    /// The access logs of a list of the rules; none where they are not written.
    func logs(in list: AccessLogList) -> [RuleLog] {
        list.number.flatMap { logs.indices.contains($0) ? logs[$0] : nil } ?? []
    }

    /// A buffer to write answers into.
    func takeSpare() -> ByteBuffer {
        guard var spare else { return ByteBuffer() }
        self.spare = nil
        spare.clear()
        return spare
    }

    /// Takes a buffer back that has been sent, for the next answer on any connection.
    func keepSpare(_ buffer: ByteBuffer) { if buffer.capacity <= Self.spareLimit { spare = buffer } }

    /// Returns true if a group of the newest rules has a server.
    private func hasServer(_ group: String, _ endpoint: UpstreamEndpoint) -> Bool {
        reader.withSnapshot { adopt($0.ruleSet) }
        return groups.group(named: group)?.has(endpoint.place) ?? false
    }
}

/// The rules that decided about a request, for deciding about it again once an upstream has answered.
///
/// An object of each event loop: keeping it touches no count that other loops touch. Used on its loop only.
final class DecisionBasis {
    let rules: RuleSnapshot

    init(_ rules: RuleSnapshot) { self.rules = rules }
}
#endif
