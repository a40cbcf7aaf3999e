package import ShuntCore

/// A regular expression as a tree: exactly what PCRE2 reads in it.
///
/// The analyses of expressions start here: the literals that an index looks for, the matcher of our own, automata.
package enum PatternNode: Sendable, Hashable {
    /// The preference of a repetition among its counts.
    package enum Preference: Sendable, Hashable {
        case greedy
        case lazy
        case possessive
    }

    /// These bytes, one after another.
    case literal([UInt8], caseless: Bool)
    /// One byte of a set; of a caseless pattern the set holds both cases.
    case set(ByteSet)
    /// The start of the subject: `^`, `\A`.
    case start
    /// The end of the subject or the place before a final LF: `$`, `\Z`.
    case end
    /// The end of the subject: `\z`.
    case absoluteEnd
    /// A place between a word byte and another one, or the end of either: `\b`; any other place if `negated`: `\B`.
    case wordBoundary(negated: Bool)
    /// A place at which the bytes ahead, or those after it, match; or do not if `negated`.
    indirect case lookaround(PatternNode, ahead: Bool, negated: Bool)
    /// The match is reported to begin here: `\K`. Takes no bytes and never fails.
    case matchStart
    /// A back reference: `\1`.
    case backreference(Int)
    /// `\R`: CRLF, or one byte that ends a line, of which builds of PCRE2 have different lists.
    case lineBreak
    /// One after another.
    case sequence([PatternNode])
    /// The first of these that lets the rest match.
    case choice([PatternNode])
    /// `node` from `minimum` to `maximum` times; without a maximum when that is nil.
    indirect case repeated(PatternNode, minimum: Int, maximum: Int?, Preference)
    indirect case capture(PatternNode, number: Int)
    /// A group that is not entered again once it was left: `(?>…)`.
    indirect case atomic(PatternNode)
}

extension PatternNode {
    /// The tree of `expression`.
    ///
    /// - Throws: `NotUnderstood` for the first thing in it that is not read.
    /// - Complexity: in proportion to the pattern's length.
    package init(_ expression: RegularExpression) throws(NotUnderstood) {
        self = try PatternParser.parse(expression.pattern, caseless: expression.caseless)
    }
}

extension PatternNode {
    /// The parts that a node is put together from, in the order of the pattern.
    package var parts: [PatternNode] {
        switch self {
        case .sequence(let nodes), .choice(let nodes): nodes
        case .repeated(let inner, _, _, _), .capture(let inner, _), .atomic(let inner), .lookaround(let inner, _, _):
            [inner]
        case .literal, .set, .start, .end, .absoluteEnd, .wordBoundary, .matchStart, .backreference, .lineBreak: []
        }
    }

    /// True if it takes one byte, so that a repetition of it needs no brackets.
    var isOneByte: Bool {
        switch self {
        case .literal(let bytes, _): bytes.count == 1
        case .set: true
        default: false
        }
    }
}

/// The first thing in a pattern that is not read.
package struct NotUnderstood: Error, Hashable {
    /// The text of it for people: `"(?x)"`.
    package let what: String
    package let offset: Int
}

extension PatternNode {
    /// The same with each part changed.
    package func changingParts(_ change: (PatternNode) -> PatternNode) -> PatternNode {
        switch self {
        case .sequence(let nodes): .sequence(nodes.map(change))
        case .choice(let nodes): .choice(nodes.map(change))
        case .repeated(let inner, let minimum, let maximum, let preference):
            .repeated(change(inner), minimum: minimum, maximum: maximum, preference)
        case .capture(let inner, let number): .capture(change(inner), number: number)
        case .atomic(let inner): .atomic(change(inner))
        case .lookaround(let inner, let ahead, let negated): .lookaround(change(inner), ahead: ahead, negated: negated)
        default: self
        }
    }
}
