/// A constant for what can be asked: an action, a feed or an event.
public protocol Contracted: Sendable {
    /// The contract.
    var contract: Contract { get }
}

extension Contracted {
    /// The name, such as `Pay.checkout`.
    public var name: String { contract.name }
    /// The pattern of the URLs that reach it; nil when only typed code may call it.
    public var address: String? { contract.address }
    /// The HTTP method that the address is for; nil for every method.
    public var method: String? { contract.method }
    /// The callers that may use the address.
    ///
    /// Typed code always may.
    public var exposure: Exposure { contract.exposure }
}
