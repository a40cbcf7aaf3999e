package import ShuntPatterns

/// The arguments that a `remove_args` takes away.
package struct ArgumentList: Sendable {
    /// The names, as they are written.
    package var names: ByteTable
    /// The expressions, each of which matches a whole name.
    package var patterns: PatternIndex?

    /// Returns true if some name is of this length or expressions have to be asked: nearly all arguments are none of
    /// these.
    package init(names: ByteTable, patterns: PatternIndex?) {
        self.names = names
        self.patterns = patterns
    }
}
