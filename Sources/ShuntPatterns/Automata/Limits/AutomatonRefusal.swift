/// The reason why there is no automaton, or no answer from one: a construct that has no exact automaton, or a limit.
@nonexhaustive public enum AutomatonRefusal: Error, Sendable, Hashable {
    /// The expression refers back to a group; no automaton can remember its capture.
    case backreference(Int)
    /// Something in the expression that is not read, such as recursion, a condition, a verb or `(?x)`.
    case notRead(what: String, offset: Int)
    /// `\R`, which stands for other bytes in other builds of PCRE2.
    case lineBreak
    /// An atomic group or a possessive repetition of which it is not known which matches it loses.
    case atomic
    /// An atomic group, or a possessive repetition of a group, that may be empty: PCRE2 is known to misread what is in front
    /// of it, as in `b*(?>(?:c)?)b`.
    case emptyAtomicGroup
    /// A lookbehind that looks ahead: what it finds depends on bytes on both sides.
    case lookaheadInLookbehind
    /// A search in which PCRE2 is known to miss matches, as for `(?=a)a*a`.
    case misledSearch
    /// Groups, or what an atomic group tries in turn, are nested too deep.
    case depth(Int)
    /// The graph of the expression would have more nodes than this.
    case nodes(Int)
    /// There would be more states than this.
    case states(Int)
    /// More steps than this would be taken.
    case steps(Int)
}

extension AutomatonRefusal: CustomStringConvertible {
    /// The reason as a short text for people.
    public var description: String {
        switch self {
        case .backreference(let number): "\"\\\(number)\" is a backreference"
        case .notRead(let what, let offset): "\(what) at offset \(offset) is not read as an automaton"
        case .lineBreak: "\"\\R\" depends on how PCRE2 was built"
        case .atomic: "an atomic or possessive part that may lose matches"
        case .emptyAtomicGroup: "an atomic part that may be empty, in front of which PCRE2 may miss matches"
        case .lookaheadInLookbehind: "a lookbehind that looks ahead"
        case .misledSearch: "PCRE2's search may miss matches of it"
        case .depth(let limit): "nested more than \(Self.grouped(limit)) deep"
        case .nodes(let limit): "more than \(Self.grouped(limit)) nodes"
        case .states(let limit): "more than \(Self.grouped(limit)) states"
        case .steps(let limit): "more than \(Self.grouped(limit)) steps"
        }
    }

    /// A number with a comma between each three digits.
    private static func grouped(_ number: Int) -> String {
        var text = ""
        let digits = String(number)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}
