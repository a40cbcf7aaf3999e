#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// What is known of a request and its answer, for the access log.
struct ExchangeRecord {
    var time: Timestamp
    var start: NIODeadline
    var method: String
    var target: String
    var host: String
    var version: HTTPVersion
    var decision: Decision?
    var rulesVersion: Int
    /// 0 while nothing has been answered.
    var status = 0
    var upstream: String?
    var upstreamError: String?
    var requestBytes = 0
    var responseBytes = 0
    /// Whether the connection ended before the answer did.
    var isAborted = false

    /// The line of the access log.
    func line(client: String, port: Int, microseconds: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", time.iso8601())
        writer.member("client", client)
        writer.member("port", port)
        writer.member("method", method)
        writer.member("host", host)
        writer.member("target", target)
        writer.member("protocol", "HTTP/\(version.major).\(version.minor)")
        writer.member("status", status)
        writer.member("bytes_in", requestBytes)
        writer.member("bytes_out", responseBytes)
        writer.member("microseconds", microseconds)
        if let decision {
            writer.member("decision", decision.kind.rawValue)
            if let rule = decision.rule { writer.member("rule", rule.description) }
            if let route = decision.route { writer.member("route", route) }
            if let url = decision.url { writer.member("url", url) }
            if let reason = decision.reason { writer.member("reason", reason) }
        }
        writer.member("rules", rulesVersion)
        if let upstream { writer.member("upstream", upstream) }
        if let upstreamError { writer.member("upstream_error", upstreamError) }
        if isAborted { writer.member("aborted", true) }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
#endif
