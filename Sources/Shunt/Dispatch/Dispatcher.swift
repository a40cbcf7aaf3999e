import ShuntCore
public import ShuntRouting
public import ShuntRules

/// Takes a URL all the way: filters, rules, routes, interceptors, handler.
///
/// Immutable and safe to use from any number of tasks. Each dispatch uses one snapshot of the rules from its start to
/// its end. A cancelled task ends with `CancellationError` between the steps and wherever a handler notices.
public struct Dispatcher<Value: Sendable>: Sendable {
    private let builder: DispatcherBuilder<Value>
    /// The routes that were added in code.
    public let routes: RouteTable
    private let engine: @Sendable () -> Engine

    init(_ builder: DispatcherBuilder<Value>, table: RouteTable, engine: @escaping @Sendable () -> Engine) {
        self.builder = builder
        self.engine = engine
        routes = table
    }

    /// Dispatches a URL.
    ///
    /// - Parameters:
    ///   - url: The URL, of any scheme.
    ///   - values: What the caller hands to filters and handlers.
    /// - Returns: What came of it.
    /// - Throws: What a filter, an interceptor or a handler throws, and `CancellationError`.
    public func dispatch(
        _ url: String,
        values: DispatchValues = DispatchValues()
    ) async throws -> DispatchOutcome<Value> {
        try await dispatch(Request(url: url), values: values)
    }

    /// Dispatches a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - values: What the caller hands to filters and handlers.
    /// - Returns: What came of it.
    /// - Throws: What a filter, an interceptor or a handler throws, and `CancellationError`.
    public func dispatch(
        _ request: Request,
        values: DispatchValues = DispatchValues()
    ) async throws -> DispatchOutcome<Value> {
        var run = Run(values: values, isTracing: false)
        return try await self.run(request, &run)
    }

    /// Dispatches a URL from code that cannot wait.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - values: What the caller hands to filters and handlers.
    ///   - completion: Called once, with what came of it or the error.
    /// - Returns: The task; cancelling it cancels the dispatch.
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

    /// Dispatches a request and tells how it went.
    ///
    /// Handlers run as in any other dispatch.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - values: What the caller hands to filters and handlers.
    /// - Returns: What came of it, and the steps.
    /// - Throws: What a filter, an interceptor or a handler throws, and `CancellationError`.
    public func trace(
        _ request: Request,
        values: DispatchValues = DispatchValues()
    ) async throws -> (outcome: DispatchOutcome<Value>, trace: DispatchTrace) {
        var run = Run(values: values, isTracing: true)
        let outcome = try await self.run(request, &run)
        return (outcome, run.trace)
    }

    /// Whether a URL would be handed to a handler.
    ///
    /// No filter and no handler runs.
    ///
    /// - Parameter url: The URL.
    /// - Returns: Whether the rules forward it and a route with a handler matches.
    public func canDispatch(_ url: String) -> Bool {
        let engine = engine()
        let decision = engine.decide(Request(url: url))
        guard decision.action == .forward, let target = decision.url else { return false }
        if let name = decision.route, builder.namedHandlers[name] != nil { return true }
        return routes.canRoute(String(decoding: target, as: UTF8.self), method: "GET")
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

    private func run(_ request: Request, _ run: inout Run) async throws -> DispatchOutcome<Value> {
        let engine = engine()
        var request = request
        let end = try await filter(&request, .beforeRules, &run)
        if case .refused(let outcome) = end { return outcome }
        try Task.checkCancellation()
        var decision: Decision
        if case .stopped = end, let target = url(of: request) {
            decision = Decision(action: .forward)
            decision.url = target
        } else {
            decision = decide(request, engine, &run)
        }
        guard decision.action == .forward, let target = decision.url else { return .decided(decision) }
        if target != url(of: request) { request.subject = .url(target) }
        let before = request.subject
        if case .refused(let outcome) = try await filter(&request, .afterRules, &run) { return outcome }
        if request.subject != before, case .url(let changed) = request.subject {
            // The rules have had their say; only the route is looked up anew.
            decision.url = changed
            decision.route = nil
        }
        try Task.checkCancellation()
        return try await handle(request, decision, engine, &run)
    }

    private func url(of request: Request) -> [UInt8]? {
        if case .url(let bytes) = request.subject { bytes } else { nil }
    }

    private func decide(_ request: Request, _ engine: Engine, _ run: inout Run) -> Decision {
        guard run.isTracing else { return engine.decide(request) }
        let (decision, trace) = engine.explain(request)
        run.record(.rules(trace))
        return decision
    }

    /// How the filters of a stage ended.
    private enum FilterEnd {
        case proceeded
        case stopped
        case refused(DispatchOutcome<Value>)
    }

    private func filter(
        _ request: inout Request,
        _ stage: DispatchFilter.Stage,
        _ run: inout Run
    ) async throws -> FilterEnd {
        for filter in builder.filters where filter.stage == stage {
            let verdict = try await filter.body(request, run.values)
            switch verdict {
            case .proceed:
                run.record(.filter(name: filter.name, stage: stage, verdict: "proceed"))
            case .rewrite(let changed):
                request = changed
                run.record(.filter(name: filter.name, stage: stage, verdict: "rewrite"))
            case .stop:
                run.record(.filter(name: filter.name, stage: stage, verdict: "stop"))
                return .stopped
            case .refuse(let reason):
                run.record(.filter(name: filter.name, stage: stage, verdict: "refuse: \(reason)"))
                return .refused(.refused(filter: filter.name, reason: reason))
            }
        }
        return .proceeded
    }

    /// Asks the handlers of the routes that match, the first first, until one handles the request.
    private func handle(
        _ request: Request,
        _ decision: Decision,
        _ engine: Engine,
        _ run: inout Run
    ) async throws -> DispatchOutcome<Value> {
        let url = String(decoding: decision.url ?? [], as: UTF8.self)
        let method = String(decoding: request.method, as: UTF8.self)
        if let table = engine.ruleSet.routes {
            for match in table.candidates(for: url, method: method) {
                guard let name = match.route.name, let handler = builder.namedHandlers[name] else { continue }
                if let value = try await ask(handler, name, request, decision, match, &run) { return .handled(value) }
            }
        }
        for match in routes.candidates(for: url, method: method) {
            guard let handler = builder.handlers[match.route.id] else { continue }
            let name = match.route.displayName
            if let value = try await ask(handler, name, request, decision, match, &run) { return .handled(value) }
        }
        if let unmatched = builder.unmatched {
            run.record(.fallback(name: "unmatched"))
            if let value = try await ask(unmatched, "unmatched", request, decision, nil, &run) {
                return .handled(value)
            }
        }
        return .unmatched(routes.resolve(url, method: method).miss)
    }

    private func ask(
        _ handler: @escaping DispatcherBuilder<Value>.Handler,
        _ name: String,
        _ request: Request,
        _ decision: Decision,
        _ match: RouteMatch?,
        _ run: inout Run
    ) async throws -> Value? {
        try Task.checkCancellation()
        let context = DispatchContext(request: request, decision: decision, match: match, values: run.values)
        var next: @Sendable (DispatchContext) async throws -> HandlerAnswer<Value> = handler
        for interceptor in builder.interceptors.reversed() {
            let inner = next
            next = { try await interceptor.body($0, inner) }
        }
        switch try await next(context) {
        case .handled(let value):
            run.record(.route(name: name, answer: "handled"))
            return value
        case .declined(let reason):
            run.record(.route(name: name, answer: "declined: \(reason)"))
            return nil
        }
    }
}
