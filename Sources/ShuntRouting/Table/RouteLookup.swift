/// The result of a lookup.
///
/// It refers to nothing; the values of a match are in the scratch that the lookup used.
public struct RouteLookup: Sendable {
    /// The outcome of a lookup.
    @nonexhaustive public enum Outcome: UInt8, Sendable {
        /// A route matches.
        case matched
        /// No route matches the path.
        case noMatch
        /// Routes match the path, but not the method.
        case methodNotAllowed
        /// A limit was reached, by an expression or by the search itself, before the first route was known. Nothing may be
        /// taken for a match or for a miss then: a server answers with 500.
        case tooComplex
    }

    /// The outcome of the lookup.
    public let outcome: Outcome
    /// The methods of the routes that match the path, in `methodNotAllowed`.
    public let allowedMethods: RouteMethodSet
    /// The route that matches; meaningful in `matched` only.
    public let route: RouteID

    let index: Int32
    let level: Int32
    /// The number of candidates of that level before it.
    let ordinal: Int32
    /// The index of its namespace among those that apply to the URL.
    let namespace: Int32

    /// True if a route matches.
    @inlinable public var isMatch: Bool { outcome == .matched }
}

extension RouteLookup {
    /// The result for a route that matches.
    @inline(__always)
    init(_ terminal: TerminalRecord, level: Int32 = 0, ordinal: Int32 = 0, namespace: Int = 0) {
        outcome = .matched
        allowedMethods = []
        route = RouteID(rawValue: terminal.id)
        index = Int32(truncatingIfNeeded: terminal.route)
        self.level = level
        self.ordinal = ordinal
        self.namespace = Int32(truncatingIfNeeded: namespace)
    }
}

/// The number of a route from its builder.
///
/// It stays the same in every table that the builder makes.
public struct RouteID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number, from 0 in the order in which routes were added.
    public let rawValue: Int32

    /// Makes an identifier from the number of a route.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The number in digits.
    public var description: String { String(rawValue) }

    /// Returns true if the first route was added before the second.
    public static func < (first: RouteID, second: RouteID) -> Bool { first.rawValue < second.rawValue }
}
