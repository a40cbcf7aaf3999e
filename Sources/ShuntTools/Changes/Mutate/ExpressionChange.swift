import ShuntPatterns

/// An expression before and after a change, and where its subjects come from.
package struct ExpressionChange: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case path
        case url
        case value
    }

    package var original: [UInt8]
    package var mutated: [UInt8]
    package var wasCaseless: Bool
    package var isCaseless: Bool
    package var subject: Subject
    /// True if something is made of what its groups capture.
    package var usesCaptures: Bool
    /// The expression of just those ways to match that one of the two has and the other has not; nil if none has that
    /// meaning.
    package var difference: [UInt8]?

    /// The expression before the change; nil if it does not compile.
    var before: RegularExpression? { try? RegularExpression(original, caseless: wasCaseless) }

    /// The changed expression; nil if it does not compile.
    var after: RegularExpression? { try? RegularExpression(mutated, caseless: isCaseless) }
}
