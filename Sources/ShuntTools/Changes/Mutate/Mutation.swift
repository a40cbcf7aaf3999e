public import ShuntCore

/// A small change of a rule, such as a person makes by mistake.
public struct Mutation: Sendable, Hashable {
    /// The kind of change.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The rule is not there.
        case removed = "M1"
        /// The rule is below the next one.
        case moved = "M2"
        /// An anchor or a backslash before a dot is not there, or one more is.
        case anchor = "M3"
        /// An alternative is not there, a repetition is another, a class takes one more byte.
        case part = "M4"
        /// Case is regarded, or not.
        case letterCase = "M5"
        /// Captures are swapped, dropped, or another one is taken.
        case capture = "M6"
        /// Another status or flag.
        case result = "M7"
        /// A test is turned round, or its bound moved.
        case condition = "M8"
        /// An entry of a table is not there, a network is twice as large.
        case entry = "M9"
        /// A letter of the target is another one, the query is dropped.
        case constant = "M10"
        /// A host has a wildcard more or less.
        case host = "M11"

        /// The change in a few words.
        public var title: String {
            switch self {
            case .removed: "rule removed"
            case .moved: "rule moved"
            case .anchor: "anchors and dots"
            case .part: "parts of an expression"
            case .letterCase: "case"
            case .capture: "captures"
            case .result: "status or flag"
            case .condition: "condition"
            case .entry: "entry of a table"
            case .constant: "text of a target"
            case .host: "host"
            }
        }
    }

    /// The kind of change.
    public var kind: Kind
    /// The rule.
    public var rule: SourceLocation
    /// The change in a few words: `"." for "\." in ^/a\.html$`.
    public var change: String
    /// The number of the file, the bytes of it that are replaced, and what by.
    package var file: Int
    package var range: Range<Int>
    package var replacement: [UInt8]
    /// The place where the rule is, or the location whose expression it is.
    package var position: SourcePosition
    /// For a rule that was moved: the rule that it now is below.
    package var next: SourcePosition?
    /// The block that the rule is in.
    package var around: SourcePosition?
    /// Addresses that only the changed rule is for.
    package var addresses: [String] = []
}
