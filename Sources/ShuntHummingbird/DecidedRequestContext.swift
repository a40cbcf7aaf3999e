#if Hummingbird
public import Hummingbird
public import NIOCore
public import Shunt

/// The connection of a request, for contexts of programs that do not import NIOCore.
public typealias ConnectionChannel = any Channel

/// A request context that carries what the rules decided.
///
/// `DecidedContext` is one; your own context needs the two properties.
public protocol DecidedRequestContext: RequestContext {
    /// The decision of the rules about the request, with the rule, the route and its parameters. Nil outside of a
    /// `ShuntResponder` or a `ShuntMiddleware`.
    var decision: Decision? { get set }

    /// The connection that the request came in on: its addresses are what rules see, and `return 444` closes it. With
    /// nil the rules see the loopback address, and `return 444` is answered with 403.
    var channel: ConnectionChannel? { get }
}

extension DecidedRequestContext {
    /// The name of the route that the rules found for the request; nil where none matches.
    public var route: String? { decision?.route }

    /// The value of a parameter of that route, decoded.
    public func routeParameter(_ name: String) -> String? { decision?.routeParameter(name) }
}

/// The context to use where a service needs no other.
public struct DecidedContext: DecidedRequestContext {
    /// The storage of every Hummingbird context.
    public var coreContext: CoreRequestContextStorage
    /// The decision of the rules about the request.
    public var decision: Decision?
    /// The connection that the request came in on.
    public let channel: ConnectionChannel?

    /// Makes a context for a request that nothing has been decided about.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
#endif
