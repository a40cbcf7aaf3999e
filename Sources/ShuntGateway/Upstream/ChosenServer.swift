#if Gateway
import NIOHTTP1
import Shunt

/// The server that a decision passes a request to.
///
/// A rule names it, or `--upstream` does: it is read from the values of the decision, never from a URL.
struct ChosenServer {
    /// `http` or `https`.
    let scheme: String
    /// The host and port, the name of the group, or the Unix socket.
    let authority: String
    /// The servers of which one is to be asked; nil if `endpoint` is the only one.
    let group: PeerGroup?
    /// The place that connections go to; of a group, its name.
    let endpoint: UpstreamEndpoint
    /// The Host that it is asked for, unless a rule sets another one.
    let host: String

    /// Reads the server from a decision; nil if the request has no upstream to go to, or is the question of an `auth_request` for which
    /// no rule names one.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - incoming: The request of the client.
    ///   - groups: The groups of servers that the rules know.
    ///   - hosts: The hosts of recent requests.
    ///   - options: The options of the gateway.
    /// - Throws: If the host is invalid.
    init?(
        _ decision: borrowing DecisionView,
        _ incoming: borrowing IncomingRequest,
        groups: GroupTable,
        hosts: HostCache,
        options: GatewayOptions
    ) throws(IncomingRequest.Refusal) {
        guard let isSecure = decision.isSecure else { return nil }
        if let path = decision.upstreamSocket {
            scheme = isSecure ? "https" : "http"
            authority = "unix:\(path):"
            group = nil
            endpoint = UpstreamEndpoint(.unix(path), tls: Self.peer(decision, isSecure: isSecure, host: "localhost"))
            host =
                options.upstreamHost == .client
                ? Self.judgedHost(decision, incoming: incoming, hosts: hosts) ?? "localhost" : "localhost"
            return
        }
        let usualPort = isSecure ? 443 : 80
        guard let known = decision.withAuthority({ hosts.host($0, usualPort: usualPort) }) ?? nil else {
            throw IncomingRequest.Refusal("the rules made a URL without a host", status: .internalServerError)
        }
        if decision.isUpstream {
            scheme = isSecure ? "https" : "http"
            authority = known.text
            group = decision.upstreamGroup.flatMap { groups.group(named: $0) }
            let peer = Self.peer(decision, isSecure: isSecure, host: known.host.plainHost)
            endpoint = UpstreamEndpoint(known.host.place(isSecure: isSecure), tls: peer)
            let judged =
                options.upstreamHost == .client ? Self.judgedHost(decision, incoming: incoming, hosts: hosts) : nil
            host = judged ?? known.text
        } else {
            // The service for all other requests would consent to all of them.
            guard let upstream = options.upstream, !decision.isQuestion else { return nil }
            scheme = upstream.scheme
            authority = upstream.authority
            group = nil
            endpoint = upstream.endpoint
            // The rules may have renamed the host that the client requested.
            host = options.upstreamHost == .upstream ? upstream.authority : known.text
        }
    }

    /// The server as TLS knows it; nil without TLS.
    private static func peer(_ decision: borrowing DecisionView, isSecure: Bool, host: String) -> UpstreamTLSPeer? {
        guard isSecure else { return nil }
        return UpstreamTLSPeer(decision.upstreamName ?? host, decision.upstreamSettings?.tls ?? UpstreamTLSSettings())
    }

    /// The client's Host as the rules left it; nil if the client named none.
    private static func judgedHost(
        _ decision: borrowing DecisionView,
        incoming: borrowing IncomingRequest,
        hosts: HostCache
    ) -> String? {
        let usualPort = incoming.listen?.isSecure == true ? 443 : 80
        return decision.withJudgedHost { hosts.host($0, usualPort: usualPort)?.text } ?? incoming.hostText
    }
}
#endif
