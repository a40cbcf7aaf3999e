/// Sections of files and of paths, whose checks of addresses become locations.
extension ApacheImport {
    private mutating func access(in nodes: [ApacheNode]) -> [ImportItem] {
        var access = ApacheAccess()
        func read(_ nodes: [ApacheNode], _ left: inout [ApacheDirective]) {
            for node in nodes {
                switch node {
                case .directive(let directive): if !access.read(directive) { left.append(directive) }
                case .section(let head, let nodes):
                    // Where both forms stand, the newer one counts.
                    if head.key == "ifmodule", head.text.hasPrefix("!") { continue }
                    if head.key == "ifmodule", head.text.contains("access_compat") { continue }
                    if ["ifmodule", "requireany", "ifversion"].contains(head.key) {
                        read(nodes, &left)
                    } else {
                        left.append(head)
                    }
                case .comment, .blank: continue
                }
            }
        }
        var left: [ApacheDirective] = []
        read(nodes, &left)
        count += access.isEmpty ? 0 : 1
        for (directive, reason) in access.problems { leave(directive, reason, counts: false) }
        for directive in left {
            if ApacheSettings.contains(directive) || directive.key == "options" {
                passed[directive.name, default: 0] += 1
            } else {
                leave(directive, "it is in a section of files")
            }
        }
        return access.items
    }

    mutating func files(_ head: ApacheDirective, _ nodes: [ApacheNode], _ scope: ApacheScope) {
        var items = access(in: nodes)
        guard !items.isEmpty else { return }
        var words = head.words
        let isExpression = head.key == "filesmatch" || words.first == "~"
        if words.first == "~" { words.removeFirst() }
        let name = words.first ?? ""
        let expression = isExpression ? ApacheFileName.path(of: name) : "/\(ApacheFileName.wildcards(name))$"
        items = Self.access(items)
        scope.locations +=
            [.gap] + scope.takeComments() + [
                .block(["location", "~", RuleIdioms.word(expression)], items, head.lines.lowerBound)
            ]
    }

    mutating func location(_ head: ApacheDirective, _ nodes: [ApacheNode], _ scope: ApacheScope) {
        let items = Self.access(access(in: nodes))
        guard !items.isEmpty else { return }
        let words = head.words.filter { $0 != "~" }
        let path = words.first ?? ""
        let isExpression = head.key == "locationmatch" || head.words.first == "~"
        let expression =
            isExpression ? path : "^\(ImportedExpression.literal(path))\(path.hasSuffix("/") ? "" : "(/|$)")"
        scope.locations +=
            [.gap] + scope.takeComments() + [
                .block(["location", "~", RuleIdioms.word(expression)], items, head.lines.lowerBound)
            ]
    }

    /// A list in which one address stands without the line, as the head of its block has it.
    private static func access(_ items: [ImportItem]) -> [ImportItem] {
        guard items.count == 1, case .directive(let words, _) = items[0] else { return items }
        return [.directive(words, nil)]
    }
}
