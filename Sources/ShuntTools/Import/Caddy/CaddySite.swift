/// The rules of a site.
struct CaddySite {
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

    private let routes: CaddyRoutes
    private(set) var matchers: CaddyMatchers
    private(set) var notes: ImportNotes
    private(set) var lines = Set<Int>()
    private(set) var upstreams: [ImportItem] = []
    /// True once the path may not be that of the request.
    private var isChanged = false
    private var usesProxy = false
    /// The lines of the upstreams.
    private var known = Set<Int>()

    init(name: String, routes: CaddyRoutes, matchers: CaddyMatchers) {
        notes = ImportNotes(name)
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
        let isChangedByServer = isChanged
        var locations: [ImportItem] = []
        var placed = Set<ImportedTest>()
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
            locations += [.gap, .block(words, finished(inner, server.items))]
        }
        isChanged = isChangedByServer
        let last = part(rest.indices.filter { !isPlaced($0) }.map { rest[$0] }, under: [])
        locations += [.gap, .block(["location", "/"], finished(last, server.items))]
        let proxied: [ImportItem] = usesProxy ? Self.proxyHeaders : []
        return Self.settingsFirst(server.items, proxied) + locations
    }

    private static let proxyHeaders: [ImportItem] = [
        ["Host", "$http_host"], ["X-Forwarded-For", "$remote_addr"], ["X-Forwarded-Proto", "$scheme"],
        ["X-Forwarded-Host", "$http_host"],
    ]
    .map { .directive(["proxy_set_header"] + $0) }

    static func uses(_ name: String, _ block: [CaddyDirective]) -> Bool {
        block.contains { $0.name == name || uses(name, $0.block ?? []) }
    }

    /// Settings before rules, with an empty line between them.
    private static func settingsFirst(_ items: [ImportItem], _ more: [ImportItem]) -> [ImportItem] {
        let isSetting = { (item: ImportItem) -> Bool in item.words.map { $0[0] != "set" } ?? false }
        let rest = items.filter { !isSetting($0) }
        return items.filter(isSetting) + more + (rest.isEmpty ? [] : [.gap]) + rest
    }

    /// The directives of a location: where the path is changed, the request stays in it.
    private func finished(_ part: Part, _ outer: [ImportItem]) -> [ImportItem] {
        var items = part.items
        if !part.isAnswered { items.append(.directive(["return", "200"])) }
        // A place with its own headers inherits none.
        for name in ["add_header", "proxy_set_header"] {
            let isNamed = { (item: ImportItem) -> Bool in item.words?[0] == name }
            guard let first = items.firstIndex(where: isNamed) else { continue }
            let headers = name == "proxy_set_header" ? Self.proxyHeaders : []
            items.insert(contentsOf: headers + outer.filter(isNamed), at: first)
        }
        let rewrites = items.count { $0.importedRule?.rewrites == true }
        guard rewrites > 0, part.isAnswered, let last = items.lastIndex(where: { $0.importedRule != nil }),
            var rule = items[last].importedRule
        else { return items }
        if case .rewrite(let target, _) = rule.action, rule.tests.isEmpty, rewrites == 1 {
            rule.action = .rewrite(target, .break)
            items[last] = .rule(rule)
        } else if !rule.answers || !rule.tests.isEmpty {
            items.insert(.directive(["break"]), at: last + 1)
        }
        return items
    }

    // MARK: Routes

    /// Routes one after another, all for requests that pass the `guards`; `isServer` is true outside of locations.
    private mutating func part(
        _ list: [CaddyRoutes.Route],
        under guards: [[ImportedTest]],
        isServer: Bool = false
    ) -> Part {
        var result = Part()
        var chosen: [String: [[ImportedTest]]] = [:]
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
                let test = ImportedTest("$chosen_\(line)", .isTrue)
                result.items += [.gap, .directive(["set", test.subject, ""])]
                if isAlone, route.group == "rewrite" {
                    sets = [("chosen_\(line)", "1")]
                } else {
                    var rule = ImportedRule(line...line, .set, tests: tests)
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

    /// A rewrite after which no other rule of the server is tried.
    private static func ending(_ item: ImportItem) -> ImportItem {
        guard case .rule(var rule) = item, case .rewrite(let target, .next) = rule.action else { return item }
        rule.action = .rewrite(target, .last)
        return .rule(rule)
    }

    /// True if a route answers every request that it gets.
    private static func answers(_ directives: [CaddyDirective]) -> Bool {
        directives.contains { directive in
            switch directive.name {
            case "abort", "reverse_proxy", "file_server", "php_fastcgi", "respond", "error": true
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

    private mutating func leave(_ route: CaddyRoutes.Route, under guards: [[ImportedTest]], in part: inout Part) {
        guard case .failure(let error) = route.matcher else { return }
        for directive in route.directives {
            let isOpen = Self.open.contains(directive.name) || Self.remarks.contains(directive.name)
            let refusal = isOpen ? nil : ": all is refused"
            leave(directive, reason: error.reason, refusal: refusal, under: guards, in: &part)
        }
    }

    /// Leaves a directive out; one that might refuse requests, which has a `refusal`, refuses all that it is for.
    private mutating func leave(
        _ directive: CaddyDirective,
        reason: String,
        refusal: String?,
        under tests: [[ImportedTest]],
        in part: inout Part
    ) {
        let line = directive.line
        lines.insert(line)
        part.items.append(notes.leave(directive.text, line: line, reason: reason + (refusal ?? "")))
        guard refusal != nil else { return }
        part.items.append(.rule(.refusal(line...line, tests: tests)))
        part.isAnswered = true
    }

    private mutating func part(
        _ directive: CaddyDirective,
        under tests: [[ImportedTest]],
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
        do throws(Unsaid) {
            let work = CaddyAction(isChanged: isChanged, hasTests: !tests.isEmpty, usesProxy: usesProxy)
            let action = try work.action(directive)
            let line = directive.line
            for reason in action.remarks { notes.add(.remark, directive.text, line: line, reason: reason) }
            for reason in action.differences { notes.add(.inexact, directive.text, line: line, reason: reason) }
            if let upstream = action.upstream, known.insert(line).inserted { upstreams += [.gap, upstream] }
            result.items += action.settings
            for var rule in action.rules {
                rule.tests = tests + rule.tests
                rule.sets = sets
                result.items.append(.rule(rule))
            }
            isChanged = isChanged || Self.changesPath(directive)
            result.isAnswered = action.isAnswer
        } catch {
            let refusal = Self.open.contains(directive.name) ? nil : ": refused"
            leave(directive, reason: error.reason, refusal: refusal, under: tests, in: &result)
        }
        return result
    }
}
