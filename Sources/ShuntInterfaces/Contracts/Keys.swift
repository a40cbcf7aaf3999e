/// The name under which modules provide and require a value, mostly an `any` of a protocol.
public struct ServiceKey<Value: Sendable>: Sendable, Hashable {
    /// The name; unique in an assembly.
    public let name: String
    /// The service where no module provides one; nil for a service that has to be provided.
    public let defaultValue: Value?

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The service where no module provides one.
    public init(_ name: String, default value: Value? = nil) {
        self.name = name
        defaultValue = value
    }

    /// Checks that two keys have one name.
    public static func == (first: Self, second: Self) -> Bool { first.name == second.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The name under which any number of modules provide values, such as plugins, for those that require all of them.
public struct ServiceListKey<Value: Sendable>: Sendable, Hashable {
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
