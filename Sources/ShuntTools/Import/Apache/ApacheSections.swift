/// Sections of files, of paths and of folders with wildcards, whose checks become locations.
extension ApacheImport {
    /// Reads what is in a section about access; other directives are left out.
    private mutating func access(in nodes: [ApacheNode], _ scope: ApacheScope, _ access: inout ApacheAccess) {
        for node in nodes {
            switch node {
            case .directive(let directive):
                if access.read(directive) { continue }
                if let line = ApacheOptions.forbidding([ApacheOptions(directive)]) {
                    leave(line, "rewriting is refused where no link is followed: all is refused", in: scope)
                    access.close(line)
                } else if ApacheSettings.contains(directive) || directive.key == "options" {
                    passed[directive.name, default: 0] += 1
                } else {
                    leave(directive, "it is in a section", in: scope)
                    if directive.refuses { access.close(directive) }
                }
            case .section(let head, let nodes):
                if access.read(head, nodes) { continue }
                if let isRead = head.isRead(nodes) {
                    if isRead { self.access(in: nodes, scope, &access) }
                } else {
                    leave(head, "such sections are not imported", in: scope)
                    if ApacheNode.refuse(nodes) { access.close(head) }
                }
            case .comment, .blank: continue
            }
        }
        takeProblems(of: &access, in: scope)
    }

    mutating func takeProblems(of access: inout ApacheAccess, in scope: ApacheScope) {
        for (directive, reason) in access.takeProblems() { leave(directive, reason, in: scope, counts: false) }
    }

    /// Reads a section of files, of paths or of folders with wildcards.
    mutating func section(_ head: ApacheDirective, nodes: [ApacheNode], scope: ApacheScope) {
        if head.key == "files", head.words.count == 1, head.text.contains("/"), !ApacheFileName.hasWildcards(head.text)
        {
            count += 1
            return remark(head, "no name of a file has a slash, so it is for none")
        }
        var access = ApacheAccess(file: name)
        access.environment = scope.access.environment
        let comments = scope.takeComments()
        self.access(in: nodes, scope, &access)
        guard !access.isEmpty else {
            scope.comments = comments + scope.comments
            return
        }
        count += 1
        guard let place = ApachePlace(head, refuses: !access.isOpen, root: scope.root ?? root) else {
            if !access.isOpen { scope.access.close(head) }
            return leave(head, "a place outside of the site: all is refused", in: scope, counts: false)
        }
        if place.kind == .folders, !ApacheAccess.isClosed(access.list.rules) {
            // The folders inside may have other checks, which these must not undo.
            leave(head, "folders by an expression, with checks of addresses", in: scope, counts: false)
            if access.isOpen { return }
            access.close(head)
        }
        let line = head.lines.lowerBound
        scope.sections.append(.init(place: place, own: access, access: access, line: line, comments: comments))
    }
}

extension ApacheNode {
    /// The nodes, with those of conditions on the server in the place of these.
    static func flat(_ nodes: [ApacheNode]) -> [ApacheNode] {
        nodes.flatMap { node in
            guard case .section(let head, let inner) = node, let isRead = head.isRead(inner) else { return [node] }
            return isRead ? flat(inner) : []
        }
    }

    /// True if a node of the main server holds for virtual hosts, too.
    var isShared: Bool {
        let sections = ["directory", "directorymatch", "files", "filesmatch", "location", "locationmatch"]
        switch self {
        case .section(let head, _): return sections.contains(head.key)
        case .directive(let directive):
            return directive.key.hasPrefix("redirect") || directive.key.hasPrefix("sslverifyclient")
        case .comment, .blank: return false
        }
    }
}
