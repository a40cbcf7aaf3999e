#if Gateway
import AsyncHTTPClient
import Logging
import NIOCore
import Shunt
import ShuntAnalysis

/// What all connections of a gateway share.
final class GatewayCore: Sendable {
    let options: GatewayOptions
    let store: RuleStore
    let counters: CounterTable
    let peers: PeerTable
    /// What holds rules that change too much; nil where any may.
    let gate: ChangeGate?
    let log: AccessLog?
    let client: HTTPClient
    let logger: Logger
    let started = Timestamp.now()
    /// The metrics of each event loop.
    let metrics: [LoopMetrics]
    private let loops: [ObjectIdentifier: NIOLoopBoundBox<LoopRules>]

    init(
        options: GatewayOptions,
        store: RuleStore,
        counters: CounterTable,
        peers: PeerTable,
        gate: ChangeGate?,
        samples: [RequestSample],
        log: AccessLog?,
        client: HTTPClient,
        group: any EventLoopGroup,
        logger: Logger
    ) {
        self.options = options
        self.store = store
        self.counters = counters
        self.peers = peers
        self.gate = gate
        self.log = log
        self.client = client
        self.logger = logger
        var loops: [ObjectIdentifier: NIOLoopBoundBox<LoopRules>] = [:]
        for loop in group.makeIterator() {
            let rules = LoopRules(
                shard: loops.count,
                reader: store.makeReader(),
                table: counters,
                peers: peers,
                sample: loops.count < samples.count ? samples[loops.count] : nil
            )
            loops[ObjectIdentifier(loop)] = NIOLoopBoundBox.makeBoxSendingValue(rules, eventLoop: loop)
        }
        self.loops = loops
        metrics = (0..<max(1, loops.count)).map { _ in LoopMetrics() }
    }

    /// The rules as an event loop of the group sees them; to be called on it.
    func rules(on loop: any EventLoop) -> LoopRules {
        loops[ObjectIdentifier(loop)]?.value
            ?? LoopRules(shard: 0, reader: store.makeReader(), table: counters, peers: peers, sample: nil)
    }
}
#endif
