/// A server or a folder while its configuration is read.
final class ApacheScope {
    /// A rule, and the way in which it takes part in the order of Apache's modules.
    struct Entry {
        enum Kind { case rewrite, redirect }

        var kind: Kind
        var items: [ImportItem]
        var rule: ImportedRule?
        var line: Int
        var text: String
        /// The path to which it leads, if that is fixed.
        var target: String?
        /// True if it is written without a slash at its beginning.
        var isRelative = false
        /// True if the rules after it are tried on the Location of its redirect.
        var redirectsOn = false
        /// The path of a `Redirect`.
        var path: String?
        /// The file in which it is.
        var file = ""

        /// True if it leads to a file that PHP runs.
        var leadsToScript: Bool {
            guard case .rewrite(let target, _)? = rule?.action else { return false }
            return target.prefix { $0 != "?" }.contains(".php")
        }
    }

    /// A section of files or of paths.
    struct Section {
        let place: ApachePlace
        /// The checks as written there.
        let own: ApacheAccess
        /// The checks with those of the folder.
        var access: ApacheAccess
        var line: Int
        var comments: [ImportItem]
    }

    /// The folder as a path, with its slashes; nil for the configuration of a server.
    let folder: String?
    let file: String
    var root: String?
    var listens: [String] = []
    var names: [String] = []
    var settings: [ImportItem] = []
    var entries: [Entry] = []
    /// Separate locations, such as that of a page of errors.
    var locations: [ImportItem] = []
    var sections: [Section] = []
    /// The addresses that may come.
    var access: ApacheAccess
    var options = ApacheOptions()
    /// True if folders without an index are listed, false if not; nil without such options.
    var listsFolders: Bool?
    /// The checks and options of the folders around the site, with their paths.
    var outerAccess: [(path: String, access: ApacheAccess, options: ApacheOptions)] = []
    /// The sections in these folders.
    var outerSections: [Section] = []
    var accessComments: [ImportItem] = []
    /// Comments that belong to what comes next.
    var comments: [ImportItem] = []
    /// The folders inside it that have their own configuration.
    var folders: [ApacheScope] = []

    // The result of the rewriting of the folder.
    var isRewriting = false
    /// True if a directive of rewriting is here, which takes the place of all those of outer folders.
    var hasRewriting = false
    /// The line that would add the rules of outer folders.
    var inheritance: ApacheDirective?
    var conditions: [ApacheConditions.Written] = []
    var context: ApacheContext
    var chain: ImportedTest?
    /// True if the rule before, to which this one is chained, was left out.
    var isChainBroken = false
    /// True if the rule before, to which this one is chained, never applies.
    var isChainIdle = false
    /// The number of rules that a rule that was left out may skip.
    var brokenSkips = 0
    var skipped: [(test: ImportedTest, count: Int)] = []
    /// True if a path is that of another server.
    var hasProxy = false
    var usesFirstPath = false
    var usesHTTPS = false
    var usesFiles = false

    init(folder: String?, file: String, maps: ApacheMaps) {
        self.folder = folder
        self.file = file
        access = ApacheAccess(file: file)
        context = ApacheContext(folder: folder, base: folder ?? "/", maps: maps)
    }

    /// True if nothing in it decides.
    var isEmpty: Bool {
        entries.isEmpty && settings.isEmpty && locations.isEmpty && access.isEmpty && folders.isEmpty
            && sections.isEmpty && options.isEmpty && listsFolders != true && outerAccess.isEmpty
            && outerSections.isEmpty && !hasRewriting
    }

    /// True if a section refuses the files of Apache itself.
    var hidesOwnFiles: Bool {
        (sections + outerSections)
            .contains {
                ApacheAccess.isClosed($0.own.list.rules)
                    && ImportedExpression.matches($0.place.expression, "/x/.htaccess")
            }
    }

    /// The comments before something, which are with it from then on.
    func takeComments() -> [ImportItem] {
        defer { comments = [] }
        return comments
    }

    func addSetting(_ item: ImportItem) { settings += takeComments() + [item] }

    /// Reads what a rule needs of its server.
    func note(_ rule: ImportedRule) {
        let texts = rule.tests.joined().map(\.subject) + ["\(rule.action)"]
        if texts.contains(where: { $0.contains("$scheme") || $0.contains("$server_port") || $0.contains("$https") }) {
            usesHTTPS = true
        }
        if texts.contains(where: { $0.contains("$document_root") || $0.contains("$request_filename") }) {
            usesFiles = true
        }
    }
}
