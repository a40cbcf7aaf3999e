public import ShuntCore

/// The answer of an association file about a URL and one app.
public struct AppLinkAnswer: Sendable {
    /// The result for the URL.
    @nonexhaustive public enum Outcome: String, Sendable, Hashable {
        /// The app opens it.
        case opens
        /// A component keeps it with the browser.
        case excluded
        /// No component takes it: the browser opens it.
        case unmatched
        /// The file leaves it to the app: its intent filters name the URLs that it opens.
        case leftToApp
    }

    /// The app: its identifier, or its package.
    public let app: String
    /// The result for the URL.
    public let outcome: Outcome
    /// The component that decided; nil where none did.
    public let component: AppLinkComponent?
}

extension AppSiteAssociation {
    /// Returns the result for each app, and the component that decided.
    ///
    /// - Parameter url: A URL of the website; its host is not read, since the file does not have it.
    /// - Returns: An answer for each app, in the order of the file.
    /// - Throws: `URLSyntaxError`.
    /// - Complexity: In proportion to the patterns times the length of the URL.
    public func explain(_ url: String) throws(URLSyntaxError) -> [AppLinkAnswer] {
        try AppLinkMatcher(self).answers(url)
    }

    /// The apps in the order of the file, each once.
    var apps: [String] {
        var seen = Set<String>()
        return details.flatMap(\.appIDs).filter { seen.insert($0).inserted }
    }
}

extension AssetLinks {
    /// Returns the result for each Android app, and the component that decided.
    ///
    /// - Parameter url: A URL of the website; its host is not read, since the file does not have it.
    /// - Returns: An answer for each app that may open URLs of the website, in the order of the file.
    /// - Throws: `URLSyntaxError`.
    /// - Complexity: In proportion to the patterns times the length of the URL.
    public func explain(_ url: String) throws(URLSyntaxError) -> [AppLinkAnswer] {
        try AppLinkMatcher(self).answers(url)
    }
}
