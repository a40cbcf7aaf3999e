/// The servers that the scopes of sites become: every location repeats what Apache applies at its place.
struct ApacheSite {
    let root: String
    private(set) var notes = ImportNotes("")
    /// Tables before the servers, and their variables by what they hold.
    private(set) var tables: [ImportItem] = []
    private var tableNames: [[String]: String] = [:]

    init(root: String) { self.root = root }

    /// The server of a site; directives that decide nothing are named at its end.
    mutating func server(_ scope: ApacheScope, passed: [String: Int]) -> [ImportItem] {
        var items: [ImportItem] = [.file(scope.file)]
        let all = [scope] + scope.folders
        let listsFolders = all.contains { $0.listsFolders == true }
        for scope in listsFolders ? all : [] {
            guard let lists = scope.listsFolders else { continue }
            scope.settings.append(.directive(["autoindex", lists ? "on" : "off"]))
        }
        let usesHTTPS = all.contains { scope in
            scope.usesHTTPS || ([scope.access] + scope.sections.map(\.own)).contains { $0.secureOnly != nil }
        }
        let ports = scope.listens.isEmpty ? (usesHTTPS ? ["80", "443"] : ["80"]) : scope.listens
        items += ImportItem.listens(ports)
        if !scope.names.isEmpty { items.append(.directive(["server_name"] + scope.names)) }
        let hasRoot = scope.root != nil || all.contains(where: \.usesFiles)
        if hasRoot {
            if let place = all.first(where: { $0.entries.contains(where: \.leadsToScript) }),
                let script = place.entries.first(where: \.leadsToScript)
            {
                items.append(.comment("# Without a location that has fastcgi_pass, files of PHP are sent as text."))
                notes.file = place.file
                let reason = "files of PHP are sent as text until a location has fastcgi_pass"
                notes.add(.remark, script.text, line: script.line, reason: reason)
            }
            items.append(.directive(["root", scope.root ?? root]))
        }
        items.append(.gap)
        if all.contains(where: \.usesFirstPath) {
            items += [.comment("# The path before any rewriting."), .directive(["set", "$first_uri", "$uri"])]
        }
        var locations: [ImportItem] = []
        var names = Set<String>()
        let site = ApacheScopes(all.first { $0.folder == "/" } ?? scope, of: scope)
        let hasSeveralChecks = Set(all.map { Self.words(ApacheScopes($0, of: scope).access()) }).count > 1
        for folder in all {
            let place = ApacheScopes(folder, of: scope)
            let isOuter = folder.folder == nil || folder.folder == "/"
            if let line = place.withoutLinks() {
                let reason = "all is refused, as in Apache: rewriting is on, and no link is followed"
                notes.file = folder.file
                notes.add(.remark, line.shown, line: line.lines.lowerBound, reason: reason)
            }
            var layout = ApacheLayout(folder: place.rewriting?.folder, entries: place.entries)
            let rules = (folder.folder == nil ? checks(before: layout, place.sections()) : []) + layout.rules()
            for entry in place.entries where isEnd(entry, in: place, hasSeveralChecks: hasSeveralChecks) {
                differ(
                    entry,
                    "after [END] the checks, sections and redirects of the new path hold in Apache, and not here"
                )
            }
            let bare = folder.folder.map { String($0.dropLast()) } ?? ""
            for entry in folder.entries where !isOuter && entry.kind == .redirect && entry.path == bare {
                let reason = "the folder named without its slash is redirected in Apache, and not here"
                differ(folder.file, line: entry.line, text: entry.text, reason: reason)
            }
            for (entry, reason) in layout.conflicts { differ(entry, reason) }
            let own = folder.accessComments + content(place.access(), rules: rules, scope: folder)
            // Sections of the site hold below a folder, too, unless they result in something else there.
            let sections = place.sections()
            let isSame =
                sections.map { Self.words($0.access) } == site.sections().map { Self.words($0.access) }
                && place.entries.map { "\($0.file):\($0.line)" } == site.entries.map { "\($0.file):\($0.line)" }
            var inner: [ImportItem] = []
            if place.folder === site.folder {
                inner = self.sections(sections, in: place, layout, isWhole: false)
            } else if !isOuter, !isSame {
                // None of the site's sections may come in the place of those of the folder.
                inner = self.sections(sections, in: place, layout, isWhole: !site.sections().isEmpty)
            }
            if isOuter { items += folder.settings }
            if folder.folder == nil {
                items += [.gap] + own
            } else if own.contains(where: \.decides) || !isOuter && !folder.isEmpty {
                let parts =
                    (isOuter ? [] : folder.settings) + own + [.file(folder.file)] + folder.takeComments()
                    + (isOuter ? [] : [.gap] + inner)
                let path = folder.folder ?? "/"
                locations += [.gap, .file(folder.file), .block(["location", path], parts)]
                // The folder itself has its checks without a slash, too.
                var check = content(place.access(), rules: [], scope: folder)
                if !isOuter, Self.words(place.access()) != Self.words(place.access(isOuter: true)) {
                    if check.isEmpty { check = [.directive(["allow", "all"])] }
                    locations += [.gap, .block(["location", "=", String(path.dropLast())], check)]
                }
            } else {
                items += [.gap] + own + folder.takeComments()
            }
            locations.append(.file(folder.file))
            for location in layout.locations {
                if case .block(let head, _, _) = location, !names.insert(head.joined(separator: " ")).inserted {
                    continue
                }
                locations.append(location)
            }
            locations += folder.locations + (isOuter ? inner : [])
        }
        items += [.gap] + scope.takeComments() + locations
        if hasRoot, !all.contains(where: \.hidesOwnFiles) { items += Self.ownFiles }
        if !passed.isEmpty { items += Self.comments(passed) }
        return [.block(["server"], items)]
    }

    /// The refusal of `.htaccess` and `.htpasswd`, which Apache's own configuration has.
    private static let ownFiles: [ImportItem] = [
        .gap, .comment("# As in the configuration that Apache comes with."),
        .block(["location", "~", "/\\.ht"], [.directive(["deny", "all"])]),
    ]

    private static func comments(_ passed: [String: Int]) -> [ImportItem] {
        let names = passed.sorted { $0.key < $1.key }.map { $0.value > 1 ? "\($0.key) (\($0.value))" : $0.key }
        var items: [ImportItem] = [.gap]
        var line = "# Left out, as they decide nothing about a request:"
        for (index, name) in names.enumerated() {
            let text = " \(name)\(index + 1 < names.count ? "," : ".")"
            if line.count + text.count > 100 {
                items.append(.comment(line))
                line = "#"
            }
            line += text
        }
        return items + [.comment(line)]
    }

    private mutating func differ(_ file: String, line: Int, text: String, reason: String) {
        notes.file = file
        notes.add(.inexact, text, line: line, reason: reason)
    }

    private mutating func differ(_ entry: ApacheScope.Entry, _ reason: String) {
        differ(entry.file, line: entry.line, text: entry.text, reason: reason)
    }

    private mutating func differ(_ section: ApacheScope.Section, _ reason: String) {
        differ(section.access.file, line: section.line, text: "a section", reason: reason)
    }

    private static func words(_ access: ApacheAccess) -> [[String]] {
        access.list.rules.map(\.words) + (access.secureOnly == nil ? [] : [["secure"]])
            + access.refusals.map { [$0.variable] }
    }

    // MARK: Sections

    /// The locations of sections; the last one decides in Apache, and the first one here.
    private mutating func sections(
        _ sections: [ApacheScope.Section],
        in place: ApacheScopes,
        _ layout: ApacheLayout,
        isWhole: Bool
    ) -> [ImportItem] {
        var written: [ImportItem] = []
        let outer = Self.words(place.access())
        for (index, section) in sections.enumerated() {
            var access = section.access
            let earlier = sections[..<index]
                .first { other in
                    (other.place.kind != section.place.kind || other.place.name == nil || section.place.name == nil
                        || other.place.name == section.place.name)
                        && Self.words(section.own.inside(other.own).inside(place.access()))
                            != Self.words(section.access)
                }
            if let earlier {
                differ(section, "checks of another kind at line \(earlier.line) may hold here, too: refused")
                access.close(ApacheDirective(name: "", text: "", lines: section.line...section.line))
            }
            if !isWhole, written.isEmpty, Self.words(access) == outer { continue }
            if section.place.kind == .paths, place.hasProxy, !ApacheAccess.isClosed(access.list.rules) {
                differ(section, "requests that pass it are not for a ProxyPass: add it")
            }
            var layout = layout
            let rules = ApacheAccess.isClosed(access.list.rules) ? [] : layout.rules().filter(\.isWritten)
            var content = content(access, rules: rules, scope: place.folder)
            // A location inside another one takes its checks.
            let hasChecks = content.contains { ["allow", "deny"].contains($0.words?[0]) }
            if !hasChecks, !outer.isEmpty { content.insert(.directive(["allow", "all"]), at: 0) }
            let head = ["location", "~", section.place.expression]
            var inner = [.gap] + content
            if content.count == 2, case .file = content[0], let words = content[1].words {
                inner = [.directive(words)]
            }
            let location = ImportItem.block(head, inner, section.line)
            written = [.gap, .file(access.file)] + section.comments + [location] + written
        }
        return written
    }

    /// Returns true if the rules end at a path for which there may be other checks.
    private func isEnd(_ entry: ApacheScope.Entry, in place: ApacheScopes, hasSeveralChecks: Bool) -> Bool {
        guard case .rewrite(_, .break)? = entry.rule?.action, place.rewriting?.folder != nil else { return false }
        return hasSeveralChecks || !place.sections().isEmpty || place.entries.contains { $0.kind == .redirect }
    }

    /// The checks of sections of paths before the rules of a server that change the path: Apache makes them by the old one.
    private mutating func checks(before layout: ApacheLayout, _ sections: [ApacheScope.Section]) -> [ImportItem] {
        guard layout.changesPaths else { return [] }
        let sections = sections.filter { $0.place.kind == .paths && !Self.words($0.own).isEmpty }
        var items: [ImportItem] = []
        for section in sections {
            var tests = [[ImportedTest("$uri", .matches(section.place.expression))]]
            let list = section.access.list.rules
            let isOpen = list.isEmpty || list.first?.words == ["allow", "all"]
            let table = isOpen || ApacheAccess.isClosed(list) ? nil : table(list)
            let isMixed = !isOpen && !ApacheAccess.isClosed(list) && table == nil
            if sections.count > 1 || isOpen || isMixed {
                let reason =
                    "Apache makes its check by the path before the rules of the server: refused where one of these refuses"
                differ(section, reason)
            }
            if isOpen { continue }
            if let table { tests.append([ImportedTest(table, .isTrue)]) }
            items += [.file(section.access.file), .rule(.refusal(section.line...section.line, tests: tests))]
        }
        return items
    }

    // MARK: Access

    /// Rules after the check of addresses, which Apache makes first.
    private mutating func content(_ access: ApacheAccess, rules: [ImportItem], scope: ApacheScope) -> [ImportItem] {
        let (list, isExact) = access.list
        let refusals = access.refusals
        guard let first = list.first ?? access.secureOnly ?? refusals.first?.rule else { return rules }
        if !isExact {
            let reason = "checks that are not one list of addresses: refused"
            differ(first.file, line: first.line, text: "Require, Order", reason: reason)
        }
        if ApacheAccess.isClosed(list) {
            let closed: [ImportItem] = [.file(first.file), first.item]
            guard rules.contains(where: \.decides) else { return closed + rules }
            return closed + [.comment("# Rules do not come after it, as in Apache.")] + rules.filter { !$0.decides }
        }
        var front: [ImportItem] = []
        if let line = access.secureOnly {
            let tests = [[ImportedTest("$scheme", .equals("http"))]]
            front += [.file(line.file), .rule(.refusal(line.line...line.line, tests: tests))]
        }
        for refusal in refusals {
            let tests = [[ImportedTest(refusal.variable, .equals(""), isNegated: true)]]
            front += [.file(refusal.rule.file), .rule(.refusal(refusal.rule.line...refusal.rule.line, tests: tests))]
        }
        let leaves = rules.contains { $0.importedRule?.leaves == true }
        if list.isEmpty { return front + [.file(scope.file), .gap] + rules }
        guard leaves else {
            return front + list.flatMap { [.file($0.file), $0.item] } + [.file(scope.file), .gap] + rules
        }
        front.append(.file(first.file))
        if let table = table(list) {
            let lines = list.filter { $0.file == first.file }.map(\.line)
            let range = (lines.min() ?? first.line)...(lines.max() ?? first.line)
            front.append(.rule(.refusal(range, tests: [[ImportedTest(table, .isTrue)]])))
            return front + [.file(scope.file), .gap] + rules
        }
        let reason = "rules that redirect come before the check here: refused"
        differ(first.file, line: first.line, text: "Allow, Deny", reason: reason)
        return front + [.directive(["deny", "all"], first.line), .file(scope.file)] + rules.filter { !$0.decides }
    }

    /// The variable of a table that is 1 for the addresses that a list refuses; nil for a mixed list.
    private mutating func table(_ list: [ApacheAccess.Rule]) -> String? {
        let isClosed = list.last?.words == ["deny", "all"]
        let networks = isClosed ? list.dropLast() : list[...]
        guard networks.allSatisfy({ $0.word == (isClosed ? "allow" : "deny") }) else { return nil }
        let key = list.map { $0.words.joined(separator: " ") }
        if let name = tableNames[key] { return name }
        let name = "$refused\(tableNames.isEmpty ? "" : "_\(tableNames.count + 1)")"
        tableNames[key] = name
        var entries: [ImportItem] = [.directive(["default", isClosed ? "1" : "0"])]
        var seen = Set<String>()
        for rule in networks where seen.insert(rule.network).inserted {
            entries += [.file(rule.file), .directive([rule.network, isClosed ? "0" : "1"], rule.line)]
        }
        tables += [.gap, .block(["geo", name], entries)]
        return name
    }
}
