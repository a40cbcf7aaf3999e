#if Hummingbird
public import Hummingbird
public import Shunt

/// Answers requests by the names of their routes in rule files, and hands everything else on to a router.
///
/// ```swift
/// // In the rules: route GET /item/:id(int) item;
/// var routes = RouteResponder(otherwise: router.buildResponder())
/// routes.on("item") { _, context in "item \(context.routeParameter("id") ?? "")" }
/// let app = Application(responder: ShuntResponder(routes, rules: store))
/// ```
///
/// A `ShuntResponder` around it finds the route. Middleware of the router does not run for these handlers.
public struct RouteResponder<Wrapped: HTTPResponder>: HTTPResponder where Wrapped.Context: DecidedRequestContext {
    /// A handler of a route.
    public typealias Handler = @Sendable (Hummingbird.Request, Wrapped.Context) async throws -> Hummingbird.Response

    private let wrapped: Wrapped
    private var handlers: [String: Handler] = [:]

    /// Wraps a responder.
    ///
    /// - Parameter wrapped: The responder for requests without a handler; usually `router.buildResponder()`.
    public init(otherwise wrapped: Wrapped) { self.wrapped = wrapped }

    /// Registers the handler of a route by its name, in the place of an earlier one.
    public mutating func on<Output: ResponseGenerator>(
        _ route: String,
        _ handler: @escaping @Sendable (Hummingbird.Request, Wrapped.Context) async throws -> Output
    ) {
        handlers[route] = { request, context in
            try await handler(request, context).response(from: request, context: context)
        }
    }

    /// Returns the names of routes of a rule set that have no handler here, in their order.
    ///
    /// For `RuleStore.Options.validate`, so that rules with a misspelt name never come into use.
    public func unhandledRoutes(in ruleSet: RuleSet) -> [String] {
        var names: [String] = []
        for route in ruleSet.routes?.routes ?? [] {
            guard let name = route.name, handlers[name] == nil, !names.contains(name) else { continue }
            names.append(name)
        }
        return names
    }

    /// Answers a request by its route, or hands it on.
    public func respond(to request: Hummingbird.Request, context: Wrapped.Context) async throws -> Hummingbird.Response
    {
        guard let name = context.route, let handler = handlers[name] else {
            return try await wrapped.respond(to: request, context: context)
        }
        context.coreContext.endpointPath.value = name
        do {
            return try await handler(request, context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
    }
}
#endif
