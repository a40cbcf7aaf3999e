#if Gateway
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Shunt
import ShuntAnalysis
import ShuntCore
import ShuntPage

/// The page and what it asks for.
enum PageRouter {
    static func add(to router: Router<BasicRequestContext>, _ rules: ServedRules) {
        for file in PageFile.all {
            router.get("\(file.path)") { request, _ in
                // Who loads the page is likely to want the rules: their table is made while the browser reads the scripts.
                if file.path == "/" {
                    let ruleSet = rules.store.snapshot.ruleSet
                    NIOThreadPool.singleton.submit { _ in _ = rules.table(of: ruleSet) }
                }
                return answer(file, request)
            }
        }
        router.get("/rules") { request, _ in try await list(request, rules) }
        router.get("/rules/:id") { _, context in
            let id = context.parameters.get("id") ?? ""
            let bytes = try await NIOThreadPool.singleton.runIfActive { RulesReport(rules).bytes(rule: id) }
            guard let bytes else {
                return AdminRouter.text("no rule has the identifier \(id.prefix(64))\n", status: .notFound)
            }
            return AdminRouter.json(bytes)
        }
        router.get("/reads") { _, _ in AdminRouter.json(PageReports.reads(rules.store.snapshot.ruleSet)) }
        router.get("/routes") { _, _ in AdminRouter.json(PageReports.routes(rules)) }
        router.get("/traffic") { _, _ in
            guard let traffic = rules.traffic else {
                return AdminRouter.text("no requests come in here\n", status: .notFound)
            }
            return AdminRouter.json(traffic.bytes())
        }
        router.get("/history") { _, _ in AdminRouter.json(HistoryReport.attempts(rules)) }
        router.get("/history/:version/diff") { _, context in
            let version = context.parameters.get("version", as: Int.self) ?? 0
            let bytes = try await NIOThreadPool.singleton.runIfActive { HistoryReport.difference(version, rules) }
            return bytes.map { AdminRouter.json($0) }
                ?? AdminRouter.text("no rules are kept to compare version \(version) with\n", status: .notFound)
        }
        router.get("/findings") { _, _ in
            guard let found = rules.analysis.lookForFindings(in: rules.store.snapshot.ruleSet) else {
                return AdminRouter.json(Array("{\"state\":\"looking\"}\n".utf8), status: .accepted)
            }
            return AdminRouter.json(found.json)
        }
        router.get("/candidate") { _, _ in
            guard let held = rules.gate?.held else { return AdminRouter.text("no rules are held\n", status: .notFound) }
            return AdminRouter.json(HistoryReport.candidate(held))
        }
        router.get("/coverage") { _, _ in
            guard let coverage = rules.coverage else {
                return AdminRouter.text("the tests are run by shunt page and shunt test\n", status: .notFound)
            }
            return AdminRouter.json(try await NIOThreadPool.singleton.runIfActive { coverage() })
        }
        router.get("/fleet") { _, _ in
            guard let source = rules.source else {
                return AdminRouter.text("this gateway is no node of a fleet\n", status: .notFound)
            }
            do {
                return AdminRouter.json(try await source.fleet())
            } catch {
                return AdminRouter.text("\(error)\n", status: .badGateway)
            }
        }
        router.get("/events") { request, _ in events(request, rules.live) }
    }

    /// Whether it is a file of the page: these are no secret, and the page asks for the token.
    static func isOpen(_ path: String) -> Bool { PageFile.all.contains { $0.path == path } }

    private static func answer(_ file: PageFile, _ request: Hummingbird.Request) -> Response {
        // An answer that nothing has changed has the policy as well: browsers put its headers in the place of the old ones.
        let headers: HTTPFields = [
            .contentType: file.contentType, .eTag: file.entityTag, .cacheControl: "no-cache",
            .contentSecurityPolicy: PageFile.policy,
        ]
        if request.headers[.ifNoneMatch] == file.entityTag { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    /// All rules with their counts, or with a limit those that a query asks for.
    private static func list(_ request: Hummingbird.Request, _ rules: ServedRules) async throws -> Response {
        let arguments = AdminArguments(query: request.uri.query ?? "")
        if arguments["limit"] == nil { return AdminRouter.json(AdminReports.rules(rules)) }
        let query: RuleQuery
        do throws(RequestProblem) {
            query = try RuleQuery(arguments)
        } catch {
            return AdminRouter.text("\(error)\n", status: .badRequest)
        }
        let bytes = try await NIOThreadPool.singleton.runIfActive { RulesReport(rules).bytes(query) }
        return AdminRouter.json(bytes)
    }

    private static func events(_ request: Hummingbird.Request, _ live: LiveEvents) -> Response {
        let arguments = AdminArguments(query: request.uri.query ?? "")
        var filter = LiveListener.Filter()
        filter.kinds = Set((arguments.text("kind") ?? "").split(separator: ",").map(String.init))
        filter.rule = arguments.text("rule") ?? ""
        filter.host = arguments.text("host") ?? ""
        guard let listener = live.listen(filter) else {
            return AdminRouter.text(
                "\(LiveEvents.maximumListeners) listen already\n",
                status: .serviceUnavailable
            )
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                defer { live.leave(listener) }
                try await writer.write(ByteBuffer(string: ":\n\n"))
                for await bytes in listener.stream { try await writer.write(bytes) }
                try await writer.finish(nil)
            }
        )
    }
}
#endif
