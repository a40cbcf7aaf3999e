#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// What becomes of a request.
///
/// All that is needed of a decision, which is only borrowed: it is gone before anything is written.
enum RequestCourse {
    /// The connection is closed without an answer, as `return 444` asks for.
    case close
    /// The gateway answers.
    case answer(HTTPResponseStatus, HTTPHeaders, ByteBuffer)
    /// An upstream answers; with the length of the body that it gets.
    case forward(UpstreamRequest, IncomingRequest.BodyLength)

    init(
        _ incoming: IncomingRequest,
        _ method: HTTPMethod,
        _ decision: borrowing DecisionView,
        groups: GroupTable,
        rules: RuleSnapshot,
        client: ClientConnection,
        options: GatewayOptions
    ) {
        do throws(IncomingRequest.Refusal) {
            if let service = options.decisionService {
                self = try DecisionAnswer.course(incoming, decision, version: rules.version, service, options)
                return
            }
            guard decision.kind == .forward else {
                self = Self.answer(decision)
                return
            }
            if let request = try UpstreamRequest(
                incoming,
                method,
                decision,
                groups: groups,
                rules: rules.ruleSet,
                client: client,
                options: options
            ) {
                self = .forward(request, incoming.body)
            } else {
                self = Self.unforwarded(decision)
            }
        } catch {
            var headers = HTTPHeaders()
            let body = ConnectionHandler.plainBody(error.status, reason: error.reason, &headers)
            self = .answer(error.status, headers, body)
        }
    }

    /// The answer that the rules decided on.
    static func answer(_ decision: borrowing DecisionView) -> RequestCourse {
        if decision.status == 444 { return .close }
        let additions = RuleAdditions(decision)
        let status = decision.kind == .degrade ? .found : additions.status ?? .internalServerError
        var headers = additions.headers
        // Header values are text: bytes that are not UTF-8 are not for headers.
        if let url = decision.withURL({ String(repairing: $0) }) { headers.replaceOrAdd(name: "Location", value: url) }
        let body =
            decision.withBody { ByteBuffer(bytes: Array(copying: $0)) }
            ?? ConnectionHandler.plainBody(status, reason: decision.reason, &headers)
        return .answer(status, headers, body)
    }

    /// The answer to a request that no upstream takes: the route that it is for, or 404.
    static func unforwarded(_ decision: borrowing DecisionView) -> RequestCourse {
        let isFound = decision.route != nil
        let additions = RuleAdditions(decision)
        var headers = additions.headers
        headers.replaceOrAdd(name: "Content-Type", value: "application/json")
        if isFound { headers.add(contentsOf: additions.successHeaders) }
        let status = additions.status ?? (isFound ? .ok : .notFound)
        return .answer(status, headers, MatchAnswer.body(decision.copy()))
    }
}
#endif
