#if Hummingbird
public import Shunt

/// Where a responder gets the engine for a request: asked once a request, from any thread.
///
/// An `Engine` is a source of itself; a `RuleStore` answers with the newest rules.
public protocol EngineSource: Sendable {
    /// The engine that decides about the next request.
    func currentEngine() -> Engine
}

extension Engine: EngineSource {
    /// The engine itself.
    public func currentEngine() -> Engine { self }
}

extension RuleStore: EngineSource {
    /// The engine with the rules in use.
    public func currentEngine() -> Engine { snapshot.engine }
}
#endif
