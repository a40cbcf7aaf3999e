import ShuntCore
import ShuntPatterns

/// A part of a URL, and the automata by which a question about it becomes one about the URL.
enum URLPart: Hashable {
    case scheme
    case host
    case port
    case path
    case arguments
    case requestURI

    /// The text before the part.
    private var before: String {
        switch self {
        case .scheme: "^\\z"
        case .host: "^[^:/?#]+://\\z"
        case .port: "^[^:/?#]+://[^/?#:]*:\\z"
        case .path, .requestURI: "^[^:/?#]+://[^/?#]*/\\z"
        case .arguments: "^[^?#]*\\?\\z"
        }
    }

    private var terminators: ByteSet {
        switch self {
        case .scheme: ByteSet(ascii: ":")
        case .host: ByteSet(ascii: ":/?#")
        case .port: ByteSet(ascii: "/?#")
        case .path: ByteSet(ascii: "?#")
        case .arguments, .requestURI: ByteSet(ascii: "#")
        }
    }

    /// The URLs in which the part is not there, or empty.
    private var absent: String? {
        switch self {
        case .scheme, .host: nil
        case .port: "^[^:/?#]+://[^/?#:]*(?:[/?#]|\\z)"
        case .path, .requestURI: "^[^:/?#]+://[^/?#]*(?:[?#]|\\z)"
        case .arguments: "^[^?#]*(?:#|\\z)"
        }
    }

    /// The URLs in which the part is one of `values`.
    func urls(having values: Language, _ checker: ValueChecker) throws(AutomatonRefusal) -> Language {
        let limits = checker.limits.proof
        var automaton = try values.automaton(limits: limits)
        let mayBeEmpty = automaton.accepts([])
        if self == .path || self == .requestURI { automaton = automaton.after("/".utf8) }
        guard let before = checker.automaton(before) else { throw .states(limits.states) }
        let part = PartOfSubject(before: before, terminators: terminators, isFolded: self == .host || self == .scheme)
        let found = Language.automaton(try part.subjects(having: automaton, limits: limits))
        guard mayBeEmpty, let absent = absent.flatMap(checker.automaton) else { return found }
        return .union([found, .automaton(absent)])
    }
}

/// The URLs that are looked for, the likely ones first.
enum URLDomain {
    private static let host = "[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?(?::[1-9][0-9]{0,3})?"
    private static let path = "[^\\x00-\\x20\\x7f-\\xff?#\"<>\\\\^`{|}]*"
    private static let query = "[^\\x00-\\x20\\x7f-\\xff#\"<>\\\\^`{|}]*"

    static let patterns = [
        "^https?://\(host)/\(path)(?:\\?\(query))?\\z",
        "^[a-z][a-z0-9+.-]*://\(host)(?:/\(path))?(?:\\?\(query))?\\z",
        "^[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x20\\x7f]*\\z",
    ]
}
