public import ShuntCore

/// What an association file says about a URL and one app.
public struct AppLinkAnswer: Sendable {
    /// What becomes of the URL.
    @nonexhaustive
    public enum Outcome: String, Sendable, Hashable {
        /// The app opens it.
        case opens
        /// A component keeps it with the browser.
        case excluded
        /// No component takes it: the browser opens it.
        case unmatched
        /// The file leaves it to the app: its intent filters say which URLs it opens.
        case leftToApp
    }

    /// The app: its identifier, or its package.
    public let app: String
    /// What becomes of the URL.
    public let outcome: Outcome
    /// The component that decided; nil where none did.
    public let component: AppLinkComponent?
}

extension AppSiteAssociation {
    /// What each app does with a URL, and by which component.
    ///
    /// - Parameter url: A URL of the website; its host is not looked at, since the file does not say it.
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
    /// What each Android app does with a URL, and by which component.
    ///
    /// - Parameter url: A URL of the website; its host is not looked at, since the file does not say it.
    /// - Returns: An answer for each app that may open URLs of the website, in the order of the file.
    /// - Throws: `URLSyntaxError`.
    /// - Complexity: In proportion to the patterns times the length of the URL.
    public func explain(_ url: String) throws(URLSyntaxError) -> [AppLinkAnswer] {
        try AppLinkMatcher(self).answers(url)
    }
}
