/// The limits on what a rule set may be, so that no rule file can exhaust the process that loads it.
package struct RuleLimits: Sendable {
    /// Bytes of one word, quotes included. (nginx's limit is its read buffer of 4,096.)
    package static let wordBytes = 65_536
    /// Blocks inside blocks, counted through includes.
    package static let nesting = 64
    /// Files inside files through `include`.
    package static let includeDepth = 16
    /// Words of all files.
    package static let words = 8_000_000
    /// Errors reported; more are counted only.
    package static let diagnostics = 1_000
    /// Warnings of one kind that are reported; more are counted only.
    package static let likeDiagnostics = 100
    /// Bytes of a line shown with a problem.
    package static let shownLine = 4_096

    /// Tests that a rule set brings along: each is made whenever the rules are loaded.
    package static let expectations = 100_000
    /// The processor time that they may take together, so that better rules need not wait long.
    package static let expectationTime = Duration.seconds(5)

    /// Files read, each counted as often as it is included.
    package var files = 10_000
    /// Bytes of all files, each counted as often as it is included.
    package var totalBytes = 256 << 20
    /// Names read while includes with `*`, `?` or `[` are resolved.
    package var listedNames = 200_000

    /// The limits on files, which a program that embeds the engine may change.
    package init() {}
    /// Addresses and ports in all `listen`s, those of a range counted one by one.
    package static let listens = 200_000
}
