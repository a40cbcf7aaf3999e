/// The name under which modules provide and require a value, mostly an `any` of a protocol.
public struct ServiceKey<Value: Sendable>: Sendable, Hashable {
    /// The name; unique in an assembly.
    public let name: String

    /// Makes a key.
    public init(_ name: String) { self.name = name }
}

/// The name of a value that travels with a call, apart from its input.
public struct ValueKey<Value: Sendable>: Sendable, Hashable {
    /// The name.
    public let name: String

    /// Makes a key.
    public init(_ name: String) { self.name = name }
}
