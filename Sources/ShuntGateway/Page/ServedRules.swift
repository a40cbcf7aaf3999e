#if Gateway
import Logging
import Shunt
import ShuntTools
import Synchronization

/// The rules that the admin listener shows, with what is known of them: those of a gateway, or of a directory that
/// someone edits.
final class ServedRules: Sendable {
    let store: RuleStore
    let counters: CounterTable
    /// The gate that holds rules that change too much; nil without limits.
    let gate: ChangeGate?
    let history: ReloadHistory
    let live: LiveEvents
    /// The recent traffic; nil if there is none.
    let traffic: TrafficSeries?
    let routeHits: RouteHits
    let engine: Engine.Options
    let ignoresUnknownDirectives: Bool
    let logger: Logger
    /// The place where the rules come from, if not from files.
    let source: (any GatewayRules)?
    let analysis = RuleAnalysis()
    let longQuestions = LongQuestions()
    /// The coverage of the rules by their tests, as JSON; nil if no tests run.
    let coverage: (@Sendable () -> [UInt8])?
    let started = Timestamp.now()
    private let table = Mutex<RuleTable?>(nil)
    private let heldEngine = Mutex<Engine?>(nil)

    init(
        store: RuleStore,
        counters: CounterTable,
        gate: ChangeGate?,
        history: ReloadHistory,
        live: LiveEvents,
        traffic: TrafficSeries?,
        routeHits: RouteHits,
        engine: Engine.Options,
        ignoresUnknownDirectives: Bool,
        logger: Logger,
        source: (any GatewayRules)? = nil,
        coverage: (@Sendable () -> [UInt8])? = nil
    ) {
        self.store = store
        self.counters = counters
        self.gate = gate
        self.history = history
        self.live = live
        self.traffic = traffic
        self.routeHits = routeHits
        self.engine = engine
        self.ignoresUnknownDirectives = ignoresUnknownDirectives
        self.logger = logger
        self.source = source
        self.coverage = coverage
    }

    /// The available reports other than the rules, so that clients need not probe.
    var offers: [String] {
        var offers: [String] = []
        if traffic != nil { offers += ["live", "traffic"] }
        if coverage != nil { offers.append("coverage") }
        if source != nil { offers.append("fleet") }
        return offers
    }

    /// The rules of a set as a table; made once for the set in use, while others who want it wait.
    func table(of ruleSet: RuleSet) -> RuleTable {
        table.withLock { known in
            if let known, known.ruleSet === ruleSet { return known }
            let made = RuleTable(ruleSet, countsEntries: counters.countsEntries)
            known = made
            return made
        }
    }

    /// An engine with the rules that are held; nil where none are.
    func engineOfHeldRules() -> Engine? {
        guard let ruleSet = gate?.heldRules else {
            heldEngine.withLock { $0 = nil }
            return nil
        }
        return heldEngine.withLock { known in
            if let known, known.ruleSet === ruleSet { return known }
            let made = Engine(ruleSet, options: engine)
            known = made
            return made
        }
    }
}
#endif
