/// The values that travel with a call in addition to its input.
///
/// URLs cannot put anything in.
public struct CallValues: Sendable {
    @usableFromInline var values: [String: any Sendable]

    /// Makes an empty set.
    @inlinable public init() { values = [:] }

    /// Makes a set with one value.
    public init<Value>(_ key: ValueKey<Value>, _ value: Value) { values = [key.name: value] }

    /// True if there is nothing.
    public var isEmpty: Bool { values.isEmpty }

    /// The value of a key; nil when there is none, or one of another type.
    public subscript<Value>(_ key: ValueKey<Value>) -> Value? {
        get { values[key.name] as? Value }
        set { values[key.name] = newValue }
    }

    /// These values and the others; the others win.
    public func merging(_ others: CallValues) -> CallValues {
        if values.isEmpty { return others }
        if others.values.isEmpty { return self }
        var merged = self
        merged.values.merge(others.values) { _, new in new }
        return merged
    }
}
