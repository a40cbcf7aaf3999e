/// The rules of a site.
struct CaddySite {
    private typealias Unsaid = CaddyImport.Unsaid
    private typealias Test = ImportedRule.Test

    /// The directives of a place, and whether they answer all its requests.
    private struct Part {
        var items: [ImportItem] = []
        var isAnswered = false
    }

    private static let remarks: Set = ["encode", "log", "tls", "skip_log", "log_skip", "log_append", "tracing", "push"]
    /// Directives that are left out without a refusal, as they answer nothing.
    private static let open: Set = [
        "redir", "rewrite", "uri", "header", "request_header", "try_files", "map", "vars", "method", "templates",
        "handle_errors", "root", "request_body", "copy_response_headers",
    ]

    private let name: String
    private let routes: CaddyRoutes
    private(set) var matchers: CaddyMatchers
    private(set) var notes: [ImportedRules.Note] = []
    private(set) var lines = Set<Int>()
    private(set) var upstreams: [ImportItem] = []
    /// True once the path may not be that of the request.
    private var isChanged = false
    private var usesProxy = false
    /// The lines of the upstreams.
    private var known = Set<Int>()

    init(name: String, routes: CaddyRoutes, matchers: CaddyMatchers) {
        self.name = name
        self.routes = routes
        self.matchers = matchers
    }

    // MARK: Places

    /// The content of the server.
    mutating func items(_ block: [CaddyDirective]) -> [ImportItem] {
        let all = routes.routes(block, &matchers, isSorted: true)
        usesProxy = Self.uses("reverse_proxy", block)
        let early = all.prefix(while: \.isEarly)
        let rest = Array(all.dropFirst(early.count))
        let server = part(Array(early), under: [], isServer: true)
        let (isChangedByServer, common) = (isChanged, server.items.filter(Self.isHeader))
        var locations: [ImportItem] = []
        var placed = Set<ImportedRule.Test>()
        // A location is chosen by the path of the server: not by one that a route before it changes.
        let placeable = rest.prefix { $0.onlyPath != nil || !$0.directives.contains { Self.changesPath($0) } }.count
        let isPlaced = { (index: Int) -> Bool in index < placeable && rest[index].onlyPath != nil }
        for (index, route) in rest.enumerated() where isPlaced(index) {
            guard let test = route.onlyPath, case .matches(let expression, let ignoresCase) = test.kind,
                placed.insert(test).inserted
            else { continue }
            var own = route
            own.matcher = .success(CaddyMatchers.Matcher())
            isChanged = isChangedByServer
            let inner = part(
                rest.indices.filter { $0 < index && !isPlaced($0) }.map { rest[$0] } + [own]
                    + rest[(index + 1)...].filter { $0.group == nil || $0.group != own.group },
                under: []
            )
            let words = ["location", ignoresCase ? "~*" : "~", expression]
            locations += [.gap, .block(words, finished(inner, common), nil)]
        }
        isChanged = isChangedByServer
        let last = part(rest.indices.filter { !isPlaced($0) }.map { rest[$0] }, under: [])
        locations += [.gap, .block(["location", "/"], finished(last, common), nil)]
        let proxied: [ImportItem] = usesProxy ? Self.proxyHeaders : []
        return Self.settingsFirst(server.items, proxied) + locations
    }

    private static let proxyHeaders: [ImportItem] = [
        ["Host", "$http_host"], ["X-Forwarded-For", "$remote_addr"], ["X-Forwarded-Proto", "$scheme"],
        ["X-Forwarded-Host", "$http_host"],
    ]
    .map { .directive(["proxy_set_header"] + $0, nil) }

    static func uses(_ name: String, _ block: [CaddyDirective]) -> Bool {
        block.contains { $0.name == name || uses(name, $0.block ?? []) }
    }

    private static func isHeader(_ item: ImportItem) -> Bool {
        if case .directive(let words, _) = item {
            ["add_header", "proxy_set_header"].contains(words[0])
        } else {
            false
        }
    }

    /// Settings before rules, with an empty line between them.
    private static func settingsFirst(_ items: [ImportItem], _ more: [ImportItem]) -> [ImportItem] {
        let isSetting = { (item: ImportItem) -> Bool in
            if case .directive(let words, _) = item { words[0] != "set" } else { false }
        }
        let rest = items.filter { !isSetting($0) }
        return items.filter(isSetting) + more + (rest.isEmpty ? [] : [.gap]) + rest
    }

    /// The directives of a location: where the path is changed, the request stays in it.
    private func finished(_ part: Part, _ common: [ImportItem]) -> [ImportItem] {
        var items = part.items
        if !part.isAnswered { items.append(.directive(["return", "200"], nil)) }
        // A place with its own headers inherits none.
        for name in ["add_header", "proxy_set_header"] {
            let isNamed = { (item: ImportItem) -> Bool in
                if case .directive(let words, _) = item { words[0] == name } else { false }
            }
            guard let first = items.firstIndex(where: isNamed) else { continue }
            items.insert(
                contentsOf: (name == "proxy_set_header" ? Self.proxyHeaders : []) + common.filter(isNamed),
                at: first
            )
        }
        let isRule = { (item: ImportItem) -> Bool in if case .rule = item { true } else { false } }
        let isRewrite = { (item: ImportItem) -> Bool in
            if case .rule(let rule) = item, case .rewrite = rule.action { true } else { false }
        }
        guard items.contains(where: isRewrite), part.isAnswered, let last = items.lastIndex(where: isRule) else {
            return items
        }
        if case .rule(var rule) = items[last], case .rewrite(let target, _) = rule.action, rule.tests.isEmpty,
            items.count(where: isRewrite) == 1
        {
            rule.action = .rewrite(target, .break)
            items[last] = .rule(rule)
        } else if case .rule(let rule) = items[last], !rule.answers || !rule.tests.isEmpty {
            items.insert(.directive(["break"], nil), at: last + 1)
        }
        return items
    }

    // MARK: Routes

    /// Routes one after another.
    ///
    /// - Parameters:
    ///   - list: The routes.
    ///   - guards: The tests that all of them are for.
    ///   - isServer: True outside of locations.
    /// - Returns: What they do.
    private mutating func part(
        _ list: [CaddyRoutes.Route],
        under guards: [[ImportedRule.Test]],
        isServer: Bool = false
    ) -> Part {
        var result = Part()
        var chosen: [String: [[Test]]] = [:]
        for (index, route) in list.enumerated() where !result.isAnswered {
            guard case .success(let matcher) = route.matcher else {
                leave(route, under: guards, in: &result)
                continue
            }
            let own = matcher.tests + (route.group.flatMap { chosen[$0] } ?? [])
            var tests = guards + own
            let after = list[(index + 1)...]
            let others = after.contains { $0.group != nil && $0.group == route.group }
            let changes = route.directives.contains { Self.changesPath($0) }
            let isAlone = route.directives.count == 1 && (route.directives[0].block ?? []).isEmpty
            let ends = isServer && isAlone && route.group == "rewrite" && !after.contains { $0.group != "rewrite" }
            let line = route.directives[0].line
            var sets: [(name: String, value: String)] = []
            if !own.isEmpty, others && !Self.answers(route.directives) && !ends || changes && !isAlone {
                let test = Test(subject: "$chosen_\(line)", kind: .isTrue)
                result.items += [.gap, .directive(["set", test.subject, ""], nil)]
                if isAlone, route.group == "rewrite" {
                    sets = [("chosen_\(line)", "1")]
                } else {
                    var rule = ImportedRule(line...line, .set)
                    rule.tests = tests
                    rule.sets = [("chosen_\(line)", "1")]
                    result.items.append(.rule(rule))
                    tests = [[test]]
                }
                if let group = route.group { chosen[group, default: []].append([test.opposite]) }
            }
            for directive in route.directives {
                var inner = part(directive, under: tests, sets: sets)
                if ends, others { inner.items = inner.items.map(Self.ending) }
                result.items += inner.items
                if inner.isAnswered {
                    result.isAnswered = own.isEmpty
                    break
                }
            }
            // Without a test no other of its group runs.
            if own.isEmpty, let group = route.group, others {
                guard !result.isAnswered else { return result }
                let rest = part(after.filter { $0.group != group }, under: guards)
                return Part(items: result.items + rest.items, isAnswered: rest.isAnswered)
            }
        }
        return result
    }

    /// A rewrite after which no other rule of the server is asked.
    private static func ending(_ item: ImportItem) -> ImportItem {
        guard case .rule(var rule) = item, case .rewrite(let target, .next) = rule.action else { return item }
        rule.action = .rewrite(target, .last)
        return .rule(rule)
    }

    /// True if a route answers every request that it gets.
    private static func answers(_ directives: [CaddyDirective]) -> Bool {
        directives.contains { directive in
            switch directive.name {
            case "abort", "reverse_proxy", "file_server", "php_fastcgi": true
            case "respond", "error": true
            case "handle", "handle_path", "route":
                (directive.block ?? [])
                    .contains { inner in
                        let first = inner.words.dropFirst().first ?? ""
                        return inner.name != "handle_errors" && !"/@".contains(first.first ?? " ") && answers([inner])
                    }
            default: false
            }
        }
    }

    private static func changesPath(_ directive: CaddyDirective) -> Bool {
        ["rewrite", "uri", "handle_path", "try_files"].contains(directive.name)
            || (directive.block ?? []).contains { changesPath($0) }
    }

    private mutating func leave(_ route: CaddyRoutes.Route, under guards: [[ImportedRule.Test]], in part: inout Part) {
        guard case .failure(let error) = route.matcher else { return }
        for directive in route.directives {
            let isOpen = Self.open.contains(directive.name) || Self.remarks.contains(directive.name)
            part.items.append(left(directive, error.reason + (isOpen ? "" : ": all is refused")))
            if !isOpen {
                part.items.append(.rule(refusal(directive, guards)))
                part.isAnswered = true
            }
        }
    }

    private func refusal(_ directive: CaddyDirective, _ tests: [[ImportedRule.Test]]) -> ImportedRule {
        var rule = ImportedRule(directive.line...directive.line, .respond(403, nil))
        rule.tests = tests
        return rule
    }

    private mutating func note(_ directive: CaddyDirective, _ reason: String, kind: ImportedRules.Note.Kind) {
        let note = ImportedRules.Note(
            file: name,
            line: directive.line,
            text: directive.text,
            reason: reason,
            kind: kind
        )
        if !notes.contains(note) { notes.append(note) }
    }

    private mutating func left(_ directive: CaddyDirective, _ reason: String) -> ImportItem {
        lines.insert(directive.line)
        note(directive, reason, kind: .leftOut)
        return .left(directive.text, reason: reason, line: directive.line)
    }

    private mutating func part(
        _ directive: CaddyDirective,
        under tests: [[ImportedRule.Test]],
        sets: [(name: String, value: String)]
    ) -> Part {
        lines.insert(directive.line)
        var result = Part(items: directive.comments.map { .comment($0) })
        if !result.items.isEmpty { result.items.insert(.gap, at: 0) }
        if ["handle", "handle_path", "route"].contains(directive.name) {
            var inner: [CaddyRoutes.Route] = []
            if let path = directive.arguments.first, directive.name == "handle_path" {
                let prefix = String(path.hasSuffix("*") ? path.dropLast() : path[...])
                let words = ["uri", "strip_prefix", prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix]
                let strip = CaddyDirective(words: words, line: directive.line)
                inner.append(CaddyRoutes.Route(matcher: .success(CaddyMatchers.Matcher()), directives: [strip]))
            }
            var scope = matchers
            inner += routes.routes(directive.block ?? [], &scope, isSorted: directive.name != "route")
            matchers.merge(scope)
            let all = part(inner, under: tests)
            return Part(items: result.items + all.items, isAnswered: all.isAnswered)
        }
        do throws(CaddyImport.Unsaid) {
            let work = CaddyAction(isChanged: isChanged, hasTests: !tests.isEmpty, usesProxy: usesProxy)
            let action = try work.action(directive)
            for remark in action.remarks { note(directive, remark, kind: .remark) }
            for difference in action.differences { note(directive, difference, kind: .inexact) }
            if let upstream = action.upstream, known.insert(directive.line).inserted { upstreams += [.gap, upstream] }
            result.items += action.settings
            for var rule in action.rules {
                rule.tests = tests + rule.tests
                rule.sets = sets
                result.items.append(.rule(rule))
            }
            isChanged = isChanged || Self.changesPath(directive)
            result.isAnswered = action.isAnswer
        } catch {
            let isOpen = Self.open.contains(directive.name)
            result.items.append(left(directive, error.reason + (isOpen ? "" : ": refused")))
            if !isOpen {
                result.items.append(.rule(refusal(directive, tests)))
                result.isAnswered = true
            }
        }
        return result
    }
}
