public import ShuntCore

/// A route as it was declared: what a table lists.
public struct Route: Sendable {
    /// The number from the builder.
    public let id: RouteID
    /// The name for URL generation and for people; nil when it has none.
    public let name: String?
    /// The pattern as it was given, without the prefix of its group.
    public let pattern: String
    /// The whole pattern: scheme, host, prefix of the group, and pattern.
    public let fullPattern: RoutePattern
    /// The methods; empty for every method.
    public let methods: [String]
    /// The priority; 0 unless one was given.
    public let priority: Int
    /// True if it is tried only after all routes that are not fallbacks.
    public let isFallback: Bool
    /// The values that parameters have where a URL has none, by name.
    public let defaults: [String: String]
    /// The place where it was declared.
    public let origin: SourceLocation

    /// The name, or where there is none the pattern.
    public var displayName: String { name ?? pattern }
}
