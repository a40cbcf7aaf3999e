public import ShuntCore
public import ShuntRouting
public import ShuntRules

/// Collects filters, routes, interceptors and handlers, and makes a `Dispatcher` of them.
///
/// A value type: a builder grows, the dispatcher it makes does not change.
public struct DispatcherBuilder<Value: Sendable>: Sendable {
    /// Handles a request whose route matched; an error that it throws ends the dispatch.
    public typealias Handler = @Sendable (DispatchContext) async throws -> HandlerAnswer<Value>

    /// Something around every handler: it may do things before and after, answer itself, or change what is answered.
    public typealias Interceptor =
        @Sendable (
            DispatchContext, _ next: @Sendable (DispatchContext) async throws -> HandlerAnswer<Value>
        ) async throws -> HandlerAnswer<Value>

    var filters: [DispatchFilter] = []
    private var interceptors: [(name: String, body: Interceptor)] = []
    var routes: RouteTableBuilder
    var handlers: [RouteID: Handler] = [:]
    var namedHandlers: [String: Handler] = [:]
    var unmatched: Handler?
    var observers: [@Sendable ([Diagnostic]) -> Void] = []

    /// Makes an empty builder with options for its own routes; routes of rule files have their own options.
    public init(options: RoutingOptions = RoutingOptions()) { routes = RouteTableBuilder(options: options) }

    /// Adds a filter, before the rules or after them; the name is for traces.
    public mutating func addFilter(
        named name: String,
        _ stage: DispatchFilter.Stage = .beforeRules,
        _ body: @escaping @Sendable (RuleRequest, DispatchValues) async throws -> DispatchFilter.Verdict
    ) {
        filters.append(DispatchFilter(name: name, stage: stage, body: body))
    }

    /// Adds an interceptor, with a name for people; the first one added is the outermost.
    public mutating func addInterceptor(named name: String, _ body: @escaping Interceptor) {
        interceptors.append((name, body))
    }

    /// Adds a route with its handler.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, such as `kl://Item/:id(int)`.
    ///   - name: A name for URL generation and traces.
    ///   - methods: The methods; none for every method.
    ///   - priority: Routes with a higher priority go first.
    ///   - defaults: Values that parameters have where the URL has none, by name.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call.
    ///   - handler: What handles the requests of the route.
    public mutating func on(
        _ pattern: String,
        name: String? = nil,
        methods: [String] = [],
        priority: Int = 0,
        defaults: [String: String] = [:],
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping Handler
    ) {
        let id = routes.add(
            pattern,
            name: name,
            methods: methods,
            priority: priority,
            defaults: defaults,
            file: file,
            line: line
        )
        handlers[id] = handler
    }

    /// Sets the handler of a route that a rule file declares: `route GET kl://Item/:id item;` is handled by
    /// `handle(route: "item")`.
    ///
    /// Rule files may be reloaded; the handler goes with the name.
    public mutating func handle(route name: String, _ handler: @escaping Handler) {
        namedHandlers[name] = handler
    }

    /// Adds a handler for every path below a prefix that no other route takes.
    ///
    /// The empty prefix is for every path, and nil for any scheme.
    public mutating func onFallback(
        _ prefix: String = "",
        scheme: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping Handler
    ) {
        let origin = SourceLocation(file: file, line: line, column: 1)
        handlers[routes.addFallback(under: prefix, scheme: scheme, origin: origin)] = handler
    }

    /// Sets the handler for requests that nothing else handles.
    public mutating func onUnmatched(_ handler: @escaping Handler) { unmatched = handler }

    /// Adds an observer of what looks wrong about the rules: routes of rule files that no code handles.
    ///
    /// It is called when a dispatcher is built, and when a dispatch first meets rules that were loaded again.
    public mutating func onDiagnostics(_ observer: @escaping @Sendable ([Diagnostic]) -> Void) {
        observers.append(observer)
    }

    /// The routes of rule files that no code handles, as warnings with their places in the files.
    ///
    /// A store refuses such rules if its `validate` throws a `RuleSetError` of them.
    public func diagnostics(for ruleSet: RuleSet) -> [Diagnostic] {
        (ruleSet.routes?.routes ?? [])
            .compactMap { route in
                if let name = route.name, namedHandlers[name] != nil { return nil }
                return Diagnostic(
                    .warning(.routeWithoutHandler),
                    "no code handles the route \"\(route.displayName)\"",
                    at: route.origin,
                    length: route.pattern.utf8.count,
                    suggestion: "add a handler with handle(route:), or remove the route"
                )
            }
    }

    /// Makes the dispatcher, which asks the engine, or the store with the rules, once for each dispatch.
    ///
    /// - Throws: A `RouteTableError` with everything that is wrong with the routes of this builder.
    public func build(rules source: any EngineSource) throws(RouteTableError) -> Dispatcher<Value> {
        var complete = self
        complete.handlers = handlers.mapValues(intercepted)
        complete.namedHandlers = namedHandlers.mapValues(intercepted)
        complete.unmatched = unmatched.map(intercepted)
        return Dispatcher(complete, table: try routes.build(), source: source)
    }

    /// A handler with the interceptors around it, the first one added outermost.
    private func intercepted(_ handler: @escaping Handler) -> Handler {
        var next = handler
        for interceptor in interceptors.reversed() {
            let inner = next
            next = { try await interceptor.body($0, inner) }
        }
        return next
    }
}
