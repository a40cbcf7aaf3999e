import ShuntCore
package import ShuntRouting

/// What comes after the rules: the route of a request that they let through.
extension Evaluator {
    /// Looks up the route of the URL that the rules left, unless they send it to an upstream.
    func findRoute() {
        guard let routes = program.routes, outcome.hasURL else { return }
        if currentSettings >= 0, program.settings[Int(currentSettings)].handler != .none { return }
        let methods = routeMethods(routes)
        let found: RouteLookup
        if let subject = routeSubject {
            let whole = ByteRange(0, arena.count)
            found = arena.withBytes(whole) { routes.lookup($0, parts: subject, method: methods, scratch: routeScratch) }
        } else {
            found = arena.withBytes(outcome.url) { routes.lookup($0, method: methods, scratch: routeScratch) }
        }
        recorder?.record(route: found, in: self)
        if found.isMatch { outcome.route = found }
    }

    /// The bits of the method: a HEAD request is answered by what answers GET.
    private func routeMethods(_ routes: RouteTable) -> RouteMethodSet {
        if isMethod("GET") { return .get }
        if isMethod("HEAD") { return [.get, .head] }
        if isMethod("POST") { return .post }
        return routes.methods(named: String(decoding: requestMethod, as: UTF8.self))
    }

    /// The match of the route of the last outcome, with its values copied.
    package func routeMatch(_ outcome: Outcome) -> RouteMatch? {
        guard let routes = program.routes, let found = outcome.route else { return nil }
        guard let subject = routeSubject else {
            let url = arena.array(outcome.url)
            return routes.match(found, url: url, parts: RouteSubject(splitting: url.span), scratch: routeScratch)
        }
        // The values were found as parts of the arena, so the match is of the arena too.
        return routes.match(found, url: arena.array(ByteRange(0, arena.count)), parts: subject, scratch: routeScratch)
    }
}
