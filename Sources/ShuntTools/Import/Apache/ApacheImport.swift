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
    /// The file that is being read.
    var name = ""
    var notes: [ImportedRules.Note] = []
    var count = 0
    var passed: [String: Int] = [:]
    /// Tables before the servers.
    var tables: [ImportItem] = []

    /// Imports files: an `.htaccess` with those of the folders below it, or the configuration of a server.
    ///
    /// - Parameters:
    ///   - sources: The files.
    ///   - root: The folder of the site, for tests of files.
    /// - Returns: The rules with notes.
    /// - Throws: `ImportError` for a file that cannot be read as configuration.
    public static func rules(
        from sources: [Source],
        root: String = "/var/www/html"
    ) throws(ImportError) -> ImportedRules {
        var work = ApacheImport(root: root)
        return try work.rules(sources)
    }

    private init(root: String) { self.root = root }

    private mutating func rules(_ sources: [Source]) throws(ImportError) -> ImportedRules {
        var servers: [ApacheScope] = []
        var outer: ApacheScope?
        for source in sources {
            name = source.name
            let nodes: [ApacheNode]
            do throws(ImportError) {
                nodes = try ApacheFile.nodes(source.text)
            } catch {
                throw ImportError(file: name, line: error.line, description: error.description)
            }
            let scope = ApacheScope(folder: source.folder, file: name)
            read(nodes, scope, &servers)
            if let outer, source.folder != nil, outer.folder != nil {
                outer.folders.append(scope)
            } else {
                if source.folder != nil { outer = scope }
                if !scope.isEmpty || sources.count == 1 && servers.isEmpty { servers.append(scope) }
            }
        }
        let names = sources.map { ShownBytes.text($0.name) }.joined(separator: ", ")
        var items: [ImportItem] = [.comment("# Imported from \(names) by shunt import apache.")]
        var blocks: [ImportItem] = []
        for server in servers { blocks += [.gap] + self.server(server) }
        items += tables + blocks
        notes.sort { ($0.file, $0.line) < ($1.file, $1.line) }
        let writer = ImportWriter(items, from: sources.first?.name ?? "")
        var rules = ImportedRules(text: writer.text, notes: notes, origins: writer.origins, count: count)
        rules.targets = (servers + servers.flatMap(\.folders)).flatMap(\.entries).compactMap(\.target)
            .filter { $0.hasPrefix("/") && !$0.contains("$") && !$0.hasSuffix("/") }
        return rules
    }

    // MARK: Sections

    private mutating func read(_ nodes: [ApacheNode], _ scope: ApacheScope, _ servers: inout [ApacheScope]) {
        for node in nodes {
            switch node {
            case .blank:
                if let last = scope.comments.last, case .gap = last { continue }
                scope.comments.append(.gap)
            case .comment(let text): scope.comments.append(.comment(text))
            case .directive(let directive): read(directive, scope)
            case .section(let head, let nodes): read(head, nodes, scope, &servers)
            }
        }
    }

    private mutating func read(
        _ head: ApacheDirective,
        _ nodes: [ApacheNode],
        _ scope: ApacheScope,
        _ servers: inout [ApacheScope]
    ) {
        switch head.key {
        case "ifmodule":
            // Modules are there, as the file was written for a server that has them.
            if head.text.hasPrefix("!") {
                remark(head, "modules are taken to be there")
            } else {
                read(nodes, scope, &servers)
            }
        case "ifversion", "requireany": read(nodes, scope, &servers)
        case "virtualhost":
            let server = ApacheScope(folder: nil, file: name)
            server.listens = head.words.map { $0.split(separator: ":").last.map(String.init) ?? "80" }
                .filter { Int($0) != nil }
            server.comments = scope.takeComments()
            var inner: [ApacheScope] = []
            read(nodes, server, &inner)
            servers.append(server)
        case "directory":
            let path = head.words.first ?? ""
            let root = scope.root ?? self.root
            if path == "/" { return remark(head, "it is about the whole disk") }
            guard let folder = Self.folder(path, below: root) else {
                return leave(head, "a folder outside of the site")
            }
            let inner = ApacheScope(folder: folder, file: name)
            inner.root = scope.root
            inner.comments = scope.takeComments()
            read(nodes, inner, &servers)
            scope.folders.append(inner)
        case "files", "filesmatch": files(head, nodes, scope)
        case "location", "locationmatch": location(head, nodes, scope)
        default: leave(head, "such sections are not imported")
        }
    }

    /// The path of a folder of the site.
    private static func folder(_ path: String, below root: String) -> String? {
        let folder = path.hasSuffix("/") ? path : path + "/"
        let whole = root.hasSuffix("/") ? root : root + "/"
        guard folder.hasPrefix(whole) else { return nil }
        return "/" + folder.dropFirst(whole.count)
    }

    // MARK: Directives

    private mutating func read(_ directive: ApacheDirective, _ scope: ApacheScope) {
        switch directive.key {
        case "rewriteengine": scope.isRewriting = directive.words.first?.lowercased() == "on"
        case "rewritebase":
            let base = directive.words.first ?? "/"
            scope.context.base = base.hasSuffix("/") ? base : base + "/"
        case "rewriteoptions": leave(directive, "options of rewriting")
        case "rewritemap": leave(directive, "a map")
        case "rewritecond": scope.conditions.append(ApacheConditions.Written(directive))
        case "rewriterule": rewrite(directive, scope)
        case "redirect", "redirectpermanent", "redirecttemp", "redirectmatch": redirect(directive, scope)
        case "errordocument": errorDocument(directive, scope)
        case "directoryindex":
            count += 1
            let names = directive.words.filter { $0.lowercased() != "disabled" }
            if !names.isEmpty { scope.addSetting(.directive(["index"] + names, directive.lines.lowerBound)) }
        case "options":
            if directive.words.contains("+Indexes") || directive.words.contains("Indexes") {
                scope.addSetting(.directive(["autoindex", "on"], directive.lines.lowerBound))
            } else {
                passed[directive.name, default: 0] += 1
            }
        case "require", "order", "allow", "deny":
            count += 1
            scope.accessComments += scope.takeComments()
            _ = scope.access.read(directive)
        case "servername", "serveralias": scope.names += directive.words
        case "documentroot": scope.root = directive.words.first
        case "header": header(directive, scope)
        case "proxypass": proxyPass(directive, scope)
        case "include", "includeoptional": leave(directive, "another file: import it, too")
        default:
            if ApacheSettings.contains(directive) {
                passed[directive.name, default: 0] += 1
            } else {
                leave(directive, "no rule here is like it")
            }
        }
    }

    mutating func leave(_ directive: ApacheDirective, _ reason: String, counts: Bool = true) {
        if counts { count += 1 }
        notes.append(
            ImportedRules.Note(
                file: name,
                line: directive.lines.lowerBound,
                text: directive.shown,
                reason: reason,
                kind: .leftOut
            )
        )
    }

    mutating func remark(_ directive: ApacheDirective, _ reason: String) {
        notes.append(
            ImportedRules.Note(
                file: name,
                line: directive.lines.lowerBound,
                text: directive.shown,
                reason: reason,
                kind: .remark
            )
        )
    }

    private mutating func rewrite(_ directive: ApacheDirective, _ scope: ApacheScope) {
        let conditions = scope.conditions
        scope.conditions = []
        guard scope.isRewriting else { return remark(directive, "RewriteEngine is not on") }
        count += 1
        let (chain, isBroken) = (scope.chain, scope.isChainBroken)
        (scope.chain, scope.isChainBroken) = (nil, false)
        let line = directive.lines.upperBound
        var entry = ApacheScope.Entry(kind: .rewrite, items: scope.takeComments(), line: line, text: directive.shown)
        defer { scope.entries.append(entry) }
        do throws(ApacheText.Unsaid) {
            if isBroken { throw ApacheText.Unsaid(reason: "the rule before, to which it is chained, is not imported") }
            let read = try ApacheRewriteRule(directive, conditions: conditions, in: scope.context)
            for text in read.remarks { remark(directive, text) }
            for text in read.differences {
                notes.append(
                    ImportedRules.Note(file: name, line: line, text: directive.shown, reason: text, kind: .inexact)
                )
            }
            for name in read.environment where scope.context.environment.insert(name).inserted {
                entry.items.append(.directive(["set", ApacheText.environmentVariable(name), ""], nil))
            }
            scope.usesFirstPath = scope.usesFirstPath || read.usesFirstPath
            guard var rule = read.rule else {
                let reason = read.remarks.first ?? "it does nothing"
                entry.items.append(.comment("# \(ShownBytes.text(name)):\(line) does nothing here: \(reason)"))
                return
            }
            if let chain { rule.tests.append([chain]) }
            for index in scope.skipped.indices where scope.skipped[index].count > 0 {
                var test = scope.skipped[index].test
                test.isNegated = true
                rule.tests.append([test])
                scope.skipped[index].count -= 1
            }
            if read.isChained || read.skips > 0 {
                let name = "\(read.isChained ? "chain" : "skip")_\(line)"
                entry.items.append(.directive(["set", "$\(name)", ""], nil))
                rule.sets.append((name, "1"))
                let test = ImportedRule.Test(subject: "$\(name)", kind: .isTrue)
                if read.isChained { scope.chain = test } else { scope.skipped.append((test, read.skips)) }
            }
            entry.rule = rule
            entry.target = read.fixedTarget
            entry.isRelative =
                scope.context.base == scope.folder && directive.words.dropFirst().first?.hasPrefix("/") == false
            entry.items.append(.rule(rule))
            scope.context.hasChangedPath = scope.context.hasChangedPath || read.goesOn
            scope.note(rule)
        } catch {
            scope.isChainBroken = directive.text.contains(#/[\[,]\s*(C|chain)\s*[,\]]/#)
            leave(directive, error.reason, counts: false)
            for condition in conditions {
                entry.items.append(
                    .left(
                        condition.directive.shown,
                        reason: "of the rule below",
                        line: condition.directive.lines.lowerBound
                    )
                )
            }
            entry.items.append(.left(directive.shown, reason: error.reason, line: line))
        }
    }
}
