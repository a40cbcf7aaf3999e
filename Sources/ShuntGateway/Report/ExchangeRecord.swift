#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntCore

/// The facts about a request and its answer besides its head.
struct ExchangeRecord {
    /// The parts of a decision that the access log shows.
    struct Decided {
        var kind: Decision.Kind
        /// The status that the rules gave.
        var status: Int?
        var rule: SourceLocation?
        var route: String?
        var url: [UInt8]?
        var reason: String?

        init(_ decision: borrowing DecisionView) {
            kind = decision.kind
            status = decision.status
            rule = decision.rule
            route = decision.route
            url = decision.withURL { Array(copying: $0) }
            reason = decision.reason
        }
    }

    var time: Timestamp
    var start: NIODeadline
    /// The host that was asked for; nil where the request was not understood.
    var host: HostAndPort?
    /// The question of a decision service; nil if the request itself is meant.
    var question: DecisionQuestion?
    /// The reason why a question was refused that the service only observes.
    var refusal: String?
    /// The decision of the rules; nil if there was none, or no log.
    var decision: Decided?
    /// True if those who look on at decisions get it.
    var isShown = false
    /// The values that the rules read besides the request line, as a JSON object; nil if the log does not have them.
    var reads: [UInt8]?
    var rulesVersion: Int
    /// 0 while nothing has been answered.
    var status = 0
    var upstream: String?
    /// The servers of the upstream's group that were asked, in their order.
    var servers: [String] = []
    var upstreamError: String?
    var requestBytes = 0
    var responseBytes = 0
    /// True if the connection ended before the answer did.
    var isAborted = false

    /// The line of the access log for an exchange with this record.
    func line(_ exchange: LoggedExchange) -> [UInt8] {
        let (head, connection) = (exchange.head, exchange.connection)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", time.iso8601())
        writer.member("client", connection.address)
        writer.member("port", connection.port)
        writer.member("method", head.method.rawValue)
        writer.member("host", host?.description ?? head.first("host") ?? "")
        writer.member("target", head.uri)
        writer.member("protocol", head.version)
        writer.member("status", status)
        writer.member("bytes_in", requestBytes)
        writer.member("bytes_out", responseBytes)
        writer.member("microseconds", exchange.microseconds)
        if let decision {
            writer.member("decision", decision.kind.rawValue)
            if question != nil, let status = decision.status { writer.member("decided_status", status) }
            if let rule = decision.rule { writer.member("rule", rule.description) }
            if let route = decision.route { writer.member("route", route) }
            if let url = decision.url { writer.member("url", url) }
            if let reason = decision.reason { writer.member("reason", reason) }
        }
        for (member, header) in [("user_agent", "user-agent"), ("referer", "referer"), ("request_id", "x-request-id")] {
            if let value = head.first(header) { writer.member(member, value) }
        }
        if let trace = head.first("traceparent") { writer.member("traceparent", trace) }
        writer.member("rules", rulesVersion)
        if let reads {
            writer.name("reads")
            writer.json(reads.span)
        }
        if let upstream { writer.member("upstream", upstream) }
        if !servers.isEmpty { writer.member("servers", servers.joined(separator: ", ")) }
        if let refusal { writer.member("refused", refusal) }
        if let upstreamError { writer.member("upstream_error", upstreamError) }
        if isAborted { writer.member("aborted", true) }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
#endif
