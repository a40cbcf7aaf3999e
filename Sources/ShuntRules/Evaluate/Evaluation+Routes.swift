import ShuntCore
import ShuntRouting

/// The step after the rules: the route of a request that they let through.
extension Evaluation {
    /// Looks up the route of the URL that the rules left, unless they send it to an upstream.
    @inline(__always)
    mutating func findRoute() throws(EvaluationFailure) {
        if let table = program.routeTable, answer.outcome.hasURL { try findRoute(in: table) }
    }

    @inline(never)
    private mutating func findRoute(in table: UncountedReference<RouteTable>) throws(EvaluationFailure) {
        if !server.settings.isNone, program.tables.settings[server.settings].handler != .none { return }
        let found = table.with { routes in
            let methods = routeMethods(routes)
            return arena.withBytes(answer.outcome.url) {
                routes.lookup($0, parts: answer.outcome.parts, method: methods, scratch: memory.routeScratch)
            }
        }
        recorder?.record(route: found, in: self)
        switch found.outcome {
        case .matched: answer.outcome.route = found
        case .noMatch, .methodNotAllowed: break
        // Which route comes first is not known, so that none may be taken, nor may the request continue without one.
        case .tooComplex: throw failure(.routeLimit)
        }
    }

    /// The bits of the method: a HEAD request is answered by what answers GET.
    func routeMethods(_ routes: RouteTable) -> RouteMethodSet {
        switch server.methodKind {
        case .get: .get
        case .head: [.get, .head]
        case .post: .post
        case .put: .put
        case .delete: .delete
        case .patch: .patch
        default: routes.methods(named: String(decoding: arena.array(request.line.method), as: UTF8.self))
        }
    }
}
