/// A set of request methods as a lookup uses it: one bit for each.
///
/// The nine methods of HTTP (RFC 9110 and RFC 5789) have the same bits everywhere. Other methods get theirs from the
/// table that has routes for them: see `RouteTable.methods(named:)`.
public struct RouteMethodSet: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt64

    /// Makes a set from its bits.
    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Every method.
    ///
    /// As the method of a lookup it means that the method does not matter.
    public static let any = RouteMethodSet(rawValue: UInt64.max)
    /// `GET`.
    public static let get = RouteMethodSet(rawValue: 1)
    /// `HEAD`.
    public static let head = RouteMethodSet(rawValue: 1 << 1)
    /// `POST`.
    public static let post = RouteMethodSet(rawValue: 1 << 2)
    /// `PUT`.
    public static let put = RouteMethodSet(rawValue: 1 << 3)
    /// `DELETE`.
    public static let delete = RouteMethodSet(rawValue: 1 << 4)
    /// `PATCH`.
    public static let patch = RouteMethodSet(rawValue: 1 << 5)
    /// `OPTIONS`.
    public static let options = RouteMethodSet(rawValue: 1 << 6)
    /// `TRACE`.
    public static let trace = RouteMethodSet(rawValue: 1 << 7)
    /// `CONNECT`.
    public static let connect = RouteMethodSet(rawValue: 1 << 8)

    /// A method that no route of a table names; only routes for every method take it.
    static let unknown = RouteMethodSet(rawValue: 1 << 63)

    /// The names of the methods that have the same bit everywhere, from bit 0 on.
    static let standardNames = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"]
}
