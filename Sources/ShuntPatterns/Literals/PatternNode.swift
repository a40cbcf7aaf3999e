/// A regular expression as the literal analysis reads it.
///
/// It describes at least every match PCRE2 can find. Where it says less than the pattern does (a lookahead, a
/// backreference), it only allows more.
enum PatternNode {
    /// How a repetition chooses among the counts it may take.
    enum Preference {
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
    /// Something that takes no bytes and is not followed: `\b`, `\K`.
    case assertion
    /// A lookahead or a lookbehind: takes no bytes, but looks for what is in it.
    indirect case lookaround(PatternNode)
    /// What a group captured, once more.
    case backreference
    /// Some bytes about which nothing is known: `\R`.
    case unknown
    /// One after another.
    case sequence([PatternNode])
    /// The first of these that lets the rest match.
    case choice([PatternNode])
    /// `node` from `minimum` to `maximum` times; without a maximum when that is nil.
    indirect case repeated(PatternNode, minimum: Int, maximum: Int?, Preference)
    /// A capturing group.
    indirect case capture(PatternNode, number: Int)
    /// A group that is not entered again once it was left: `(?>…)`.
    indirect case atomic(PatternNode)
}

/// The first thing in a pattern that the literal analysis does not follow.
struct NotUnderstood: Error, Hashable {
    /// What it is, as text for people: `"(?x)"`.
    let what: String
    /// Where it is in the pattern.
    let offset: Int
}
