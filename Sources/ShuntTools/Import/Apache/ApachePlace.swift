/// The files, paths or folders that a section is about.
struct ApachePlace {
    /// The kinds of sections, in the order in which Apache asks them; the last one decides.
    enum Kind: Int { case folders, files, paths }

    var kind: Kind
    /// An expression on paths.
    var expression: String
    /// The name or the path, if only that is meant.
    var name: String?

    private init(_ kind: Kind, _ expression: String, name: String? = nil) {
        (self.kind, self.expression, self.name) = (kind, expression, name)
    }

    /// Reads the head of a section; nil for a place that is not of the site, or has no expression here.
    init?(_ head: ApacheDirective, refuses: Bool, root: String) {
        let isExpression = head.key.hasSuffix("match") || head.words.first == "~"
        guard let name = head.words.first(where: { $0 != "~" }) else { return nil }
        if isExpression, ImportedExpression.groupCount(name) == nil { return nil }
        let isFixed = !isExpression && !ApacheFileName.hasWildcards(name)
        let fixed = isFixed ? name : nil
        switch head.key {
        case "files", "filesmatch":
            if !isExpression, name.contains("/") { return nil }
            let expression =
                isExpression ? ApacheFileName.path(of: name, refuses: refuses) : ApacheFileName.path(named: name)
            self.init(.files, expression, name: fixed)
        case "location", "locationmatch":
            if isExpression {
                self.init(.paths, name)
                return
            }
            guard name.hasPrefix("/") else { return nil }
            let end = isFixed ? (name.hasSuffix("/") ? "" : "(/|$)") : "$"
            let path = isFixed ? ImportedExpression.literal(name) : ApacheFileName.wildcards(name)
            self.init(.paths, "^\(path)\(end)", name: fixed)
        default:
            if isExpression {
                guard let expression = Self.folders(name, below: root) else { return nil }
                self.init(.folders, expression)
            } else {
                guard let folder = ApacheFolder.inSite(name, below: root) else { return nil }
                self.init(.folders, "^\(ApacheFileName.wildcards(String(folder.dropLast())))(/|$)")
            }
        }
    }

    /// An expression on folders as one on paths, which holds for all that is inside.
    private static func folders(_ expression: String, below root: String) -> String? {
        let start = "^\(ImportedExpression.literal(root))/"
        guard ImportedExpression.alternatives(expression).count == 1,
            !ImportedExpression.matches(expression, root + "/")
        else { return nil }
        var inner = expression
        var end = ""
        for text in ["(/|$)", "(?:/|$)", "/", "$"] where inner.hasSuffix(text) && !inner.hasSuffix("\\$") {
            inner.removeLast(text.count)
            end = "(/|$)"
            break
        }
        if inner.hasPrefix("^") {
            guard inner.hasPrefix(start), inner.count > start.count else { return nil }
            return "^/\(inner.dropFirst(start.count))\(end)"
        }
        // A match must not begin in the path of the site.
        let pieces = ImportedExpression.pieces(inner)
        guard !pieces.dropFirst().contains(where: ApacheFileName.takesSlashes) else { return nil }
        return inner + end
    }
}
