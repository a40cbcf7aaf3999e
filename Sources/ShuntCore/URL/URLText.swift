/// A URL that was parsed, with its text, for code that is not on the hot path.
///
/// Two values are equal when their bytes are: nothing is normalised. Immutable, so safe to share between threads.
public struct URLText: Sendable {
    /// The bytes as they were given.
    public let bytes: [UInt8]
    /// The place where the parts are in `bytes`.
    public let parts: URLParts

    /// Parses `bytes`.
    ///
    /// - Throws: `URLSyntaxError` when they are not a URL with a scheme.
    public init(_ bytes: [UInt8]) throws(URLSyntaxError) {
        self.parts = try URLParser.parse(bytes.span)
        self.bytes = bytes
    }

    /// Parses `text` as UTF-8.
    ///
    /// - Throws: `URLSyntaxError` when it is not a URL with a scheme.
    public init(_ text: String) throws(URLSyntaxError) { try self.init(Array(text.utf8)) }

    /// The scheme as it was written.
    public var scheme: String { text(parts.scheme) }
    /// The user information, still encoded.
    public var userinfo: String? { parts.userinfo.map(text) }
    /// The host as it was written, with the brackets of an IP literal; nil when there is no authority.
    public var host: String? { parts.host.map(text) }
    /// The port; nil when there is none or it is empty.
    public var port: UInt16? { parts.portNumber }
    /// The path, still encoded.
    public var path: String { text(parts.path) }
    /// The query, still encoded.
    public var query: String? { parts.query.map(text) }
    /// The fragment, still encoded.
    public var fragment: String? { parts.fragment.map(text) }

    /// The text of `range`, with bytes that are not UTF-8 replaced; empty when the range is not within the URL.
    public func text(_ range: ByteRange) -> String {
        guard range.start >= 0, range.end >= range.start, Int(range.end) <= bytes.count else { return "" }
        return String(decoding: bytes[range.indices], as: UTF8.self)
    }
}

extension URLText: Hashable {
    /// Returns true if the bytes are the same.
    public static func == (left: URLText, right: URLText) -> Bool { left.bytes == right.bytes }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension URLText: CustomStringConvertible {
    /// The whole URL, with bytes that are not UTF-8 replaced.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
