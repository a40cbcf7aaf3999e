import ShuntPatterns

/// The arguments that a `remove_args` takes away.
struct ArgumentList: Sendable {
    /// The names, as they are written.
    var names: ByteTable
    /// The expressions, each of which matches a whole name.
    var patterns: PatternIndex?
}
