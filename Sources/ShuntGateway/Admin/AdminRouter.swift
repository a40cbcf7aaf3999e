#if Gateway
import HTTPTypes
import Hummingbird
import NIOCore
import Shunt
import ShuntAnalysis

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
        router.get("/archive") { _, _ in archive(core) }
        router.post("/reload") { request, _ in
            let isForced = AdminArguments(query: request.uri.query ?? "")["force"] == Array("true".utf8)
            return await reload(core, isForced ? .force : .call)
        }
        router.post("/candidate/approve") { request, _ in await approve(request, core) }
        router.post("/candidate/reject") { request, _ in reject(request, core) }
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
    private static func reload(_ core: GatewayCore, _ trigger: ReloadTrigger = .call) async -> Response {
        let report = await core.store.reload(trigger: trigger)
        return json(AdminReports.reloaded(report), status: report.failure == nil ? .ok : .unprocessableContent)
    }

    /// The files of the rules in use, as a last-known-good copy holds them.
    private static func archive(_ core: GatewayCore) -> Response {
        let snapshot = core.store.snapshot
        let copy = LastKnownGoodFormat(
            sequence: 0,
            date: snapshot.loadedAt,
            source: snapshot.origin,
            contentHash: snapshot.contentHash,
            archive: snapshot.archive
        )
        return Response(
            status: .ok,
            headers: [.contentType: "application/octet-stream"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: copy.encoded()))
        )
    }

    /// Puts the rules into use that are held, if they are those with the hash of `?hash=`; 409 if they are not.
    private static func approve(_ request: Hummingbird.Request, _ core: GatewayCore) async -> Response {
        guard let hash = candidateHash(request) else {
            return text("name the rules with ?hash=HASH\n", status: .badRequest)
        }
        guard let gate = core.gate, gate.approve(hash) else { return notHeld(core) }
        let report = await core.store.reload()
        let isInUse = core.store.snapshot.contentHash == hash
        return json(AdminReports.reloaded(report), status: isInUse ? .ok : .conflict)
    }

    /// Refuses the rules that are held until their files change; 409 if they are not those with the hash of `?hash=`.
    private static func reject(_ request: Hummingbird.Request, _ core: GatewayCore) -> Response {
        guard let hash = candidateHash(request) else {
            return text("name the rules with ?hash=HASH\n", status: .badRequest)
        }
        guard let gate = core.gate, gate.reject(hash) else { return notHeld(core) }
        return text("rejected\n")
    }

    private static func candidateHash(_ request: Hummingbird.Request) -> String? {
        AdminArguments(query: request.uri.query ?? "")["hash"].map { String(decoding: $0, as: UTF8.self) }
    }

    private static func notHeld(_ core: GatewayCore) -> Response {
        let held = core.gate?.held.map { "the rules that are held have the hash \($0.contentHash)\n" }
        return text(held ?? "no rules are held\n", status: .conflict)
    }

    /// `?url=URL`, or `?target=/path&host=HOST`, with `method`, `remote` and any number of `header=Name: value` and
    /// `input.NAME=value`.
    private static func explain(_ request: Hummingbird.Request, _ core: GatewayCore) -> Response {
        let arguments = AdminArguments(query: request.uri.query ?? "")
        guard let question = arguments.request else {
            return text("ask with ?url=URL, or with ?target=/path&host=HOST\n", status: .badRequest)
        }
        let snapshot = core.store.snapshot
        let (decision, trace) = snapshot.engine.explain(question)
        return json(AdminReports.explanation(decision, trace, version: snapshot.version))
    }
}
#endif
