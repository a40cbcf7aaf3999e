public import ShuntCore

/// Apple's file about a website and its apps: `apple-app-site-association`.
///
/// A plain value: read it, make it, change it, write it. One file speaks for one host.
public struct AppSiteAssociation: Sendable {
    /// The URLs that some apps open.
    public struct Details: Sendable {
        /// The apps: `<prefix>.<bundle identifier>`.
        public var appIDs: [String]
        /// The components, in order: the first one that matches decides.
        public var components: [AppLinkComponent]
        /// The values that count where a component has none.
        public var defaults = AppLinkComponent()
        /// True if the file has `paths`, as it did before iOS 13, and not `components`.
        public internal(set) var isLegacy = false

        /// Makes an entry.
        public init(appIDs: [String], components: [AppLinkComponent]) {
            self.appIDs = appIDs
            self.components = components
        }
    }

    /// The most bytes that devices read.
    public static let sizeLimit = 128 << 10

    /// The entries of the apps.
    public var details: [Details] = []
    /// Variables for patterns: `$(name)` stands for any of the values.
    public var substitutionVariables: [String: [String]] = [:]
    /// The values that count where neither a component nor its entry has one.
    public var defaults = AppLinkComponent()
    /// The apps that share passwords with the website.
    public var webCredentials: [String] = []
    /// The app clips of the website.
    public var appClips: [String] = []
    /// The apps that continue what was begun on the website.
    public var activityContinuation: [String] = []
    /// The apps that sign in at the website for others (single sign-on).
    public var authenticationServices: [String] = []
    /// The problems in the file that was read.
    public internal(set) var warnings: [Diagnostic] = []

    /// Makes an empty file.
    public init() {}

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name for messages.
    /// - Throws: Everything that is wrong, with line and column. Warnings alone are not a reason; they are in
    ///   `warnings`.
    public init(reading bytes: [UInt8], named name: String = "apple-app-site-association") throws(AppLinksError) {
        var reader = AppSiteAssociationReader(AssociationFile(name: name, bytes: bytes))
        self = reader.read()
        try AppLinksError.check(warnings)
    }

    /// Reads a file for explanations: what devices are known to read past is not a reason to refuse it.
    ///
    /// - Returns: The file; its problems, errors too, are its `warnings`.
    /// - Throws: Everything that is wrong if it leaves open what a device would do.
    package static func tolerant(reading bytes: [UInt8], named name: String) throws(AppLinksError) -> AppSiteAssociation
    {
        var reader = AppSiteAssociationReader(AssociationFile(name: name, bytes: bytes))
        let file = reader.read()
        try AppLinksError.check(file.warnings, tolerating: [.appIdentifier, .queryValue])
        return file
    }

    /// The file, on lines that people can read.
    ///
    /// Reading it returns the same again.
    public func json() -> [UInt8] { AppSiteAssociationWriter.json(self) }
}
