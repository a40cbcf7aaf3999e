#if !Hummingbird
/// Needs the trait `Hummingbird`.
@available(*, unavailable, message: "enable the trait Hummingbird of the package shunt")
public struct ShuntResponder {
    /// Needs the trait `Hummingbird`.
    public init(_ wrapped: Any, rules: Any) {}
}

/// Needs the trait `Hummingbird`.
@available(*, unavailable, message: "enable the trait Hummingbird of the package shunt")
public struct ShuntMiddleware {
    /// Needs the trait `Hummingbird`.
    public init(rules: Any) {}
}

/// Needs the trait `Hummingbird`.
@available(*, unavailable, message: "enable the trait Hummingbird of the package shunt")
public struct RouteResponder {
    /// Needs the trait `Hummingbird`.
    public init(otherwise wrapped: Any) {}
}

/// Needs the trait `Hummingbird`.
@available(*, unavailable, message: "enable the trait Hummingbird of the package shunt")
public struct DecidedContext {
    /// Needs the trait `Hummingbird`.
    public init(source: Any) {}
}

/// Needs the trait `Hummingbird`.
@available(*, unavailable, message: "enable the trait Hummingbird of the package shunt")
public protocol DecidedRequestContext {}
#endif

#if !Hummingbird || !Modules
/// Needs the traits `Hummingbird` and `Modules`.
@available(*, unavailable, message: "enable the traits Hummingbird and Modules of the package shunt")
public struct ModulesResponder {
    /// Needs the traits `Hummingbird` and `Modules`.
    public init(_ links: Any, otherwise wrapped: Any) {}
}

/// Needs the traits `Hummingbird` and `Modules`.
@available(*, unavailable, message: "enable the traits Hummingbird and Modules of the package shunt")
public struct AppLinksResponder {
    /// Needs the traits `Hummingbird` and `Modules`.
    public init(_ files: Any, otherwise wrapped: Any) {}
}

/// Needs the traits `Hummingbird` and `Modules`.
@available(*, unavailable, message: "enable the traits Hummingbird and Modules of the package shunt")
public struct BridgeDoor {
    /// Needs the traits `Hummingbird` and `Modules`.
    public init(_ bridge: Any, at path: String = "") {}
}
#endif
