#if Gateway && Command && Fleet
import Shunt
import ShuntFleet
import ShuntGateway
import Synchronization

/// The rules of a gateway that is a node of a fleet.
final class FleetRules: GatewayRules {
    private struct State {
        var follower: FleetFollower?
        var totals: (@Sendable () -> GatewayTotals)?
        /// The release that serves, and what had been counted when it came into use.
        var serving = 0
        var before = GatewayTotals()
        /// The counts of a short time ago, the oldest first.
        var recent: [(time: Duration, totals: GatewayTotals)] = []
    }

    /// The span in which the slowest requests are searched, so that nodes are compared over the same minutes.
    private static let window = Duration.seconds(60)

    private let configuration: NodeConfiguration
    private let directory: String
    private let carrier: any FleetCarrier
    private let interval: Duration
    private let state = Mutex(State())

    init(_ configuration: NodeConfiguration, directory: String, carrier: any FleetCarrier, interval: Duration) {
        self.configuration = configuration
        self.directory = directory
        self.carrier = carrier
        self.interval = interval
    }

    func open(_ store: RuleStore.Options) async throws -> RuleStore {
        var options = FleetFollower.Options()
        options.interval = interval
        options.note = { Failure.report("shunt: fleet: \($0)") }
        options.counters = { [weak self] serving in self?.counters(of: serving) ?? NodeStatus.Counters() }
        let follower = FleetFollower(
            configuration,
            directory: directory,
            carriers: [carrier],
            options: options,
            store: store
        )
        state.withLock { $0.follower = follower }
        return try await follower.open()
    }

    func run(_ totals: @escaping @Sendable () -> GatewayTotals) async {
        let follower = state.withLock { state in
            state.totals = totals
            return state.follower
        }
        await follower?.run()
    }

    func look() async { await state.withLock { $0.follower }?.look() }

    func release() async -> GatewayRelease? {
        guard let follower = state.withLock({ $0.follower }), let status = await follower.status else { return nil }
        return GatewayRelease(
            node: status.node,
            serving: status.serving,
            sequence: status.sequence,
            state: status.state.rawValue,
            error: status.error,
            condition: await follower.condition,
            contactAge: await follower.contactAge
        )
    }

    func fleet() async throws -> [UInt8] {
        try await FleetReport(of: carrier, trusted: configuration.keys).encoded + Array("\n".utf8)
    }

    /// Returns the counts of requests since a release is in use.
    private func counters(of serving: Int) -> NodeStatus.Counters {
        state.withLock { state in
            let now = state.totals?() ?? GatewayTotals()
            let time = SystemStoreClock().now
            if serving != state.serving {
                (state.serving, state.before) = (serving, now)
                state.recent = []
            }
            state.recent.append((time, now))
            while state.recent.count > 2, time - state.recent[1].time >= Self.window { state.recent.removeFirst() }
            var counters = NodeStatus.Counters()
            counters.requests = max(0, now.requests - state.before.requests)
            counters.fail = max(0, now.failures - state.before.failures)
            counters.clientErrors = max(0, now.clientErrors - state.before.clientErrors)
            counters.serverErrors = max(0, now.serverErrors - state.before.serverErrors)
            counters.slowMicroseconds = now.slowMicroseconds(since: state.recent[0].totals)
            return counters
        }
    }
}
#endif
