#if Gateway
import NIOCore
import Shunt

/// The changes to the Location, the Refresh and the cookies of an upstream's answer.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_redirect
struct AnswerRedirects {
    let changes: LocationChanges?
    let cookies: CookieChanges?
    /// The host that the client requested.
    private let host: HostAndPort?

    /// Takes the rules for an answer that is yet to come; nil where it continues unchanged.
    init?(_ decision: borrowing DecisionView, incoming: borrowing IncomingRequest, rewriter: LocationRewriter?) {
        guard let rewriter else { return nil }
        changes = decision.upstreamRedirects.map { rewriter.changes(by: $0, at: incoming.listen) }
        cookies = decision.upstreamCookies.map { rewriter.changes(by: $0) }
        if changes == nil, cookies == nil { return nil }
        host = incoming.host
    }

    /// The Location as the client gets it; nil where that of the upstream stays.
    func sentLocation(_ field: HeaderFields.Field, of fields: HeaderFields) -> [UInt8]? {
        let bytes = fields.bytes.readableBytesUInt8Span
        guard let changes, let location = changes.rewritten(bytes.extracting(field.value)) else { return nil }
        let isLast = !fields.list.contains {
            $0.name.lowerBound > field.name.lowerBound && fields.isNamed($0, "location")
                && changes.rewritten(bytes.extracting($0.value)) != nil
        }
        return changes.absolute(location, host: host?.host, isLast: isLast)
    }

    /// A Refresh in place of the upstream's, of which what is after the first `url=` counts; nil where that stays.
    func refresh(_ value: Span<UInt8>) -> [UInt8]? {
        var start = 4
        while start <= value.count, !value.extracting((start - 4)..<start).isSameHeader(as: "url=") { start += 1 }
        guard start <= value.count, let url = changes?.rewritten(value.extracting(start...)) else {
            return nil
        }
        return Array(copying: value.extracting(..<start)) + url
    }
}
#endif
