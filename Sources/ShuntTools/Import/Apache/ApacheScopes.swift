/// A scope with those around it, of which Apache applies what it does not have itself.
struct ApacheScopes {
    let folder: ApacheScope
    /// The scopes from the outermost one to this one.
    private let chain: [ApacheScope]

    init(_ folder: ApacheScope, of site: ApacheScope) {
        self.folder = folder
        let path = folder.folder ?? ""
        chain = ([site] + site.folders)
            .filter { $0 === folder || ($0.folder.map { path.hasPrefix($0) && $0 != path } ?? true) }
            .sorted { ($0.folder ?? "").count < ($1.folder ?? "").count }
    }

    /// The scope whose rewriting holds here.
    var rewriting: ApacheScope? {
        folder.folder == nil ? folder : chain.last { $0.folder != nil && $0.hasRewriting }
    }

    /// The rules that hold here: redirects of all scopes, and the rewriting of one.
    var entries: [ApacheScope.Entry] {
        var result = entries(of: rewriting, .rewrite)
        for scope in chain.reversed() where scope.folder != nil || scope === folder {
            result += entries(of: scope, .redirect)
        }
        return result
    }

    private func entries(of scope: ApacheScope?, _ kind: ApacheScope.Entry.Kind) -> [ApacheScope.Entry] {
        guard let scope else { return [] }
        return scope.entries.filter { $0.kind == kind }
            .map { entry in
                var entry = entry
                entry.file = scope.file
                if chain.count > 1 { entry.items.insert(.file(scope.file), at: 0) }
                return entry
            }
    }

    var hasProxy: Bool { chain.contains(where: \.hasProxy) }

    /// The folders around the site, from the outermost one; the server itself is not in a folder.
    private var around: [(path: String, access: ApacheAccess, options: ApacheOptions)] {
        let hasSite = folder.folder == nil && folder.folders.contains { $0.folder == "/" }
        return hasSite ? [] : (chain.first?.outerAccess ?? []).sorted { $0.path.count < $1.path.count }
    }

    /// The directive after which all is refused, as rewriting is on and no link is followed.
    func withoutLinks(isOuter: Bool = false) -> ApacheDirective? {
        guard let rewriting, rewriting.folder != nil, rewriting.isRewriting else { return nil }
        return ApacheOptions.forbidding(around.map(\.options) + scopes(isOuter: isOuter).map(\.options))
    }

    private func scopes(isOuter: Bool) -> [ApacheScope] { isOuter ? chain.filter { $0 !== folder } : chain }

    /// The access to the folder, or to the one around it.
    func access(isOuter: Bool = false) -> ApacheAccess {
        let chain = scopes(isOuter: isOuter)
        var access = (around.map(\.access) + chain.map(\.access))
            .reduce(ApacheAccess(file: folder.file)) { $1.inside($0) }
        if let line = withoutLinks(isOuter: isOuter) { access.close(line) }
        // Rules of outer folders are not added to those of inner ones.
        if let line = chain.compactMap(\.inheritance).first,
            chain.contains(where: { $0 !== rewriting && $0.entries.contains { $0.rule?.refuses == true } })
        {
            access.close(line)
        }
        return access
    }

    /// The sections that hold here, in the order of Apache, with the access to what they are about.
    func sections() -> [ApacheScope.Section] {
        let outer = access()
        return chain.flatMap { $0.sections + $0.outerSections }.enumerated()
            .sorted { ($0.element.place.kind.rawValue, $0.offset) < ($1.element.place.kind.rawValue, $1.offset) }
            .map { _, section in
                var section = section
                section.access = section.own.inside(outer)
                return section
            }
    }
}
