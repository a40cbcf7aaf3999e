#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The answer of a decision service.
///
/// What the rules answer themselves is answered as it is to a client; the headers for the proxy are added.
enum DecisionServiceAnswer {
    static func action(
        _ incoming: borrowing IncomingRequest,
        decision: borrowing DecisionView,
        version: Int,
        service: DecisionService,
        asked: ExtProcRequest?,
        options: GatewayOptions
    ) throws(IncomingRequest.Refusal) -> RequestAction {
        if service.form == .observe { return .observed(service) }
        var own = DecisionHeaders(decision, version: version)
        guard decision.kind == .forward else { return unforwarded(decision, own: own, service: service) }
        guard let isSecure = decision.isSecure else {
            // Nothing that a proxy could ask for: the answer is the same as from the gateway.
            own.set(.action, Decision.Kind.respond.rawValue)
            return own.added(to: RequestAction.unforwarded(decision))
        }
        let host = try askedHost(decision, usualPort: isSecure ? 443 : 80)
        var path = ByteBuffer()
        decision.withTarget { path.writeTarget($0) }
        // A proxy may put the server and the target together as one text, of which the target must not change the host.
        guard path.readableBytesView.first == UInt8(ascii: "/") else {
            own.set(.action, Decision.Kind.fail.rawValue)
            own.set(.status, "404")
            var headers = HTTPHeaders()
            let reason = "a rewrite left a path that does not begin with a slash"
            let body = ConnectionHandler.plainBody(.notFound, reason: reason, &headers)
            return own.added(to: .answer(.notFound, headers, body))
        }
        own.set(.target, String(buffer: path))
        own.set(.host, upstreamHost(incoming, decision: decision, asked: host, options: options))
        if decision.isUpstream {
            let server = decision.upstreamSocket.map { "unix:\($0):" } ?? host
            own.set(.upstream, "\(isSecure ? "https" : "http")://\(server)")
        }
        if let route = decision.route { own.set(.route, route) }
        if let asked {
            return .tell(
                try mutation(
                    asked,
                    incoming: incoming,
                    decision: decision,
                    own: own.headers,
                    path: String(buffer: path)
                )
            )
        }
        var headers = RuleAdditions.headers(decision, for: RuleAdditions.status(of: decision) ?? .ok)
        if service.form == .accel { headers.replaceOrAdd(name: "X-Accel-Redirect", value: DecisionService.goesOn) }
        return own.added(to: .answer(.ok, headers, ByteBuffer()))
    }

    /// The host that is asked, with its port where it is not the usual one.
    private static func askedHost(
        _ decision: borrowing DecisionView,
        usualPort: Int
    ) throws(IncomingRequest.Refusal) -> String {
        if decision.upstreamSocket != nil { return "localhost" }
        guard let host = decision.withAuthority({ HostAndPort($0, usualPort: usualPort) }) ?? nil else {
            throw IncomingRequest.Refusal("the rules made a URL without a host", status: .internalServerError)
        }
        return host.description
    }

    /// Returns the changes of a forwarded request for Envoy.
    private static func mutation(
        _ asked: ExtProcRequest,
        incoming: borrowing IncomingRequest,
        decision: borrowing DecisionView,
        own: HTTPHeaders,
        path: String
    ) throws(IncomingRequest.Refusal) -> [UInt8] {
        var set: [(name: String, value: String)] = [(":path", path)]
        // Envoy refuses any change of the host unless it is configured to allow it, so the same host is not set again.
        if let host = own.first(name: DecisionHeader.host.rawValue), host != asked.authority {
            set.append((":authority", host))
        }
        var kept: Set<String> = []
        let fields = incoming.fields
        for field in fields.list { kept.insert(fields.text(field.name).lowercased()) }
        var removed: Set<String> = []
        for (name, value) in try SetHeaders(decision).fields where !name.isSameHeader(as: "host") {
            // What was removed is set thereafter.
            guard !value.isEmpty else {
                removed.insert(name.lowercased())
                continue
            }
            set.append((name, String(decoding: value, as: UTF8.self)))
        }
        set.removeAll { $0.name.lowercased().hasPrefix(ExtProcRequest.ownPrefix) }
        set += own.map { ($0.name, $0.value) }
        // What the rules do not see reaches no one. Envoy may have kept a header from the question.
        removed.formUnion(asked.names.subtracting(kept))
        removed.formUnion(DecisionHeader.allCases.map { $0.rawValue.lowercased() })
        return ExtProcAnswer.goesOn(set, removed: removed.sorted())
    }

    /// Returns the answer of the rules.
    private static func unforwarded(
        _ decision: borrowing DecisionView,
        own: DecisionHeaders,
        service: DecisionService
    ) -> RequestAction {
        let action = RequestAction.answer(decision)
        guard case .close = action else { return own.added(to: action) }
        var headers = HTTPHeaders()
        if service.form == .accel {
            headers.add(name: "X-Accel-Redirect", value: DecisionService.closes)
            return own.added(to: .answer(.ok, headers, ByteBuffer()))
        }
        // A connection that is closed without an answer is a failure to the proxy, and not what to do with its client.
        let body = ConnectionHandler.plainBody(.forbidden, reason: nil, &headers)
        return own.added(to: .answer(.forbidden, headers, body))
    }

    /// The Host that the gateway would send to the upstream.
    private static func upstreamHost(
        _ incoming: borrowing IncomingRequest,
        decision: borrowing DecisionView,
        asked: String,
        options: GatewayOptions
    ) -> String {
        var set: String?
        decision.withUpstreamHeaders { name, value in
            guard String(repairing: name).lowercased() == "host", value.count > 0 else { return }
            set = String(repairing: value)
        }
        if let set { return set }
        guard decision.isUpstream, options.upstreamHost == .client else { return asked }
        return incoming.host?.description ?? asked
    }

    /// The headers for the proxy.
    private struct DecisionHeaders {
        private(set) var headers = HTTPHeaders()

        init(_ decision: borrowing DecisionView, version: Int) {
            set(.action, decision.kind.rawValue)
            let status = decision.kind == .degrade ? 302 : decision.status
            if let status { set(.status, "\(status)") }
            if let rule = decision.rule { set(.rule, rule.description) }
            set(.version, "\(version)")
        }

        /// Names of files and routes may have any bytes, and a header may not.
        mutating func set(_ header: DecisionHeader, _ value: String) {
            let isPlain = value.utf8.allSatisfy { (0x20...0x7e).contains($0) }
            let bytes = value.utf8.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
            headers.replaceOrAdd(name: header.rawValue, value: isPlain ? value : String(decoding: bytes, as: UTF8.self))
        }

        func added(to action: RequestAction) -> RequestAction {
            guard case .answer(let status, var given, let body) = action else { return action }
            // Rules that add headers of these names do not speak for the service.
            for header in DecisionHeader.allCases { given.remove(name: header.rawValue) }
            given.add(contentsOf: headers)
            return .answer(status, given, body)
        }
    }
}
#endif
