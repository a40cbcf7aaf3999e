package import ShuntCore
package import ShuntPatterns

/// The options of a `redirects`, and those of the form of its file where it states none.
package struct RedirectListOptions: Sendable {
    package enum Query: String, Sendable {
        /// It is added to the target.
        case keep
        /// It is left out.
        case drop
        /// A row without a query is only for requests without one; those with one are as always.
        case exact
    }

    /// The form of the file; nil to find it by the name and the first lines.
    package var form: RedirectForm?
    /// The status of rows without one; 0 for that of the form.
    package var status: Int32 = 0
    package var query: Query?
    /// True if a slash at the end of a path makes no difference; nil for the choice of the form.
    package var ignoresSlash: Bool?
    package var isCaseless = false
    /// The host of rows that state none; empty for any.
    package var host: [UInt8] = []
    /// The text before targets that are paths.
    package var base: [UInt8] = []
    /// The roles of the columns of a CSV file; empty to find them by the head.
    package var columns: [RedirectColumn] = []
    /// The variables that conditions on the client are compared with; rows with others cannot be used.
    package var variables: [RedirectCondition.Kind: String] = [:]
    /// True if a file with a row that cannot be used is refused.
    package var isStrict = false
    /// The hosts of the server around the directive, for chains.
    package var ownHosts: [[UInt8]] = []

    package init() {}
}

package enum RedirectForm: String, Sendable, CaseIterable {
    /// `from to [status]`.
    case plain
    case csv
    /// The CSV of Cloudflare's Bulk Redirects.
    case bulk
    /// `_redirects`, as Netlify, Cloudflare Pages and GitLab Pages read it.
    case pages = "_redirects"
    case vercel
    case firebase

    /// True if the first row that matches applies; else an exact row applies before one with a wildcard.
    package var isOrdered: Bool { self == .pages || isJSON }
    package var isJSON: Bool { self == .vercel || self == .firebase }
}

/// The role of a column of a CSV file.
package enum RedirectColumn: String, Sendable, CaseIterable {
    case from, to, status
    case query = "preserve_query_string"
    case subdomains = "include_subdomains"
    case subpaths = "subpath_matching"
    case suffix = "preserve_path_suffix"
    /// The comparison of the source with a path.
    case matching
    /// The state: rows can be switched off.
    case state
    /// The differences that do not matter: `case`.
    case ignored = "ignore"
    case none = "-"
}

/// The rows of a list of redirects: one look-up finds the row of a request, however many there are.
package final class RedirectList: Sendable {
    /// The parts of a URL that a key has in addition to the path.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let scheme = Parts(rawValue: 1)
        package static let host = Parts(rawValue: 2)
        package static let query = Parts(rawValue: 4)
    }

    /// Rows whose keys have the same parts.
    package struct Group: Sendable {
        package var parts: Parts
        /// The keys of rows without wildcards, each with the number of its row.
        package var exact: ByteTable
        /// The expressions of rows with wildcards.
        package var patterns: PatternIndex
        /// The row of each expression.
        package var patternRows: [Int32]
    }

    package struct Row: Sendable {
        /// The target in `targets`.
        package var target = ByteRange.empty
        package var line: Int32
        package var column: Int32
        /// The status; 200 for a rewrite, -1 for a row that is left out.
        package var status: Int16
        /// True if the query of the request is added to the target.
        package var keepsQuery = true
        package var isPath = false

        package var isLeftOut: Bool { status < 0 }
    }

    /// The byte before the number of a capture in a target.
    static let captureMark: UInt8 = 0
    /// The bit in the number of a capture whose text is of the query, and encoded as there.
    static let queryFlag: UInt8 = 0x80

    /// The number of the file.
    package let file: Int32
    package let position: SourcePosition
    package let options: RedirectListOptions
    package let form: RedirectForm
    package let ignoresSlash: Bool
    package let rows: [Row]
    let targets: [UInt8]
    /// The groups, those with most parts first.
    package let groups: [Group]
    /// The ranks of the rows of Bulk Redirects, the most specific first; empty for other forms.
    private let ranks: [Int32]
    /// The rows with wildcards that also apply where there is a file.
    private let forced: Set<Int32>
    /// The conditions of rows on the client.
    let conditions: [Int32: [RedirectCondition]]
    /// The values of `country=`, `language=` and `role=`, by the kinds of conditions; empty without conditions.
    let templates: [TemplateIndex]

    init(
        _ options: RedirectListOptions,
        form: RedirectForm,
        ignoresSlash: Bool,
        file: Int32,
        position: SourcePosition,
        rows: [Row],
        targets: [UInt8],
        groups: [Group],
        ranks: [Int32],
        forced: Set<Int32> = [],
        conditions: [Int32: [RedirectCondition]] = [:],
        templates: [TemplateIndex] = []
    ) {
        self.options = options
        self.form = form
        self.ignoresSlash = ignoresSlash
        self.file = file
        self.position = position
        self.rows = rows
        self.targets = targets
        self.groups = groups
        self.ranks = ranks
        self.forced = forced
        self.conditions = conditions
        self.templates = templates
    }

    /// The rank of a row, of which the lowest that matches applies; nil where the first row found applies.
    func rank(of row: Int32) -> Int32? { form == .bulk ? ranks[Int(row)] : form.isOrdered ? row : nil }

    /// Returns true if a row with wildcards does not apply where there is a file.
    ///
    /// Source: Netlify's documentation of redirects, "Shadowing".
    func yieldsToFiles(_ row: Int32) -> Bool { form == .pages && !forced.contains(row) }

    package func position(of row: Int) -> SourcePosition {
        SourcePosition(file: file, line: rows[row].line, column: rows[row].column)
    }

    /// The places of the rows that are in use, in their order.
    package var positions: [SourcePosition] {
        rows.indices.filter { !rows[$0].isLeftOut }.map { position(of: $0) }
    }
}
