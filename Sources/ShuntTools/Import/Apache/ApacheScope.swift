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
        /// The path of a `Redirect`.
        var path: String?
    }

    /// The folder as a path, with its slashes; nil for the configuration of a server.
    let folder: String?
    let file: String
    var root: String?
    var listens: [String] = []
    var names: [String] = []
    var settings: [ImportItem] = []
    var entries: [Entry] = []
    /// Separate locations, such as those of files that are refused.
    var locations: [ImportItem] = []
    /// The addresses that may come.
    var access = ApacheAccess()
    var accessComments: [ImportItem] = []
    /// Comments that belong to what comes next.
    var comments: [ImportItem] = []
    /// The folders inside it that have their own configuration.
    var folders: [ApacheScope] = []

    // What the rewriting of the folder has come to.
    var isRewriting = false
    var conditions: [ApacheConditions.Written] = []
    var context: ApacheContext
    var chain: ImportedRule.Test?
    /// True if the rule before, to which this one is chained, was left out.
    var isChainBroken = false
    var skipped: [(test: ImportedRule.Test, count: Int)] = []
    var usesFirstPath = false
    var usesHTTPS = false
    var usesFiles = false

    init(folder: String?, file: String) {
        self.folder = folder
        self.file = file
        context = ApacheContext(folder: folder, base: folder ?? "/")
    }

    /// True if nothing in it decides.
    var isEmpty: Bool {
        entries.isEmpty && settings.isEmpty && locations.isEmpty && access.isEmpty && folders.isEmpty
    }

    /// The comments before something, which stand with it from then on.
    func takeComments() -> [ImportItem] {
        defer { comments = [] }
        return comments
    }

    func addSetting(_ item: ImportItem) { settings += takeComments() + [item] }

    /// Looks at what a rule needs of its server.
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
