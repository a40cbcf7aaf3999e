/// The possible subjects by their source: a proof can leave out subjects that do not occur.
///
/// A domain holds every subject that occurs and may hold more. So what is proved for the domain is true of all that occurs,
/// and a subject that a search finds in it has still to be tried.
@nonexhaustive public enum SubjectDomain: Sendable, Hashable {
    /// Any bytes.
    case any
    /// A whole URL: a scheme, a colon, and no control byte.
    case url
    /// The path of a request as a server sees it: decoded, from its first slash on, without dot segments, and without two
    /// slashes in a row if these are merged.
    case path(mergesSlashes: Bool)
    /// The host of a request: no capital letter, slash, space or control byte.
    case host

    /// The automaton of the domain.
    ///
    /// - Throws: the limit that was passed; there is none for limits of 100 states and more.
    public func automaton(limits: AutomatonLimits = .expression) throws(AutomatonRefusal) -> Automaton {
        switch self {
        case .any: return .everything
        case .url: return try Automaton(pattern: "^[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x1f\\x7f]*\\z", limits: limits)
        case .host: return try Automaton(pattern: "^[^\\x00-\\x20/A-Z\\x7f]+\\z", limits: limits)
        case .path(let mergesSlashes):
            let refused = "^[^/]|^\\z|\\x00|/\\.\\.?(?:/|\\z)" + (mergesSlashes ? "|//" : "")
            let automaton = try Automaton(pattern: refused, limits: limits)
            return try Language.complement(.automaton(automaton)).automaton(limits: limits)
        }
    }
}
