public import ShuntCore

/// One line of an association file: which URLs an app opens, or does not.
///
/// Patterns have `*` for any number of characters, `?` for exactly one, and in Apple's file `$(name)` for a variable. What is
/// nil takes everything.
public struct AppLinkComponent: Sendable {
    /// The condition on the query of a URL.
    @nonexhaustive public enum Query: Sendable, Hashable {
        /// The whole query as a text.
        case pattern(String)
        /// Each of these items; others do not matter.
        ///
        /// In Apple's file an item that is missing counts as one without a value, and all items with one name must match.
        /// In Google's file one item of the name must match.
        case items([String: String])
    }

    /// The pattern of the path.
    public var path: String?
    /// The query.
    public var query: Query?
    /// The pattern of the fragment.
    public var fragment: String?
    /// True if these URLs stay with the browser; nil for the defaults of the file, which are false without them.
    public var isExcluded: Bool?
    /// A remark for readers.
    public var comment: String?
    /// True if the case of letters counts; nil for the default of the file.
    public var isCaseSensitive: Bool?
    /// True if patterns are compared with encoded URLs; nil for the default of the file.
    public var isPercentEncoded: Bool?
    /// The place where it is; nil for one that was not read.
    public internal(set) var location: SourceLocation?

    /// Makes a component.
    public init(
        path: String? = nil,
        query: Query? = nil,
        fragment: String? = nil,
        isExcluded: Bool? = nil,
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

    /// The component, with `defaults` for what it lacks.
    func completed(by defaults: AppLinkComponent) -> AppLinkComponent {
        var component = self
        component.path = path ?? defaults.path
        component.query = query ?? defaults.query
        component.fragment = fragment ?? defaults.fragment
        component.isExcluded = isExcluded ?? defaults.isExcluded
        component.isCaseSensitive = isCaseSensitive ?? defaults.isCaseSensitive
        component.isPercentEncoded = isPercentEncoded ?? defaults.isPercentEncoded
        return component
    }

    /// True if it has neither conditions nor settings.
    var isEmpty: Bool {
        path == nil && query == nil && fragment == nil && isExcluded == nil && isCaseSensitive == nil
            && isPercentEncoded == nil
    }
}
