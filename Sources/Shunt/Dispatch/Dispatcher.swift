public import ShuntCore
public import ShuntRouting
public import ShuntRules
import Synchronization

/// Takes a URL all the way: filters, rules, routes, interceptors, handler.
///
/// Immutable and safe to use from any number of tasks. Each dispatch uses one snapshot of the rules from its start to
/// its end. A cancelled task ends with `CancellationError` between the steps and wherever a handler notices.
public struct Dispatcher<Value: Sendable>: Sendable {
    private let builder: DispatcherBuilder<Value>
    /// The routes that were added in code.
    public let routes: RouteTable
    private let source: any EngineSource
    private let check: RuleCheck

    init(_ builder: DispatcherBuilder<Value>, table: RouteTable, source: any EngineSource) {
        self.builder = builder
        self.source = source
        routes = table
        check = RuleCheck()
        _ = currentEngine()
    }

    /// The problems found: routes in code that other routes hide, and routes of the current rules without a handler.
    public var diagnostics: [Diagnostic] {
        routes.warnings + builder.diagnostics(for: source.currentEngine().ruleSet)
    }

    /// The engine for a dispatch.
    ///
    /// Rules that are met for the first time are checked, and the observers called.
    private func currentEngine() -> Engine {
        let engine = source.currentEngine()
        if !builder.observers.isEmpty, check.isNew(engine.ruleSet) {
            let diagnostics = builder.diagnostics(for: engine.ruleSet)
            if !diagnostics.isEmpty { for observer in builder.observers { observer(diagnostics) } }
        }
        return engine
    }

    /// Dispatches a URL of any scheme; `values` are for filters and handlers.
    ///
    /// - Throws: What a filter, an interceptor or a handler throws, and `CancellationError`.
    public func dispatch(
        _ url: String,
        values: DispatchValues = DispatchValues()
    ) async throws -> DispatchOutcome<Value> {
        try await dispatch(RuleRequest(url: url), values: values)
    }

    /// Dispatches a request; `values` are for filters and handlers.
    ///
    /// - Throws: What a filter, an interceptor or a handler throws, and `CancellationError`.
    public func dispatch(
        _ request: RuleRequest,
        values: DispatchValues = DispatchValues()
    ) async throws -> DispatchOutcome<Value> {
        var run = Run(values: values, isTracing: false)
        return try await self.run(request, &run)
    }

    /// Dispatches a URL from code that cannot wait; `completion` is called once.
    ///
    /// Cancelling the task cancels the dispatch.
    @discardableResult
    public func dispatch(
        _ url: String,
        values: DispatchValues = DispatchValues(),
        completion: @escaping @Sendable (Result<DispatchOutcome<Value>, any Error>) -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                completion(.success(try await dispatch(url, values: values)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Dispatches a request and reports the result.
    ///
    /// Handlers run as in any other dispatch.
    ///
    /// - Throws: What a filter, an interceptor or a handler throws, and `CancellationError`.
    public func trace(
        _ request: RuleRequest,
        values: DispatchValues = DispatchValues()
    ) async throws -> (outcome: DispatchOutcome<Value>, trace: DispatchTrace) {
        var run = Run(values: values, isTracing: true)
        let outcome = try await self.run(request, &run)
        return (outcome, run.trace)
    }

    /// Returns true if the rules forward a URL and any route that matches has a handler.
    ///
    /// No filter and no handler runs, so a handler may still decline.
    public func canDispatch(_ url: String, method: String = "GET") -> Bool {
        let engine = source.currentEngine()
        var request = RuleRequest(url: url)
        request.method = method
        let decision = engine.decide(request)
        guard decision.kind == .forward, decision.url != nil else { return false }
        var search = CandidateSearch(builder, table: routes, engine: engine, decision: decision, method: method)
        return search.next() != nil
    }

    // MARK: Steps

    /// One dispatch.
    private struct Run {
        var values: DispatchValues
        var isTracing: Bool
        var trace = DispatchTrace()

        mutating func record(_ step: @autoclosure () -> DispatchTrace.Step) {
            if isTracing { trace.steps.append(step()) }
        }
    }

    private func run(_ request: RuleRequest, _ run: inout Run) async throws -> DispatchOutcome<Value> {
        let engine = currentEngine()
        var request = request
        let end = try await filter(&request, stage: .beforeRules, in: &run)
        if case .refused(let outcome) = end { return outcome }
        try Task.checkCancellation()
        var decision: Decision
        if case .stopped = end, request.isForURL {
            decision = Decision(.forward(Decision.Forward(url: request.urlBytes)))
        } else {
            decision = decide(request, engine: engine, in: &run)
        }
        guard decision.kind == .forward, let target = decision.urlBytes else { return .decided(decision) }
        if !request.isForURL || target != request.urlBytes { request.subject = .url(target) }
        let before = (subject: request.subject, method: request.methodBytes)
        if case .refused(let outcome) = try await filter(&request, stage: .afterRules, in: &run) { return outcome }
        if (request.subject, request.methodBytes) != before, case .url(let changed) = request.subject {
            // The rules have decided; only the route is looked up again.
            decision = Decision(.forward(Decision.Forward(url: changed)))
        }
        try Task.checkCancellation()
        return try await handle(request, decision: decision, engine: engine, in: &run)
    }

    private func decide(_ request: RuleRequest, engine: Engine, in run: inout Run) -> Decision {
        guard run.isTracing else { return engine.decide(request) }
        let (decision, trace) = engine.explain(request)
        run.record(.rules(trace))
        return decision
    }

    /// The end of the filters of a stage.
    private enum FilterEnd {
        case proceeded
        case stopped
        case refused(DispatchOutcome<Value>)
    }

    private func filter(
        _ request: inout RuleRequest,
        stage: DispatchFilter.Stage,
        in run: inout Run
    ) async throws -> FilterEnd {
        for filter in builder.filters where filter.stage == stage {
            func note(_ verdict: String) { run.record(.filter(name: filter.name, stage: stage, verdict: verdict)) }
            switch try await filter.body(request, run.values) {
            case .proceed: note("proceed")
            case .rewrite(let changed):
                request = changed
                note("rewrite")
            case .stop:
                note("stop")
                return .stopped
            case .refuse(let reason):
                note("refuse: \(reason)")
                return .refused(.refused(filter: filter.name, reason: reason))
            }
        }
        return .proceeded
    }

    /// Asks the handlers of the routes that match, the first first, until one handles the request.
    private func handle(
        _ request: RuleRequest,
        decision: Decision,
        engine: Engine,
        in run: inout Run
    ) async throws -> DispatchOutcome<Value> {
        let method = request.method
        var search = CandidateSearch(builder, table: routes, engine: engine, decision: decision, method: method)
        var hasDeclined = false
        while let found = search.next() {
            let context = DispatchContext(request: request, decision: decision, match: found.match, values: run.values)
            if let value = try await ask(found.handler, context, name: found.name, in: &run) { return .handled(value) }
            hasDeclined = true
        }
        if search.isTooComplex {
            let reason = RouteMiss(reason: .tooComplex).description
            return .decided(Decision(.fail(Decision.Failure(status: 500, reason: reason))))
        }
        if let unmatched = builder.unmatched {
            run.record(.fallback(name: "unmatched"))
            let context = DispatchContext(request: request, decision: decision, match: nil, values: run.values)
            if let value = try await ask(unmatched, context, name: "unmatched", in: &run) { return .handled(value) }
        }
        return .unmatched(hasDeclined ? nil : search.miss)
    }

    private func ask(
        _ handler: DispatcherBuilder<Value>.Handler,
        _ context: DispatchContext,
        name: String,
        in run: inout Run
    ) async throws -> Value? {
        try Task.checkCancellation()
        switch try await handler(context) {
        case .handled(let value):
            run.record(.route(name: name, answer: "handled"))
            return value
        case .declined(let reason):
            run.record(.route(name: name, answer: "declined: \(reason)"))
            return nil
        }
    }
}

/// The rule sets that a dispatcher has checked.
private final class RuleCheck: Sendable {
    private let last = Mutex<RuleSet?>(nil)

    /// Returns true if a rule set is another than that of the last call.
    func isNew(_ ruleSet: RuleSet) -> Bool {
        last.withLock { last in
            guard last !== ruleSet else { return false }
            last = ruleSet
            return true
        }
    }
}
