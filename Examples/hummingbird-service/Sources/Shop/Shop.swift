import Hummingbird
import Logging
import Shunt
import ShuntHummingbird
import ShuntServices

/// A shop with one page, after rules that are loaded again when their files change.
public func makeShop(rules path: String, logger: Logger) async throws -> some ApplicationProtocol {
    let store = try await RuleStore.open(path: path, options: .init(logger: logger))

    let router = Router(context: DecidedContext.self)
    router.get("/item/:id") { _, context in
        "item \(context.routeParameter("id") ?? "?"), by \(context.decision?.rule?.description ?? "no rule")\n"
    }
    return Application(
        responder: ShuntResponder(router.buildResponder(), rules: store),
        services: [RuleReloadService(store)],
        logger: logger
    )
}
