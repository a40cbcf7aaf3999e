/// What one attempt to match one regular expression gave.
package enum MatchOutcome: Sendable, Hashable {
    /// It matched; the captures are in the scratch.
    case matched
    /// It does not match.
    case noMatch
    /// PCRE2 gave up: a match limit (or, for a pattern that asks for UTF, a subject that is not UTF-8). The code is
    /// PCRE2's negative error number.
    case limitExceeded(Int32)
}

extension MatchOutcome {
    /// The code of `limitExceeded` when a pattern could not be compiled for want of memory (PCRE2's number for it).
    static let outOfMemory: Int32 = -48
    /// The code of `limitExceeded` for a subject of 2 GiB or more, whose offsets do not fit a `ByteRange`.
    static let subjectTooLong: Int32 = -33
}
