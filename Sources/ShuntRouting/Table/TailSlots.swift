/// The place where a match has the values that no parameter of the pattern names.
struct TailSlots: Sendable {
    /// The slot of the tail; nil for a pattern without one.
    var tail: Int?
    /// The slot of the part of the path that the pattern leaves, where patterns match prefixes.
    var remainder: Int?
}
