public import ShuntCore
package import ShuntRules

/// The rules that one rule set has and another has not.
///
/// Rules are compared by their text; white space, comments and spellings that mean the same aside. In list files, and in included files that are not
/// named `*.conf`, each line counts as a rule.
public struct RuleChanges: Sendable, Hashable {
    /// A rule with its place.
    public struct Rule: Sendable, Hashable {
        /// The directive on one line, without its block; long ones are cut.
        public var text: String
        /// The place where it is.
        public var location: SourceLocation

        package init(text: String, location: SourceLocation) { (self.text, self.location) = (text, location) }
    }

    /// A rule that was replaced by another of the same kind.
    public struct Edit: Sendable, Hashable {
        /// The rule as it was.
        public var before: Rule
        /// The present rule.
        public var after: Rule
    }

    /// The most rules of each kind that are listed; all are counted.
    public static let listLimit = 100

    /// The rules that only the new set has, at most `listLimit`.
    public internal(set) var added: [Rule] = []
    /// The rules that only the old set has, at most `listLimit`.
    public internal(set) var removed: [Rule] = []
    /// The rules whose text differs, at most `listLimit`.
    public internal(set) var edited: [Edit] = []
    /// The number of new rules.
    public internal(set) var addedCount = 0
    /// The number of removed rules.
    public internal(set) var removedCount = 0
    /// The number of edited rules.
    public internal(set) var editedCount = 0
    /// The files in which rules are in another order than before.
    public internal(set) var reordered: [String] = []
    /// The number of rules before.
    public internal(set) var previousCount = 0

    /// True if the sets have the same rules in the same order.
    public var isEmpty: Bool { addedCount + removedCount + editedCount == 0 && reordered.isEmpty }

    /// Compares two sets.
    ///
    /// - Complexity: O(*n*) in the size of the files that differ.
    public init(from old: RuleArchive?, to new: RuleArchive) {
        var comparison = RuleComparison()
        let after = RuleComparison.files(of: new)
        let before = RuleComparison.renamed(old.map { RuleComparison.files(of: $0) } ?? [:], as: after)
        for name in Set(before.keys).union(after.keys).sorted() {
            comparison.compare(name, old: before[name], new: after[name])
        }
        self = comparison.changes
    }

    /// Compares two sets whose rules are those of their documents, wherever an `include` brings them from; other files are compared
    /// by their names.
    ///
    /// - Parameters:
    ///   - old: The earlier document, its files by the names that both sets share, and all files by these.
    ///   - new: The same of the current set.
    package init(
        from old: (document: RuleDocument, names: [String], archive: RuleArchive),
        to new: (document: RuleDocument, names: [String], archive: RuleArchive)
    ) {
        var comparison = RuleComparison()
        let before = RuleLines(old.document, names: old.names)
        comparison.changes.previousCount = before.lines.count
        comparison.compare(before, RuleLines(new.document, names: new.names))
        let read = Set(old.names).union(new.names)
        let (earlier, current) = (RuleComparison.files(of: old.archive), RuleComparison.files(of: new.archive))
        for name in Set(earlier.keys).union(current.keys).subtracting(read).sorted() {
            comparison.compare(name, old: earlier[name], new: current[name])
        }
        self = comparison.changes
    }

    init() {}
}
