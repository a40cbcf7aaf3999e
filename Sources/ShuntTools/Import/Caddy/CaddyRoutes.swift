/// Directives in the order in which Caddy runs them.
struct CaddyRoutes {
    /// Directives that one matcher is asked for, once.
    struct Route {
        var matcher: Result<CaddyMatchers.Matcher, Unsaid>
        var directives: [CaddyDirective]
        /// The name of the kind of which only the first that matches runs.
        var group: String?

        /// True if it has no matcher, or one that every request passes.
        var isForAll: Bool { if case .success(let matcher) = matcher { matcher.tests.isEmpty } else { false } }
        /// The test of the path, if there is nothing else.
        var onlyPath: ImportedTest? {
            if case .success(let matcher) = matcher { matcher.onlyPath } else { nil }
        }
        /// True if it does nothing that the rules of a server, outside of locations, cannot do.
        var isEarly: Bool {
            directives.allSatisfy { directive in
                let isAnswer = ["respond", "error", "abort"].contains(directive.name)
                return CaddyRoutes.early.contains(directive.name) || isAnswer && !isForAll
            }
        }
    }

    static let early: Set = [
        "root", "header", "request_body", "redir", "rewrite", "uri", "try_files", "request_header", "encode", "map",
        "vars", "method", "basicauth", "basic_auth", "forward_auth", "log", "skip_log", "log_skip", "tracing", "push",
        "tls", "import", "bind", "templates", "handle_errors", "log_append",
    ]

    private var order = [
        "tracing", "map", "vars", "root", "skip_log", "header", "copy_response_headers", "request_body", "redir",
        "method", "rewrite", "uri", "try_files", "basicauth", "forward_auth", "request_header", "encode", "push",
        "templates", "handle", "route", "abort", "error", "copy_response", "respond", "metrics", "reverse_proxy",
        "php_fastcgi", "file_server", "acme_server",
    ]

    /// Reads the orders that global options change.
    init(_ options: [CaddyDirective]) {
        for option in options where option.name == "order" && option.words.count > 2 {
            let name = option.words[1]
            order.removeAll { $0 == name }
            let other = option.words.count > 3 ? order.firstIndex(of: option.words[3]) : nil
            switch option.words[2] {
            case "first": order.insert(name, at: 0)
            case "before": order.insert(name, at: other ?? 0)
            case "after": order.insert(name, at: (other ?? -1) + 1)
            default: order.append(name)
            }
        }
    }

    private func place(_ name: String) -> Int {
        order.firstIndex(of: name == "handle_path" ? "handle" : name == "basic_auth" ? "basicauth" : name) ?? -1
    }

    /// The routes of a block; unless `isSorted`, its directives run as they are written.
    func routes(_ block: [CaddyDirective], _ matchers: inout CaddyMatchers, isSorted: Bool) -> [Route] {
        matchers.add(block)
        var sorted: [Route] = []
        for var directive in block where !directive.name.hasPrefix("@") {
            let (matcher, arguments) = matchers.matcher(of: directive)
            let isPath = directive.name == "handle_path"
            directive.words = [directive.name] + (isPath ? directive.arguments : arguments)
            let group = ["handle": "handle", "handle_path": "handle", "rewrite": "rewrite", "root": "root"]
            let route = Route(matcher: matcher, directives: [directive], group: isSorted ? group[directive.name] : nil)
            // The comparison is not an order of all, so that the way of sorting decides: this is Caddy's.
            var index = sorted.count
            while isSorted, index > 0, isBefore(route, sorted[index - 1]) { index -= 1 }
            sorted.insert(route, at: index)
        }
        guard isSorted else { return sorted }
        var result: [Route] = []
        for var route in sorted {
            // One alone is of no group, except for a rewrite.
            if route.group != "rewrite", sorted.count(where: { $0.group == route.group }) == 1 { route.group = nil }
            // Neighbours with the same matcher are one route.
            if let last = result.last, last.group == route.group,
                case .success(let one) = last.matcher, case .success(let other) = route.matcher,
                one.tests == other.tests
            {
                result[result.count - 1].directives += route.directives
            } else {
                result.append(route)
            }
        }
        return result
    }

    private func isBefore(_ one: Route, _ other: Route) -> Bool {
        let (first, second) = (place(one.directives[0].name), place(other.directives[0].name))
        guard first == second else { return first < second }
        let (one, other) = (try? one.matcher.get(), try? other.matcher.get())
        if let path = one?.path, let next = other?.path { return path.utf8.count > next.utf8.count }
        return one?.isGiven != false && other?.isGiven == false
    }
}
