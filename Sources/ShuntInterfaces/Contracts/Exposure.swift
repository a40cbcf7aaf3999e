/// The callers that may reach a contract by its address.
///
/// Typed code always may.
public struct Exposure: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// URLs that code of the same process opens.
    public static let code = Exposure(rawValue: 1)
    /// URLs that the system hands over: links, pushes, shortcuts, scanned codes.
    public static let links = Exposure(rawValue: 2)
    /// Messages of a web page that the program shows.
    public static let web = Exposure(rawValue: 4)
    /// Requests over the network.
    public static let network = Exposure(rawValue: 8)
}
