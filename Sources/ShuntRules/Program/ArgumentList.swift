import ShuntPatterns

/// The arguments that a `remove_args` takes away.
struct ArgumentList: Sendable {
    /// The names, as they are written.
    var names: ByteTable
    /// The expressions, each of which matches a whole name.
    var patterns: PatternIndex?

    /// Returns true if some name is of this length or expressions have to be asked: nearly all arguments are none of
    /// these.
    init(names: ByteTable, patterns: PatternIndex?) {
        self.names = names
        self.patterns = patterns
    }
}
