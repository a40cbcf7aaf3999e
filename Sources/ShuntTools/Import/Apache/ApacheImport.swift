import ShuntCore

/// Rules that were made of Apache's configuration: of `.htaccess` files, or of that of a server.
public struct ApacheImport {
    /// A file to import.
    public struct Source: Sendable {
        /// Its name in messages.
        public var name: String
        /// The content.
        public var text: String
        /// The folder of an `.htaccess` as a path with its slashes, such as `/`; nil for the configuration of a server.
        public var folder: String?

        /// Makes a source.
        public init(name: String, text: String, folder: String?) {
            self.name = name
            self.text = text
            self.folder = folder
        }
    }

    let root: String
    /// Returns the text of a file that the configuration names.
    private let file: (String) -> String?
    /// The maps outside of virtual hosts.
    private var maps = ApacheMaps(tables: ApacheTables())
    var notes = ImportNotes("")
    /// The file that is being read.
    var name: String {
        get { notes.file }
        set { notes.file = newValue }
    }
    var count = 0
    var passed: [String: Int] = [:]
    /// The names that an index may find.
    var indexNames: Set = ["index.html"]
    /// The number of pages of errors, by their names.
    var errorPages: [String: Int] = [:]
    /// Sections outside of virtual hosts, which hold inside, too.
    private var shared: [(file: String, node: ApacheNode)] = []

    /// Imports files: an `.htaccess` with those of the folders below it, or the configuration of a server.
    ///
    /// - Parameters:
    ///   - sources: The files.
    ///   - root: The folder of the site, for tests of files.
    ///   - file: Returns the text of a file that a `RewriteMap` names, or nil if it cannot be read.
    /// - Returns: The rules with notes.
    /// - Throws: `ImportError` for a file that cannot be read as configuration.
    public static func rules(
        from sources: [Source],
        root: String = "/var/www/html",
        file: (String) -> String? = { _ in nil }
    ) throws(ImportError) -> ImportedRules {
        try withoutActuallyEscaping(file) { file throws(ImportError) in
            var work = ApacheImport(root: root, file: file)
            return try work.rules(sources)
        }
    }

    private init(root: String, file: @escaping (String) -> String?) {
        self.root = root
        self.file = file
    }

    private mutating func rules(_ sources: [Source]) throws(ImportError) -> ImportedRules {
        var servers: [ApacheScope] = []
        var outer: ApacheScope?
        if let source = sources.first(where: { $0.folder == nil }), sources.contains(where: { $0.folder != nil }) {
            let text = "the configuration of a server and .htaccess files are imported one after the other"
            throw ImportError(file: source.name, line: 1, description: text)
        }
        var files: [(source: Source, nodes: [ApacheNode])] = []
        for source in sources.sorted(by: { ($0.folder ?? "").count < ($1.folder ?? "").count }) {
            do throws(ImportError) {
                files.append((source, try ApacheFile.nodes(source.text)))
            } catch {
                throw ImportError(file: source.name, line: error.line, description: error.description)
            }
        }
        // What is outside of virtual hosts holds in them, whatever the order of the files is.
        shared = files.filter { $0.source.folder == nil }
            .flatMap { file in ApacheNode.flat(file.nodes).filter(\.isShared).map { (file.source.name, $0) } }
        for file in files where file.source.folder == nil { maps = maps.adding(file.nodes, file: self.file) }
        var mains: [ApacheScope] = []
        for (source, nodes) in files {
            name = source.name
            let scope = ApacheScope(folder: source.folder, file: name, maps: maps)
            let around = ([outer].compactMap(\.self) + (outer?.folders ?? []))
                .filter { source.folder?.hasPrefix($0.folder ?? "//") == true }
            scope.isRewriting = around.max { ($0.folder ?? "").count < ($1.folder ?? "").count }?.isRewriting ?? false
            prepare(scope, nodes)
            read(nodes, scope: scope, to: &servers)
            if source.folder == nil {
                mains.append(scope)
            } else if let outer {
                outer.folders.append(scope)
            } else {
                outer = scope
                servers.append(scope)
            }
        }
        let hasHosts = !servers.isEmpty
        let all = mains
        mains.removeAll { hasHosts ? $0.entries.isEmpty && $0.settings.isEmpty && $0.locations.isEmpty : $0.isEmpty }
        if mains.count > 1 {
            throw ImportError(file: mains[1].file, line: 1, description: "one server in several files: join the files")
        }
        // The first virtual host is for all names that are not known.
        servers += mains
        if servers.isEmpty, let first = all.first { servers.append(first) }
        let names = sources.map { ShownBytes.text($0.name) }.joined(separator: ", ")
        var items: [ImportItem] = [.comment("# Imported from \(names) by shunt import apache.")]
        var blocks: [ImportItem] = []
        var site = ApacheSite(root: root)
        for main in all where !servers.contains(where: { $0 === main }) {
            blocks += [.gap, .file(main.file)] + main.takeComments()
        }
        for (index, server) in servers.enumerated() {
            blocks += [.gap] + site.server(server, passed: index == 0 ? passed : [:])
        }
        items += maps.tables.items(usedIn: "\(blocks)") + site.tables + blocks
        // What is repeated in several places has one note.
        let notes = Set(notes.all + site.notes.all)
            .sorted { ($0.file, $0.line, $0.reason) < ($1.file, $1.line, $1.reason) }
        var rules = ImportedRules(items, notes: notes, from: sources.first?.name ?? "", count: count)
        rules.targets = (servers + servers.flatMap(\.folders)).flatMap(\.entries).compactMap(\.target)
            .filter { $0.hasPrefix("/") && !$0.contains("$") && !$0.hasSuffix("/") }
        return rules
    }

    // MARK: Sections

    private mutating func read(_ nodes: [ApacheNode], scope: ApacheScope, to servers: inout [ApacheScope]) {
        for node in nodes {
            switch node {
            case .blank:
                if let last = scope.comments.last, case .gap = last { continue }
                scope.comments.append(.gap)
            case .comment(let text): scope.comments.append(.comment(text))
            case .directive(let directive): read(directive, scope)
            case .section(let head, let nodes): read(head, nodes: nodes, scope: scope, to: &servers)
            }
        }
    }

    private mutating func read(
        _ head: ApacheDirective,
        nodes: [ApacheNode],
        scope: ApacheScope,
        to servers: inout [ApacheScope]
    ) {
        switch head.key {
        case "virtualhost":
            let server = ApacheScope(folder: nil, file: name, maps: maps.adding(nodes, file: file))
            server.listens = head.words.map { $0.split(separator: ":").last.map(String.init) ?? "80" }
                .filter { Int($0) != nil }
            server.comments = scope.takeComments()
            server.root = scope.root
            prepare(server, nodes)
            var inner: [ApacheScope] = []
            let before = (name, count, passed)
            for (file, node) in shared {
                name = file
                server.comments.append(.file(file))
                read([node], scope: server, to: &inner)
            }
            (name, count, passed) = before
            server.comments.append(.file(name))
            read(nodes, scope: server, to: &inner)
            servers.append(server)
        case "directory" where head.words.first != "~" && !ApacheFileName.hasWildcards(head.text):
            directory(head, nodes: nodes, scope: scope, to: &servers)
        case "directory", "directorymatch", "files", "filesmatch", "location", "locationmatch":
            section(head, nodes: nodes, scope: scope)
        case "requireany", "requireall", "requirenone":
            count += 1
            scope.accessComments += scope.takeComments()
            _ = scope.access.read(head, nodes)
            takeProblems(of: &scope.access, in: scope)
        default:
            if let isRead = head.isRead(nodes) {
                if isRead { return read(nodes, scope: scope, to: &servers) }
                return remark(head, "it is for another server")
            }
            let refuses = ApacheNode.refuse(nodes)
            if refuses { scope.access.close(head) }
            leave(head, "such sections are not imported\(refuses ? ": all is refused" : "")", in: scope)
        }
    }

    private mutating func directory(
        _ head: ApacheDirective,
        nodes: [ApacheNode],
        scope: ApacheScope,
        to servers: inout [ApacheScope]
    ) {
        let path = ApacheFolder.path(head.words.first ?? "")
        let root = scope.root ?? self.root
        let isAround =
            "\(ApacheFolder.path(root))/".hasPrefix("\(path)/") && ApacheFolder.inSite(path, below: root) == nil
        guard let folder = isAround ? "/" : ApacheFolder.inSite(path, below: root) else {
            return leave(head, "a folder outside of the site", in: scope)
        }
        if isAround {
            let around = ApacheScope(folder: folder, file: name, maps: scope.context.maps)
            prepare(around, nodes)
            read(nodes, scope: around, to: &servers)
            let isLeft =
                around.hasRewriting || !(around.entries.isEmpty && around.settings.isEmpty && around.folders.isEmpty)
            if around.entries.contains(where: { $0.rule?.refuses == true }) { around.access.close(head) }
            scope.outerAccess.append((path, around.access, around.options))
            scope.outerSections += around.sections
            if isLeft { leave(head, "rules and settings of a folder around the site", in: scope) }
            return
        }
        let known = scope.folders.first { $0.folder == folder }
        let inner = known ?? ApacheScope(folder: folder, file: name, maps: scope.context.maps)
        if known == nil { scope.folders.append(inner) }
        inner.root = scope.root
        inner.comments += scope.takeComments()
        // A later section of a folder has its own checks in the place of those before.
        let before = inner.access
        inner.access = ApacheAccess(file: name)
        prepare(inner, nodes, in: scope)
        read(nodes, scope: inner, to: &servers)
        inner.access = inner.access.inside(before)
    }

    /// Takes from a scope what holds wherever it is there: the last one counts.
    private mutating func prepare(_ scope: ApacheScope, _ nodes: [ApacheNode], in around: ApacheScope? = nil) {
        for case .directive(let directive) in ApacheNode.flat(nodes) {
            let first = directive.words.first ?? ""
            switch directive.key {
            case "documentroot": scope.root = ApacheFolder.path(first)
            case "directoryindex": indexNames.formUnion(directive.words)
            case "rewriteengine":
                scope.hasRewriting = true
                scope.isRewriting = first.lowercased() == "on"
            case "rewritebase":
                scope.hasRewriting = true
                scope.context.base = first.hasSuffix("/") ? first : first + "/"
            case "rewriteoptions":
                scope.hasRewriting = true
                if directive.text.lowercased().contains("inherit") { scope.inheritance = directive }
            case "rewritecond", "rewriterule": scope.hasRewriting = true
            default: continue
            }
        }
        var environment = ApacheEnvironment.values(of: nodes, in: scope.context.maps.tables, file: name)
        for (name, parts) in around?.access.environment ?? [:] where !parts.isEmpty {
            environment[name] = environment[name] == nil ? parts : nil
        }
        scope.context.environment.merge(environment) { $1 }
        scope.access.environment = scope.context.environment
    }
}
