/// The place where the engine for a request comes from: called once for each request, from any thread.
///
/// An `Engine` is a source of itself, a `RuleStore` hands out the one with the newest rules, and your own type may do
/// anything else.
public protocol EngineSource: Sendable {
    /// The engine that decides about the next request.
    func currentEngine() -> Engine
}

extension Engine: EngineSource {
    /// This engine, whose rules never change.
    public func currentEngine() -> Engine { self }
}

extension RuleStore: EngineSource {
    /// The engine with the rules in use.
    public func currentEngine() -> Engine { snapshot.engine }
}
