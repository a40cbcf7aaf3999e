#if Gateway
import NIOHTTP1
import NIOPosix
import Shunt
import ShuntTools

/// The page and what it requests.
enum PageRouter {
    static func add(to routes: inout AdminRoutes, _ rules: ServedRules) {
        for file in PageFile.all {
            routes.get(file.path) { request in
                // Who loads the page is likely to want the rules: their table is made while the browser reads the scripts.
                if file.path == "/" {
                    let ruleSet = rules.store.snapshot.ruleSet
                    NIOThreadPool.singleton.submit { _ in _ = rules.table(of: ruleSet) }
                }
                return answer(file, request)
            }
        }
        routes.get("/rules") { request in try await list(request, rules) }
        routes.get("/rules/*") { request in
            let id = request.parameter
            let bytes = try await NIOThreadPool.singleton.runIfActive { RulesReport(rules).bytes(rule: id) }
            guard let bytes else {
                return .text("no rule has the identifier \(id.prefix(64))\n", status: .notFound)
            }
            return .json(bytes)
        }
        routes.get("/reads") { _ in .json(PageReports.reads(rules.store.snapshot.ruleSet)) }
        routes.get("/routes") { _ in .json(PageReports.routes(rules)) }
        routes.get("/files") { request in files(request.arguments.text("name"), rules.store.snapshot) }
        routes.get("/match") { match(AdminArguments(query: $0.query)) }
        routes.post("/match") { match(AdminArguments(query: String(decoding: $0.body, as: UTF8.self))) }
        routes.get("/traffic") { _ in
            guard let traffic = rules.traffic else {
                return .text("no requests arrive here\n", status: .notFound)
            }
            return .json(traffic.bytes())
        }
        routes.get("/history") { _ in .json(HistoryReport.attempts(rules)) }
        routes.get("/history/*/diff") { request in
            let version = Int(request.parameter) ?? 0
            let bytes = try await NIOThreadPool.singleton.runIfActive { HistoryReport.difference(version, rules) }
            return bytes.map { AdminResponse.json($0) }
                ?? .text("no rules are kept to compare version \(version) with\n", status: .notFound)
        }
        routes.get("/findings") { _ in
            guard let found = rules.analysis.lookForFindings(in: rules.store.snapshot.ruleSet) else {
                return .json(Array("{\"state\":\"looking\"}\n".utf8), status: .accepted)
            }
            return .json(found.json)
        }
        routes.get("/candidate") { _ in
            guard let held = rules.gate?.held else { return .text("no rules are held\n", status: .notFound) }
            return .json(held.object.line)
        }
        routes.get("/coverage") { _ in
            guard let coverage = rules.coverage else {
                return .text("the tests are run by shunt page and shunt test\n", status: .notFound)
            }
            return .json(try await NIOThreadPool.singleton.runIfActive { coverage() })
        }
        routes.get("/fleet") { _ in
            guard let source = rules.source else {
                return .text("this gateway is not a node of a fleet\n", status: .notFound)
            }
            do {
                return .json(try await source.fleet())
            } catch {
                return .text("\(error)\n", status: .badGateway)
            }
        }
        routes.get("/events") { request in events(request, rules.live) }
    }

    /// Returns true if it is a file of the page: these are not secret, and the page asks for the token.
    static func isOpen(_ path: String) -> Bool { PageFile.all.contains { $0.path == path } }

    private static func answer(_ file: PageFile, _ request: AdminRequest) -> AdminResponse {
        // An answer that nothing has changed has the policy as well: browsers put its headers in the place of the old ones.
        var response = AdminResponse(.bytes(file.bytes), type: file.contentType)
        response.headers.add(name: "ETag", value: file.entityTag)
        response.headers.add(name: "Cache-Control", value: "no-cache")
        response.headers.add(name: "Content-Security-Policy", value: PageFile.policy)
        if request.headers.first(name: "if-none-match") == file.entityTag {
            response.status = .notModified
            response.body = .bytes([])
        }
        return response
    }

    /// All rules with their counts, or with a limit those that a query selects.
    private static func list(_ request: AdminRequest, _ rules: ServedRules) async throws -> AdminResponse {
        let arguments = request.arguments
        if RuleQuery.names.allSatisfy({ arguments[$0] == nil }) { return .json(AdminReports.rules(rules)) }
        let query: RuleQuery
        do throws(RequestError) {
            query = try RuleQuery(arguments)
        } catch {
            return .text("\(error)\n", status: .badRequest)
        }
        let bytes = try await NIOThreadPool.singleton.runIfActive { RulesReport(rules).bytes(query) }
        return .json(bytes)
    }

    /// The names of the rule files, or the text of one.
    private static func files(_ name: String?, _ snapshot: RuleSnapshot) -> AdminResponse {
        guard let name else {
            let report: JSONObject = ["version": snapshot.version, "files": DraftRules.names(in: snapshot)]
            return .json(report.line)
        }
        guard let text = DraftRules.text(of: name, in: snapshot) else {
            return .text("no rule file is named \(RequestFields.quoted(name))\n", status: .notFound)
        }
        let report: JSONObject = ["version": snapshot.version, "name": name, "text": text]
        return .json(report.line)
    }

    /// The groups of an expression in a text: `expression=`, `subject=`, and `caseless=true`.
    private static func match(_ arguments: AdminArguments) -> AdminResponse {
        guard let expression = arguments["expression"], let subject = arguments["subject"] else {
            return .text("use expression=EXPRESSION and subject=TEXT\n", status: .badRequest)
        }
        return .json(ExpressionTrial.report(expression, on: subject, caseless: arguments.text("caseless") == "true"))
    }

    private static func events(_ request: AdminRequest, _ live: LiveEvents) -> AdminResponse {
        let arguments = request.arguments
        var filter = LiveListener.Filter()
        filter.kinds = Set((arguments.text("kind") ?? "").split(separator: ",").map(String.init))
        filter.rule = arguments.text("rule") ?? ""
        filter.host = arguments.text("host") ?? ""
        guard let listener = live.listen(filter) else {
            return .text("\(LiveEvents.maximumListeners) listen already\n", status: .serviceUnavailable)
        }
        listener.send(Array(":\n\n".utf8))
        return AdminResponse(.events(listener, of: live), type: "text/event-stream")
    }
}
#endif
