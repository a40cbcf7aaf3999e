#if Gateway
import HTTPTypes
import Hummingbird
import NIOCore
import Shunt
import ShuntAnalysis

/// What the admin listener answers.
enum AdminRouter {
    /// The answers of a gateway.
    static func make(
        _ core: GatewayCore,
        _ rules: ServedRules,
        guarding: AdminGuard,
        isServing: @escaping @Sendable () -> Bool
    ) -> Router<BasicRequestContext> {
        let router = make(rules, guarding: guarding)
        router.get("/ready") { _, _ in
            isServing() ? text("ready\n") : text("not listening\n", status: .serviceUnavailable)
        }
        router.get("/metrics") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: MetricsText.render(core, await rules.source?.release()))
                )
            )
        }
        return router
    }

    /// What is answered about rules, whether requests come in or not.
    static func make(_ rules: ServedRules, guarding: AdminGuard) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: guarding)
        router.get("/health") { _, _ in text("ok\n") }
        router.get("/version") { _, _ in json(AdminReports.version(rules, await rules.source?.release())) }
        router.get("/status") { _, _ in json(AdminReports.status(rules, await rules.source?.release())) }
        router.get("/explain") { request, _ in explain(request.uri.query ?? "", request, rules) }
        // A URL may be longer than the target of a request.
        router.post("/explain") { request, _ in
            let body = try await request.body.collect(upTo: explainedBytes)
            return explain(String(buffer: body), request, rules)
        }
        router.get("/archive") { _, _ in archive(rules) }
        router.post("/reload") { request, _ in
            let isForced = AdminArguments(query: request.uri.query ?? "")["force"] == Array("true".utf8)
            return await reload(rules, isForced ? .force : .call)
        }
        router.post("/candidate/approve") { request, _ in await approve(request, rules) }
        router.post("/candidate/reject") { request, _ in reject(request, rules) }
        PageRouter.add(to: router, rules)
        return router
    }

    /// The longest question in a body: several URLs of 64 KiB with every byte escaped.
    private static let explainedBytes = 1 << 20

    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Loads the rules anew; 422 when they are wrong.
    private static func reload(_ rules: ServedRules, _ trigger: ReloadTrigger = .call) async -> Response {
        await rules.source?.look()
        let report = await rules.store.reload(trigger: trigger)
        return json(AdminReports.reloaded(report), status: report.failure == nil ? .ok : .unprocessableContent)
    }

    /// The files of the rules in use, as a last-known-good copy holds them.
    private static func archive(_ rules: ServedRules) -> Response {
        let snapshot = rules.store.snapshot
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
    private static func approve(_ request: Hummingbird.Request, _ rules: ServedRules) async -> Response {
        guard let hash = candidateHash(request) else {
            return text("name the rules with ?hash=HASH\n", status: .badRequest)
        }
        guard let gate = rules.gate, gate.approve(hash) else { return notHeld(rules) }
        let report = await rules.store.reload()
        let isInUse = rules.store.snapshot.contentHash == hash
        return json(AdminReports.reloaded(report), status: isInUse ? .ok : .conflict)
    }

    /// Refuses the rules that are held until their files change; 409 if they are not those with the hash of `?hash=`.
    private static func reject(_ request: Hummingbird.Request, _ rules: ServedRules) -> Response {
        guard let hash = candidateHash(request) else {
            return text("name the rules with ?hash=HASH\n", status: .badRequest)
        }
        guard let gate = rules.gate, gate.reject(hash) else { return notHeld(rules) }
        return text("rejected\n")
    }

    private static func candidateHash(_ request: Hummingbird.Request) -> String? {
        AdminArguments(query: request.uri.query ?? "")["hash"].map { String(decoding: $0, as: UTF8.self) }
    }

    private static func notHeld(_ rules: ServedRules) -> Response {
        let held = rules.gate?.held.map { "the rules that are held have the hash \($0.contentHash)\n" }
        return text(held ?? "no rules are held\n", status: .conflict)
    }

    /// `?url=URL`, or `?target=/path&host=HOST`, with `method`, `remote` and any number of `header=Name: value` and
    /// `input.NAME=value`; `held=true` asks the rules that are held as well, `notations=true` writes the request as a test.
    private static func explain(_ query: String, _ request: Hummingbird.Request, _ rules: ServedRules) -> Response {
        let arguments = AdminArguments(query: query)
        guard let question = arguments.request else {
            return text("ask with ?url=URL, or with ?target=/path&host=HOST\n", status: .badRequest)
        }
        return json(
            AdminReports.explanation(
                question,
                rules.store.snapshot,
                held: arguments.text("held") == "true" ? rules.engineOfHeldRules() : nil,
                notationsFor: arguments.text("notations") == "true" ? request.head.authority ?? "localhost" : nil
            )
        )
    }
}
#endif
