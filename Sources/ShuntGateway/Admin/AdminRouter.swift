#if Gateway
import Logging
import NIOHTTP1
import Shunt
import ShuntTools

/// The routes of the admin listener.
enum AdminRouter {
    /// The answers of a gateway.
    static func make(
        _ core: GatewayCore,
        _ rules: ServedRules,
        guarding: AdminGuard,
        isServing: @escaping @Sendable () -> Bool
    ) -> AdminRoutes {
        var routes = make(rules, guarding: guarding)
        routes.get("/ready") { _ in
            isServing() ? .text("ready\n") : .text("not listening\n", status: .serviceUnavailable)
        }
        routes.get("/metrics") { _ in
            let text = MetricsText.render(core, rules, release: await rules.source?.release())
            return AdminResponse(.bytes(Array(text.utf8)), type: "text/plain; version=0.0.4; charset=utf-8")
        }
        return routes
    }

    /// The answers about rules, for gateways and for `shunt page`.
    static func make(_ rules: ServedRules, guarding: AdminGuard) -> AdminRoutes {
        var routes = AdminRoutes(guarding: guarding)
        routes.get("/health") { _ in .text("ok\n") }
        routes.get("/version") { _ in .json(AdminReports.version(rules, await rules.source?.release())) }
        routes.get("/status") { _ in .json(AdminReports.status(rules, await rules.source?.release())) }
        routes.get("/explain") { await ExplainReport.answer($0.query, to: $0, by: rules) }
        // A URL may be longer than the target of a request.
        routes.post("/explain") { request in
            await ExplainReport.answer(String(decoding: request.body, as: UTF8.self), to: request, by: rules)
        }
        routes.get("/archive") { _ in archive(rules) }
        routes.post("/reload") { request in
            await reload(rules, request.arguments["force"] == Array("true".utf8) ? .force : .call)
        }
        routes.post("/candidate/approve") { await judge($0, rules, approves: true) }
        routes.post("/candidate/reject") { await judge($0, rules, approves: false) }
        PageRouter.add(to: &routes, rules)
        return routes
    }

    /// Loads the rules again; 422 when they are wrong.
    private static func reload(_ rules: ServedRules, _ trigger: ReloadTrigger = .call) async -> AdminResponse {
        await rules.source?.look()
        let report = await rules.store.reload(trigger: trigger)
        return .json(AdminReports.reloaded(report), status: report.failure == nil ? .ok : .unprocessableEntity)
    }

    /// The files of the rules in use, as a last-known-good copy holds them.
    private static func archive(_ rules: ServedRules) -> AdminResponse {
        let snapshot = rules.store.snapshot
        let copy = LastKnownGoodFormat(
            sequence: 0,
            date: snapshot.loadedAt,
            source: snapshot.origin,
            contentHash: snapshot.contentHash,
            archive: snapshot.archive
        )
        return AdminResponse(.bytes(copy.encoded()), type: "application/octet-stream")
    }

    /// Puts the rules into use that are held, or refuses them until their files change; 409 if they are not those with
    /// the hash of `?hash=`.
    private static func judge(_ request: AdminRequest, _ rules: ServedRules, approves: Bool) async -> AdminResponse {
        guard let hash = request.arguments.text("hash") else {
            return .text("name the rules with ?hash=HASH\n", status: .badRequest)
        }
        guard let gate = rules.gate, approves ? gate.approve(hash) : gate.reject(hash) else {
            let held = rules.gate?.held.map { "the rules that are held have the hash \($0.contentHash)\n" }
            return .text(held ?? "no rules are held\n", status: .conflict)
        }
        guard approves else {
            note("rejected", hash, by: request, in: rules)
            return .text("rejected\n")
        }
        let report = await rules.store.reload()
        let isInUse = rules.store.snapshot.contentHash == hash
        note("approved", hash, by: request, in: rules)
        return .json(AdminReports.reloaded(report), status: isInUse ? .ok : .conflict)
    }

    /// Notes who decided about held rules, in the log and at the attempt to load them.
    ///
    /// The name of `?by=NAME` is what the client claims; the address is that of its connection.
    private static func note(_ verdict: String, _ hash: String, by request: AdminRequest, in rules: ServedRules) {
        let name = String((request.arguments.text("by") ?? "").prefix(100))
        let address = request.client.isEmpty ? "a Unix socket" : request.client
        let author = name.isEmpty ? address : "\(name) (\(address))"
        rules.history.note(verdict, of: hash, by: author)
        rules.logger.notice(
            "rules: held rules are \(verdict)",
            metadata: ["hash": "\(hash.prefix(12))", "by": "\(ShownBytes.text(author))"]
        )
    }
}
#endif
