#if Gateway
import Hummingbird
public import Logging
import NIOPosix
import ServiceLifecycle
import Shunt
import ShuntServices
import UnixSignals

/// The page as a separate program, for someone who edits rules: no requests come in.
public struct PageProgram: Sendable {
    private let rules: ServedRules
    private let endpoint: SocketEndpoint
    private let logger: Logger

    /// Loads rules.
    ///
    /// - Parameters:
    ///   - path: A directory of rule files, one rule file, or an `nginx.conf`.
    ///   - trusted: Directories that an `include` may lead to.
    ///   - ignoresUnknown: Whether unknown directives are ignored.
    ///   - endpoint: Where the page is.
    ///   - coverage: What the tests of the rules reach, as JSON; called whenever someone looks.
    ///   - logger: Called after reloads.
    /// - Throws: A `ReloadError` when the rules cannot be used.
    public init(
        rules path: String,
        trusting trusted: [String],
        ignoringUnknownDirectives ignoresUnknown: Bool,
        at endpoint: SocketEndpoint,
        coverage: @escaping @Sendable () -> [UInt8],
        logger: Logger
    ) async throws {
        var options = RuleStore.Options()
        let counters = CounterTable(shards: 1)
        let history = ReloadHistory()
        let live = LiveEvents(loops: 1, showsValues: true)
        options.validate = { counters.prepare($0.ruleSet, replacing: $0.current?.ruleSet) }
        options.observers.append { event in
            history.note(event)
            live.tell(event)
        }
        options.log(to: logger)
        options.ignoresUnknownDirectives = ignoresUnknown
        // Someone who edits wants to see each change.
        options.damping = nil
        var reading = DirectorySource.Options()
        reading.trustedDirectories = trusted
        reading.ignoresUnknownDirectives = ignoresUnknown
        let source = DirectorySource(path, options: reading, clock: options.clock)
        rules = ServedRules(
            store: try await RuleStore.open(source, options: options),
            counters: counters,
            gate: nil,
            history: history,
            live: live,
            traffic: nil,
            routeHits: RouteHits(loops: 1),
            engine: Engine.Options(),
            ignoresUnknownDirectives: ignoresUnknown,
            logger: logger,
            coverage: coverage
        )
        self.endpoint = endpoint
        self.logger = logger
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Throws: The error of the system if the address cannot be listened at.
    public func serve() async throws {
        let listener = Listener(.socket(endpoint))
        let routes = AdminRouter.make(rules, guarding: AdminGuard(names: [endpoint.host]))
        let page = ListenService(
            socket: try ListenSocket(listener, among: [], isShared: false, mode: nil),
            isShared: false,
            limit: AdminConnection.limit,
            group: MultiThreadedEventLoopGroup.singleton,
            setUp: { AdminConnection.setUp($0, routes) },
            whenListening: { [logger, endpoint] channel in
                let port = channel.localAddress?.port ?? 0
                logger.notice("the page is at http://\(SocketEndpoint(host: endpoint.host, port: port))/")
            }
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [page, RuleReloadService(rules.store), LiveEventsEnd(live: rules.live)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
    }

    /// Loads rules and serves, for callers that are not asynchronous.
    ///
    /// - Throws: What `init` and `serve` throw.
    public static func serveAndWait(_ make: @escaping @Sendable () async throws -> PageProgram) throws {
        try MultiThreadedEventLoopGroup.singleton.any()
            .makeFutureWithTask { try await make().serve() }
            .wait()
    }
}
#endif
