/// The result of one attempt to match one regular expression.
package enum MatchOutcome: Sendable, Hashable {
    /// It matched; the captures are in the scratch.
    case matched
    case noMatch
    /// It would have taken too many steps, or too much memory (or, for a pattern that asks for UTF, the subject is not
    /// UTF-8). The code is PCRE2's negative error number.
    case limitExceeded(Int32)
}

extension MatchOutcome {
    /// The code of `limitExceeded` when the steps of the evaluation are used up: what a callout ends a match with.
    package static let stepLimit: Int32 = -37
    /// The code of `limitExceeded` when a pattern could not be compiled for want of memory (PCRE2's number for it).
    static let outOfMemory: Int32 = -48
    /// The code of `limitExceeded` for a subject of 2 GiB or more, whose offsets do not fit a `ByteRange`.
    static let subjectTooLong: Int32 = -33
}
