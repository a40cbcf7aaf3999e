#if !Gateway
/// Needs the trait `Gateway`.
@available(*, unavailable, message: "enable the trait Gateway of the package shunt")
public struct Gateway {
    /// Needs the trait `Gateway`.
    public init(_ options: Any, logger: Any) {}
}

/// Needs the trait `Gateway`.
@available(*, unavailable, message: "enable the trait Gateway of the package shunt")
public struct GatewayOptions {
    /// Needs the trait `Gateway`.
    public init(rules: String, listeners: [Any] = []) {}
}
#endif
