import ShuntCore
package import ShuntRouting

/// What comes after the rules: the route of a request that they let through.
extension Evaluator {
    /// Looks up the route of the URL that the rules left, unless they send it to an upstream.
    func findRoute() {
        guard let table = program.routeTable, outcome.hasURL else { return }
        if currentSettings >= 0, program.settings[Int(currentSettings)].handler != .none { return }
        let found = table.with { lookup(in: $0) }
        recorder?.record(route: found, in: self)
        switch found.outcome {
        case .matched: outcome.route = found
        case .noMatch, .methodNotAllowed: break
        // Which route comes first is not known, so that none may be taken, nor may the request go on without one.
        case .tooComplex: fail(.routeLimit, status: 500)
        }
    }

    private func lookup(in routes: RouteTable) -> RouteLookup {
        let methods = routeMethods(routes)
        // The parts are in the arena where they are known, else they are looked for in the URL.
        guard let subject = routeSubject else {
            return arena.withBytes(outcome.url) { routes.lookup($0, method: methods, scratch: routeScratch) }
        }
        return arena.withBytes(ByteRange(0, arena.count)) {
            routes.lookup($0, parts: subject, method: methods, scratch: routeScratch)
        }
    }

    /// The bits of the method: a HEAD request is answered by what answers GET.
    private func routeMethods(_ routes: RouteTable) -> RouteMethodSet {
        switch methodKind {
        case .get: .get
        case .head: [.get, .head]
        case .post: .post
        default: routes.methods(named: String(decoding: arena.array(originalMethod), as: UTF8.self))
        }
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
