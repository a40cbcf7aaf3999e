public import ShuntCore

/// Google's file about a website and what it vouches for: `assetlinks.json`.
///
/// A plain value: read it, make it, change it, write it. One file speaks for one host.
public struct AssetLinks: Sendable {
    /// The subject of a statement.
    @nonexhaustive public enum Target: Sendable, Hashable {
        /// An Android app: its package, and the SHA-256 fingerprints of its certificates.
        case app(package: String, fingerprints: [String])
        /// Another website, such as `https://www.example.com`.
        case site(String)
    }

    /// One statement.
    public struct Statement: Sendable {
        /// The relations to the target.
        public var relations: [String]
        /// The target.
        public var target: Target
        /// The URLs that the app opens, in order, on devices with Android 15 and later.
        ///
        /// Nil or nothing in it leaves them to the intent filters of the app.
        public var components: [AppLinkComponent]?
        /// The place where it is; nil for one that was not read.
        public internal(set) var location: SourceLocation?

        /// Makes a statement.
        public init(
            relations: [String] = [AssetLinks.handlesURLs],
            target: Target,
            components: [AppLinkComponent]? = nil
        ) {
            self.relations = relations
            self.target = target
            self.components = components
        }
    }

    /// The relation by which an app opens the URLs of a website.
    public static let handlesURLs = "delegate_permission/common.handle_all_urls"

    /// The statements.
    public var statements: [Statement] = []
    /// Other files whose statements count too.
    public var includes: [String] = []
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
    public init(reading bytes: [UInt8], named name: String = "assetlinks.json") throws(AppLinksError) {
        var reader = AssetLinksReader(AssociationFile(name: name, bytes: bytes))
        self = reader.read()
        try AppLinksError.check(warnings)
    }

    /// Reads a file for explanations: rules that Android discards and members that it ignores are not a reason to
    /// refuse it.
    ///
    /// - Returns: The file; its problems, errors too, are its `warnings`.
    /// - Throws: Everything that is wrong if it leaves open what a device would do.
    package static func tolerant(reading bytes: [UInt8], named name: String) throws(AppLinksError) -> AssetLinks {
        var reader = AssetLinksReader(AssociationFile(name: name, bytes: bytes))
        let file = reader.read()
        try AppLinksError.check(file.warnings, tolerating: [.rulesDiscarded, .unknownMember])
        return file
    }

    /// The file, on lines that people can read.
    ///
    /// Reading it returns the same again.
    public func json() -> [UInt8] { AssetLinksWriter.json(self) }
}
