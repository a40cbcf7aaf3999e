#if Gateway
import Shunt
import ShuntCore

/// The changes to the Location and the Refresh of an upstream's answer.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_redirect
struct AnswerRedirects {
    private let rewriter: LocationRewriter
    private let rules: UpstreamRedirects
    /// The host that the client asked for, and where.
    private let host: HostAndPort?
    private let listen: RuleRequest.Endpoint?

    /// Takes what the rules say of an answer that is yet to come; nil where it goes on as it is.
    init?(_ decision: borrowing DecisionView, _ incoming: borrowing IncomingRequest, _ rewriter: LocationRewriter?) {
        guard let rewriter, let rules = decision.upstreamRedirects else { return nil }
        self.rewriter = rewriter
        self.rules = rules
        host = incoming.host
        listen = incoming.listen
    }

    /// A Location in place of the upstream's; nil where that stays.
    func location(_ value: Span<UInt8>) -> [UInt8]? {
        guard let location = rewriter.rewritten(value, by: rules) else { return nil }
        return rewriter.absolute(location, by: rules, host: host?.host, at: listen)
    }

    /// A Refresh in place of the upstream's, of which what stands after the first `url=` counts; nil where that stays.
    func refresh(_ value: Span<UInt8>) -> [UInt8]? {
        var start = 4
        while start <= value.count, !value.extracting((start - 4)..<start).isSameHeader(as: "url=") { start += 1 }
        guard start <= value.count, let url = rewriter.rewritten(value.extracting(start...), by: rules) else {
            return nil
        }
        return Array(copying: value.extracting(..<start)) + url
    }
}
#endif
