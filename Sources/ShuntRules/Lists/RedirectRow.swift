package import ShuntCore

/// A row of a list of redirects as written; the ranges are in the bytes of its reader.
package struct RedirectRow: Sendable {
    package var line: Int32
    package var column: Int32
    /// Its lines, with the end of the last one.
    package var extent = ByteRange.empty
    package var from = ByteRange.empty
    package var to = ByteRange.empty
    /// The conditions on the query, between `from` and `to`.
    package var conditions = ByteRange.empty
    /// The conditions on the client, after the status.
    package var audience = ByteRange.empty
    /// The status; 0 without one.
    package var status: Int32 = 0
    package var keepsQuery: Bool?
    package var includesSubdomains = false
    package var matchesSubpaths = false
    package var keepsSuffix = true
    /// True if it also applies where there is a file.
    package var isForced = false
    package var matching = RedirectMatching.whole
    /// True if capital and small letters are equal.
    package var isCaseless = false
    package var problem: RowProblem?
}

/// The reason why a row cannot be used, or should be changed, worded to follow the number of several rows.
package enum RowProblem: String, Sendable, CaseIterable {
    case noTarget = "without a target"
    case notPath = "for no path"
    case sourceScheme = "for another scheme"
    case sourceFragment = "with a fragment"
    case invalidSource = "for no URL"
    case relativeTarget = "with a relative target"
    case targetScheme = "to another scheme"
    case invalidTarget = "to no URL"
    case invalidStatus = "with an invalid status"
    case statusPage = "with a page for an error"
    case outsideRewrite = "with a page of another server"
    case condition = "with a condition"
    case action = "with another action"
    case encoding = "in another encoding"
    case wildcard = "with an invalid wildcard"
    case expression = "with an expression"
    case openCapture = "with an unknown part in the target"
    case openQuote = "with an open quote"
    case spaces = "with spaces"
    case duplicate = "repeated"
    case contradiction = "contradicting an earlier one"
    case loop = "in a loop"
    case chain = "in a chain"
    case full = "too long or too many"

    /// The problem as the end of a sentence that begins with the row.
    package var message: String {
        switch self {
        case .noTarget: "has no target"
        case .notPath: "is for no path: it begins with neither a slash nor a host"
        case .sourceScheme: "is for a URL that is neither http nor https"
        case .sourceFragment: "can never match: browsers do not send what follows a \"#\""
        case .invalidSource: "is for a URL that cannot be requested"
        case .relativeTarget: "has a relative target: it begins with neither a slash nor https://"
        case .targetScheme: "has a target that is neither http nor https"
        case .invalidTarget: "has a target that is not a URL"
        case .invalidStatus: "has a status that is neither a redirect's nor 200 nor an error's"
        case .statusPage: "names a page for an error: write error_page"
        case .outsideRewrite: "shows a page of another server under this URL: write proxy_pass"
        case .condition: "depends on more than its URL, as a country, a language, a role or a cookie"
        case .action: "has an action that is neither a redirect nor an error"
        case .encoding: "has bytes that are not UTF-8: save the file as UTF-8"
        case .wildcard: "has a wildcard that is not supported: one * is allowed, and a placeholder between slashes"
        case .expression:
            "has an expression or a placeholder, and of these only expressions of exports from ^/ to $ are read: write a rewrite"
        case .openCapture: "has a target with a part that its source does not have"
        case .openQuote: "has a quote that is not closed"
        case .spaces: "has more words than from, to and status: write a space as %20"
        case .duplicate: "is in the list already, with the same target"
        case .contradiction: "is in the list already, with another target"
        case .loop: "leads back to itself"
        case .chain: "leads to a page that is redirected again"
        case .full: "is too long, or one too many"
        }
    }

    /// True if the row is used nevertheless.
    package var isHarmless: Bool { self == .chain }
}
