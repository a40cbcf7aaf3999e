/// The association files of a website, as they are served.
public struct AppLinkFiles: Sendable {
    /// The type that both files are served with.
    public static let contentType = "application/json"
    /// The paths of Apple's file.
    public static let applePaths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
    /// The path of Google's file.
    public static let androidPath = "/.well-known/assetlinks.json"

    private let apple: [UInt8]?
    private let android: [UInt8]?

    /// Writes the files, once.
    ///
    /// - Parameters:
    ///   - apple: Apple's file; nil for none.
    ///   - android: Google's file; nil for none.
    public init(apple: AppSiteAssociation? = nil, android: AssetLinks? = nil) {
        self.apple = apple?.json()
        self.android = android?.json()
    }

    /// The file at a path.
    ///
    /// A server answers GET and HEAD with 200, `contentType` and no redirect.
    ///
    /// - Parameter path: The path of a request, without its query.
    /// - Returns: The file; nil where there is none.
    public func file(at path: String) -> [UInt8]? {
        if Self.applePaths.contains(path) { return apple }
        return path == Self.androidPath ? android : nil
    }
}
