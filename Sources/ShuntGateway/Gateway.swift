#if Gateway
import Dispatch
import Foundation
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
public import Shunt
import ShuntServices
import ShuntTools

/// A gateway: decides about the requests that come in by a rule set, answers them, or forwards them to an upstream.
///
/// A service: it runs until it is shut down gracefully, which lets the requests in progress end.
public struct Gateway: Service {
    private let options: GatewayOptions
    private let store: RuleStore
    private let counters: CounterTable
    private let peers: PeerTable
    private let gate: ChangeGate?
    private let samples: [RequestSample]
    private let served: ServedRules
    private let log: AccessLog?
    private let ruleLogs: RuleLogs?
    private let logger: Logger
    private let bound: BoundPorts
    private let tls: TLSContexts
    private let listeners: [Listener]

    /// Loads the rules and makes a gateway; it listens when it is run.
    ///
    /// - Throws: A `ReloadError` when the rules cannot be used and there is no last-known-good copy of them, a
    ///   `SystemCallError` when the access log cannot be opened.
    public init(_ options: GatewayOptions, logger: Logger) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let shards = group.makeIterator().reduce(0) { count, _ in count + 1 }
        let counters = CounterTable(shards: shards, countsEntries: options.countsEntries)
        let peers = PeerTable()
        var storeOptions = options.store
        // Two logs of the same requests are one too many; a release of a fleet writes no files of a node, and what another proxy asks
        // about is logged there.
        let writesLogs = options.writesLogsOfRules && options.accessLog == nil && options.decisionService == nil
        let ruleLogs = writesLogs && options.source == nil ? RuleLogs(options, logger) : nil
        self.ruleLogs = ruleLogs
        var engineOptions = options.engine
        engineOptions.givesLogValues = ruleLogs != nil
        // The gateway has refused longer ones before.
        engineOptions.headerLimit = options.maximumHeaderBytes
        let namesEntries = options.countsEntries || options.accessLogFormat.hasEntries
        storeOptions.makeEngine = { [engineOptions] ruleSet in
            var options = engineOptions
            options.namesEntries = namesEntries || ruleSet.logsEntries
            return Engine(ruleSet, options: options)
        }
        var gate: ChangeGate?
        var samples: [RequestSample] = []
        if options.gate.isActive {
            if options.gate.maximumChanged != nil, options.gateSample > 0 {
                let share = (options.gateSample + shards - 1) / shards
                samples = (0..<shards).map { _ in RequestSample(capacity: share) }
            }
            let guarding = Self.gate(options, samples: samples, logger: logger)
            guarding.guard(&storeOptions)
            gate = guarding
        }
        let tls = TLSContexts(rules: options.rules)
        let hasReleases = options.source != nil
        let validate = storeOptions.validate
        storeOptions.validate = { candidate in
            try validate(candidate)
            try options.checkServed(candidate.ruleSet, logger)
            let listeners = options.listeners.isEmpty ? Listener.all(of: candidate.ruleSet) : options.listeners
            if writesLogs, ruleLogs == nil { RuleLogs.refuse(candidate.ruleSet, logger) }
            try tls.prepare(candidate.ruleSet, for: listeners + listeners.flatMap(\.others))
            // What served before, as a copy or as a release of a fleet, serves without the servers whose names have no address yet.
            let served = candidate.isLastKnownGood || candidate.current == nil && hasReleases
            try peers.prepare(candidate.ruleSet, replacing: candidate.current?.ruleSet, allowsMissing: served)
            counters.prepare(candidate.ruleSet, replacing: candidate.current?.ruleSet)
        }
        let refresh = NameRefresh(peers, on: group.next(), logger: logger)
        storeOptions.observers.append { refresh.tell($0) }
        let changes = ListenChanges()
        storeOptions.observers.append { event in
            guard case .reload(let report) = event else { return }
            counters.counters(of: report.snapshot.ruleSet).takeOver()
            ruleLogs?.keep(report.snapshot.ruleSet)
            for failure in tls.refresh(report.snapshot.ruleSet, logger) { logger.warning("\(failure)") }
            if options.listeners.isEmpty { changes.tell(Listener.all(of: report.snapshot.ruleSet), logger) }
        }
        storeOptions.log(to: logger, leavingOut: .onlyServed)
        let history = ReloadHistory()
        let live = LiveEvents(loops: shards, showsValues: options.showsArgumentValues)
        storeOptions.observers.append { event in
            history.note(event)
            live.tell(event)
        }
        storeOptions.ignoresUnknownDirectives = options.ignoresUnknownDirectives
        store = try await Self.store(options, storeOptions)
        if !hasReleases { refresh.onRetry { [weak store] in _ = await store?.reload(trigger: .source) } }
        self.counters = counters
        self.peers = peers
        self.tls = tls
        self.gate = gate
        self.samples = samples
        served = ServedRules(
            store: store,
            counters: counters,
            gate: gate,
            history: history,
            live: live,
            traffic: TrafficSeries(),
            routeHits: RouteHits(loops: shards),
            engine: engineOptions,
            ignoresUnknownDirectives: options.ignoresUnknownDirectives,
            logger: logger,
            source: options.source
        )
        log = try options.accessLog.map { path throws(SystemCallError) in
            try AccessLog(path: path, limit: options.logQueueBytes, logger)
        }
        self.options = options
        self.logger = logger
        listeners = options.listeners.isEmpty ? Listener.all(of: store.snapshot.ruleSet) : options.listeners
        guard !listeners.isEmpty else { throw ListenError.nowhere }
        bound = BoundPorts(group.next(), listeners: listeners.count)
        UnknownInputHeaders.warn(options.inputHeaders, ruleSet: store.snapshot.ruleSet, logger: logger)
    }

    private static func store(_ options: GatewayOptions, _ storeOptions: RuleStore.Options) async throws -> RuleStore {
        if let source = options.source { return try await source.open(storeOptions) }
        var sourceOptions = DirectorySource.Options()
        sourceOptions.trustedDirectories = options.trustedDirectories
        sourceOptions.ignoresUnknownDirectives = options.ignoresUnknownDirectives
        let source = DirectorySource(options.rules, options: sourceOptions, clock: storeOptions.clock)
        return try await RuleStore.open(source, options: storeOptions)
    }

    private static func gate(_ options: GatewayOptions, samples: [RequestSample], logger: Logger) -> ChangeGate {
        var gate = options.gate
        gate.engine = options.engine
        return ChangeGate(gate) {
            samples.flatMap(\.requests)
        } warn: { report in
            logger.warning("rules: \(report.summary)", metadata: ["hash": "\(report.contentHash.prefix(12))"])
        }
    }

    /// The port of the first listener; waits until all listen.
    ///
    /// - Throws: When the gateway has ended without having listened.
    public func port() async throws -> Int { try await ports()[0] }

    /// The ports of the listeners in their order, 0 for a Unix socket; waits until all listen.
    ///
    /// - Throws: When the gateway has ended without having listened.
    public func ports() async throws -> [Int] { try await bound.main.futureResult.get() }

    /// The port of the admin listener; waits until it listens.
    ///
    /// - Throws: When the gateway has ended without having listened.
    public func adminPort() async throws -> Int { try await bound.admin.futureResult.get() }

    /// Loads the rules again.
    ///
    /// When they are wrong, the old ones continue serving, and the error is logged.
    @discardableResult
    public func reload() async -> ReloadReport { await reload(by: .call) }

    /// Loads the rules again, and logs what made it do so.
    @discardableResult
    func reload(by trigger: ReloadTrigger) async -> ReloadReport {
        await options.source?.look()
        return await store.reload(trigger: trigger)
    }

    /// Continues in a new file of the access log's name, after the old one was renamed.
    ///
    /// - Throws: When the new one cannot be opened; lines continue to the old one then.
    public func reopenLog() throws(SystemCallError) {
        try log?.reopen()
        try ruleLogs?.reopen()
    }

    /// Listens at all addresses; connections wait until the gateway is run.
    ///
    /// - Throws: The reason why an address cannot be used; the gateway listens nowhere then.
    func listen() throws(ListenError) {
        try bound.open { () throws(ListenError) in
            var inherited = InheritedSockets(options.inheritsSockets ? ProcessInfo.processInfo.environment : [:])
            var sockets = BoundPorts.Sockets()
            do throws(ListenError) {
                for listener in listeners {
                    let given = inherited.take(for: listener)
                    sockets.isInherited.append(given != nil)
                    let (isShared, mode) = (options.sharesPorts, options.socketMode)
                    let socket =
                        if let given { ListenSocket(inherited: given) } else {
                            try ListenSocket(listener, among: listeners, isShared: isShared, mode: mode)
                        }
                    sockets.main.append(socket)
                }
                inherited.closeOthers(logger)
                if let admin = adminListener {
                    // The admin socket is for the user of the gateway only.
                    sockets.admin = try ListenSocket(admin, among: [], isShared: options.sharesPorts, mode: 0o600)
                }
            } catch {
                for socket in sockets.main { socket.close() }
                throw error
            }
            return sockets
        }
    }

    private var adminListener: Listener? {
        var listener = (options.adminSocket.map { .unix($0) } ?? options.admin.map { .socket($0) }).map { Listener($0) }
        listener?.origin = options.adminOrigin
        return listener
    }

    /// Serves until it is shut down.
    ///
    /// To be called once.
    public func run() async throws {
        defer { bound.close() }
        do throws(ListenError) {
            try listen()
        } catch {
            bound.close(error)
            throw error
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let core = GatewayCore(
            options: options,
            store: store,
            counters: counters,
            peers: peers,
            gate: gate,
            samples: samples,
            log: log,
            ruleLogs: ruleLogs,
            tls: tls,
            group: group,
            logger: logger,
            live: served.live,
            routeHits: served.routeHits
        )
        let flushing = group.next()
            .scheduleRepeatedTask(initialDelay: .milliseconds(500), delay: .milliseconds(500)) {
                [log, ruleLogs] _ in
                log?.flush()
                ruleLogs?.flush()
            }
        let sampling = sampleTraffic(core, on: group.next())
        defer {
            flushing.cancel()
            sampling?.cancel()
            let deadline = DispatchTime.now() + AccessLog.lastWait
            log?.finish(before: deadline)
            ruleLogs?.finish(before: deadline)
        }
        // Services end in reverse order, so the admin listener still answers while requests end.
        let notice = DrainNotice(
            ports: bound,
            logger: logger,
            delay: options.shutdownDelay,
            seconds: options.shutdownTimeout
        )
        let certificates = CertificateWatch(contexts: tls, store: store, logger: logger)
        var services = listening(core, group) + [LiveEventsEnd(live: served.live), notice, certificates]
        if let source = options.source {
            services.append(ReleaseService(source: source, core: core))
        } else if options.watchesRules {
            services.append(RuleReloadService(store, reloadsOnHangup: options.reloadsOnHangup))
        }
        if let admin = adminListener, let socket = bound.sockets.admin {
            services.insert(adminService(core, listener: admin, socket: socket, group: group), at: 0)
        }
        var configuration = ServiceGroupConfiguration(services: services, logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(options.shutdownDelay + options.shutdownTimeout)
        defer { core.closeUpstreams() }
        try await ServiceGroup(configuration: configuration).run()
        logger.notice("the gateway has stopped")
    }

    /// Counts every few seconds for the page, where there is one.
    private func sampleTraffic(_ core: GatewayCore, on loop: any EventLoop) -> RepeatedTask? {
        guard options.admin != nil || options.adminSocket != nil else { return nil }
        let pause = TimeAmount.seconds(TrafficSeries.pause)
        return loop.scheduleRepeatedTask(initialDelay: .zero, delay: pause) { [traffic = served.traffic] _ in
            traffic?.sample(core.metrics)
        }
    }

    private func listening(_ core: GatewayCore, _ group: MultiThreadedEventLoopGroup) -> [any Service] {
        let sockets = bound.sockets
        return listeners.enumerated()
            .map { [bound, logger] index, listener in
                let channels = GatewayChannel(core: core, listener: listener)
                return ListenService(
                    socket: sockets.main[index],
                    isShared: sockets.isInherited[index],
                    limit: options.maximumConnections,
                    group: group,
                    setUp: { channels.setUp($0) },
                    whenListening: { channel in
                        let port = channel.localAddress?.port ?? 0
                        logger.notice("requests come in at \(listener.shown(port: port))")
                        bound.listener(index, listensAt: port)
                    }
                )
            }
    }

    private func adminService(
        _ core: GatewayCore,
        listener: Listener,
        socket: ListenSocket,
        group: MultiThreadedEventLoopGroup
    ) -> ListenService {
        var names = options.adminHosts
        if case .socket(let endpoint) = listener.address {
            names.append(endpoint.host)
            if !endpoint.isLoopback, options.adminToken == nil {
                logger.warning(
                    "the admin listener can be reached from other machines, and has no authentication",
                    metadata: ["admin": "\(endpoint)"]
                )
            }
        }
        let guarding = AdminGuard(names: names, token: options.adminToken)
        let routes = AdminRouter.make(core, served, guarding: guarding) { [bound] in bound.isListening }
        return ListenService(
            socket: socket,
            isShared: false,
            limit: AdminConnection.limit,
            group: group,
            setUp: { AdminConnection.setUp($0, routes) },
            whenListening: { [bound, logger] channel in
                let port = channel.localAddress?.port ?? 0
                logger.notice("the admin listener is at \(listener.shown(port: port))")
                bound.admin.succeed(port)
            }
        )
    }
}
#endif
