public import ShuntCore

/// One line of an association file: which URLs an app opens, or does not.
///
/// Patterns have `*` for any number of characters, `?` for exactly one, and in Apple's file `$(name)` for a variable. What is
/// nil takes everything.
public struct AppLinkComponent: Sendable {
    /// What the query of a URL must look like.
    @nonexhaustive
    public enum Query: Sendable, Hashable {
        /// The whole query as a text.
        case pattern(String)
        /// Each of these items; others do not matter.
        ///
        /// An item that is missing counts as one without a value, and all items with one name must match.
        case items([String: String])
    }

    /// The pattern of the path.
    public var path: String?
    /// The query.
    public var query: Query?
    /// The pattern of the fragment.
    public var fragment: String?
    /// Whether these URLs stay with the browser.
    public var isExcluded: Bool
    /// What people should know about it.
    public var comment: String?
    /// Whether the case of letters counts; nil for what the file says.
    public var isCaseSensitive: Bool?
    /// Whether patterns are compared with URLs as they are encoded; nil for what the file says.
    public var isPercentEncoded: Bool?
    /// Where it stands; nil for one that was not read.
    public internal(set) var location: SourceLocation?

    /// Makes a component.
    public init(
        path: String? = nil,
        query: Query? = nil,
        fragment: String? = nil,
        isExcluded: Bool = false,
        comment: String? = nil,
        isCaseSensitive: Bool? = nil,
        isPercentEncoded: Bool? = nil
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.isExcluded = isExcluded
        self.comment = comment
        self.isCaseSensitive = isCaseSensitive
        self.isPercentEncoded = isPercentEncoded
    }

    /// Whether it takes every URL.
    var takesEverything: Bool {
        let open: (String?) -> Bool = { $0 == nil || $0 == "*" }
        switch query {
        case nil: break
        case .pattern(let pattern): guard pattern == "*" else { return false }
        case .items(let items): guard items.values.allSatisfy({ $0 == "*" }) else { return false }
        }
        return (open(path) || path == "/*") && open(fragment)
    }
}

/// How patterns of an association file are compared with URLs.
public struct AppLinkDefaults: Sendable, Hashable {
    /// Whether the case of letters counts; nil for the usual, which is yes.
    public var isCaseSensitive: Bool?
    /// Whether patterns are compared with URLs as they are encoded; nil for the usual, which is yes.
    public var isPercentEncoded: Bool?

    /// Makes defaults.
    public init(isCaseSensitive: Bool? = nil, isPercentEncoded: Bool? = nil) {
        self.isCaseSensitive = isCaseSensitive
        self.isPercentEncoded = isPercentEncoded
    }
}
