#if !Reloading
public import Shunt
#endif

#if !Reloading
/// Needs the trait `Reloading`.
@available(*, unavailable, message: "enable the trait Reloading of the package shunt")
public struct RuleReloadService {
    /// Needs the trait `Reloading`.
    public init(_ store: Any, reloadsOnHangup: Bool = true) {}
}

extension RuleStore.Options {
    /// Needs the trait `Reloading`.
    @available(*, unavailable, message: "enable the trait Reloading of the package shunt")
    public mutating func log<Logger>(to logger: Logger) {}

    /// Needs the trait `Reloading`.
    @available(*, unavailable, message: "enable the trait Reloading of the package shunt")
    public mutating func measure<Factory>(with factory: Factory, prefix: String = "") {}
}
#endif

#if !ModuleService
/// Needs the trait `ModuleService`.
@available(*, unavailable, message: "enable the trait ModuleService of the package shunt")
public struct ModuleService {
    /// Needs the trait `ModuleService`.
    public init(_ modules: Any) {}
}
#endif

#if !Client
/// Needs the trait `Client`.
@available(*, unavailable, message: "enable the trait Client of the package shunt")
public struct HTTPClientModule {
    /// Needs the trait `Client`.
    public init(_ transport: Any, limit: Int = 0, rules: Any? = nil) {}
}

/// Needs the trait `Client`.
@available(*, unavailable, message: "enable the trait Client of the package shunt")
public struct AsyncHTTPTransport {
    /// Needs the trait `Client`.
    public init(_ client: Any? = nil, timeout: Duration = .zero) {}
}
#endif
