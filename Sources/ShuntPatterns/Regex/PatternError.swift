/// The reason why a regular expression was refused, and where in its text.
public struct PatternError: Error, Sendable, Hashable {
    /// The problem, in PCRE2's words if PCRE2 found it.
    public let message: String
    /// The byte offset into the pattern at which it was noticed; between 0 and the pattern's length.
    public let offset: Int

    /// Makes an error at a byte offset.
    public init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }
}

extension PatternError: CustomStringConvertible {
    /// The message and the offset in one line.
    public var description: String { "\(message) (at offset \(offset))" }
}
