#if Gateway
import Logging
import NIOCore
import Shunt
import ShuntTools

/// The state that all connections of a gateway share.
final class GatewayCore: Sendable {
    let options: GatewayOptions
    let store: RuleStore
    /// The version of the rules that the gateway began to listen with.
    let firstVersion: Int
    let counters: CounterTable
    let peers: PeerTable
    /// The gate that holds rules that change too much; nil without limits.
    let gate: ChangeGate?
    let log: AccessLog?
    /// The access logs of the rules; nil where they are not written.
    let ruleLogs: RuleLogs?
    /// The recording of the values that rules read, for the access log; nil for none.
    let recording: RequestRecording?
    /// The certificates of listeners that speak TLS.
    let tls: TLSContexts
    let group: any EventLoopGroup
    let logger: Logger
    /// The readers of decisions.
    let live: LiveEvents
    let routeHits: RouteHits
    let slowDecisions: SlowDecisions
    /// The gates of rules that need more than a request; nil for a decision service, whose proxy has its own gates.
    private let gates: GateKeeper?
    /// The metrics of each event loop.
    let metrics: [LoopMetrics]
    private let loops: [ObjectIdentifier: NIOLoopBoundBox<LoopRules>]
    /// The most connections of each loop to one upstream.
    private let upstreamLimit: Int

    init(
        options: GatewayOptions,
        store: RuleStore,
        counters: CounterTable,
        peers: PeerTable,
        gate: ChangeGate?,
        samples: [RequestSample],
        log: AccessLog?,
        ruleLogs: RuleLogs?,
        tls: TLSContexts,
        group: any EventLoopGroup,
        logger: Logger,
        live: LiveEvents,
        routeHits: RouteHits
    ) {
        self.options = options
        slowDecisions = SlowDecisions(limit: options.slowDecisionLimit)
        let directory = TLSContexts.directory(ofRules: options.rules)
        gates = options.decisionService == nil ? GateKeeper(directory: directory, logger: logger) : nil
        self.store = store
        firstVersion = store.snapshot.version
        self.counters = counters
        self.peers = peers
        self.gate = gate
        recording = options.logsReads && log != nil ? Self.recording(options) : nil
        self.log = log
        self.ruleLogs = ruleLogs
        self.tls = tls
        self.group = group
        self.logger = logger
        self.live = live
        self.routeHits = routeHits
        var loops: [ObjectIdentifier: NIOLoopBoundBox<LoopRules>] = [:]
        let count = group.makeIterator().reduce(0) { count, _ in count + 1 }
        upstreamLimit = (options.maximumUpstreamConnections + count - 1) / max(1, count)
        for loop in group.makeIterator() {
            let rules = LoopRules(
                shard: loops.count,
                reader: store.makeReader(),
                table: counters,
                peers: peers,
                sample: loops.count < samples.count ? samples[loops.count] : nil,
                keepsReads: !samples.isEmpty || recording != nil,
                upstreams: UpstreamPool(loop, tls: tls.upstreams, names: peers.names, limit: upstreamLimit),
                logs: ruleLogs,
                gates: gates
            )
            loops[ObjectIdentifier(loop)] = NIOLoopBoundBox.makeBoxSendingValue(rules, eventLoop: loop)
        }
        self.loops = loops
        metrics = (0..<max(1, loops.count)).map { _ in LoopMetrics() }
    }

    private static func recording(_ options: GatewayOptions) -> RequestRecording {
        var random = SystemRandomNumberGenerator()
        return RequestRecording(
            masking: options.logMasks,
            key: (0..<32).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        )
    }

    /// The rules as an event loop of the group sees them; to be called on it.
    func rules(on loop: any EventLoop) -> LoopRules {
        loops[ObjectIdentifier(loop)]?.value
            ?? LoopRules(
                shard: 0,
                reader: store.makeReader(),
                table: counters,
                peers: peers,
                sample: nil,
                keepsReads: true,
                upstreams: UpstreamPool(loop, tls: tls.upstreams, names: peers.names, limit: upstreamLimit),
                logs: ruleLogs,
                gates: gates
            )
    }

    /// The lines and bytes of the access logs that could not be written.
    var lostFromLogs: (lines: Int, bytes: Int) {
        let logs = (log.map { [$0] } ?? []) + (ruleLogs?.all ?? [])
        return logs.reduce((0, 0)) { ($0.0 + $1.lostLines, $0.1 + $1.lostBytes) }
    }

    /// Closes the connections to upstreams, when no requests are in progress any more.
    func closeUpstreams() {
        for loop in group.makeIterator() {
            guard let rules = loops[ObjectIdentifier(loop)] else { continue }
            loop.execute { rules.value.upstreams.close() }
        }
    }
}
#endif
