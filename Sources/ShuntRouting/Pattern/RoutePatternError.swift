/// The reason why a text is not a route pattern, and where.
public struct RoutePatternError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, in one sentence without a full stop.
    public var message: String
    /// The byte offset into the pattern, from 0 up to its length.
    public var offset: Int
    /// The number of bytes that are wrong, at least 1.
    public var length: Int
    /// The fix, if one is known.
    public var suggestion: String?

    /// Makes an error.
    public init(_ message: String, at offset: Int, length: Int = 1, suggestion: String? = nil) {
        self.message = message
        self.offset = max(0, offset)
        self.length = max(1, length)
        self.suggestion = suggestion
    }

    /// The message with the offset, such as `a parameter needs a name (at byte 3)`.
    public var description: String {
        let hint = suggestion.map { "; \($0)" } ?? ""
        return "\(message) (at byte \(offset))\(hint)"
    }
}
