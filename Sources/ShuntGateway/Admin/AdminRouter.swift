#if Gateway
import HTTPTypes
import Hummingbird
import NIOCore
import Shunt

/// What the admin listener answers.
enum AdminRouter {
    static func make(
        _ core: GatewayCore,
        at endpoint: SocketEndpoint,
        isServing: @escaping @Sendable () -> Bool
    ) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: AdminGuard(endpoint, names: core.options.adminHosts))
        router.get("/health") { _, _ in text("ok\n") }
        router.get("/ready") { _, _ in
            isServing() ? text("ready\n") : text("not listening\n", status: .serviceUnavailable)
        }
        router.get("/version") { _, _ in json(AdminReports.version(core)) }
        router.get("/status") { _, _ in json(AdminReports.status(core)) }
        router.get("/rules") { _, _ in json(AdminReports.rules(core)) }
        router.get("/explain") { request, _ in explain(request, core) }
        router.get("/metrics") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: MetricsText.render(core)))
            )
        }
        router.post("/reload") { _, _ in await reload(core) }
        return router
    }

    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    private static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Loads the rules anew; 422 when they are wrong.
    private static func reload(_ core: GatewayCore) async -> Response {
        let report = await core.store.reload()
        return json(AdminReports.reloaded(report), status: report.failure == nil ? .ok : .unprocessableContent)
    }

    /// `?url=URL`, or `?target=/path&host=HOST`, with `method`, `remote` and any number of `header=Name: value` and
    /// `input.NAME=value`.
    private static func explain(_ request: Hummingbird.Request, _ core: GatewayCore) -> Response {
        let arguments = ExplainArguments(query: request.uri.query ?? "")
        guard let question = arguments.request else {
            return text("ask with ?url=URL, or with ?target=/path&host=HOST\n", status: .badRequest)
        }
        let snapshot = core.store.snapshot
        let (decision, trace) = snapshot.engine.explain(question)
        return json(AdminReports.explanation(decision, trace, version: snapshot.version))
    }
}
#endif
