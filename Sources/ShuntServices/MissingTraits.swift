#if !Reloading
public import Shunt
#endif
#if Modules && !ModuleService
public import ShuntModules
#endif

#if !Reloading
/// Needs the trait `Reloading`.
@available(*, unavailable, message: "enable the trait Reloading of the package shunt")
public struct RuleReloadService {
    /// Needs the trait `Reloading`.
    public init(_ stores: Any, reloadsOnHangup: Bool = true) {}
}

extension RuleStore.Options {
    /// Needs the trait `Reloading`.
    @available(*, unavailable, message: "enable the trait Reloading of the package shunt")
    public init<Logger>(logger: Logger, metrics: Any? = nil, prefix: String = "") { self.init() }
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

#if Modules && !ModuleService
extension Assembly {
    /// Needs the trait `ModuleService`.
    @available(*, unavailable, message: "enable the trait ModuleService of the package shunt")
    public init<Logger>(options: Options = Options(), logger: Logger, metrics: Any? = nil, prefix: String = "") {
        self.init(options: options)
    }
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

#if !Modules
/// Needs the trait `Modules`.
@available(*, unavailable, message: "enable the trait Modules of the package shunt")
public struct ModuleURLProtocol {
    /// Needs the trait `Modules`.
    public static func install(_ links: Any, schemes: Set<String>, in configuration: Any? = nil) {}
}
#endif
