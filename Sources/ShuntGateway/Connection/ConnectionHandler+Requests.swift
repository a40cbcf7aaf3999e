#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// Deciding about a request.
extension ConnectionHandler {
    /// Takes the head of a request, decides, and answers or forwards.
    func begin(_ head: HTTPRequestHead) {
        guard let context else { return }
        let time = Timestamp.now()
        let start = NIODeadline.now()
        var record = ExchangeRecord(
            time: time,
            start: start,
            method: head.method.rawValue,
            target: head.uri,
            host: head.headers.first(name: "host") ?? "",
            version: head.version,
            rulesVersion: 0
        )
        // After a request to upgrade, the parser reads nothing more.
        let isUpgrade = head.method == .CONNECT || head.headers.contains(name: "upgrade")
        exchange = Exchange(
            head: head,
            record: record,
            isKeptAlive: head.isKeepAlive && !isUpgrade,
            bodyLimit: core.options.maximumBodyBytes
        )
        timer.allow(seconds: core.options.clientTimeout, for: self)
        do throws(IncomingRequest.Refusal) {
            let (incoming, decision, version) = try judge(head, at: time)
            record.decision = decision
            record.rulesVersion = version
            if let host = incoming.host { record.host = host.description }
            exchange?.record = record
            metrics.decisions[decision.kind]?.add()
            if decision.kind == .forward {
                forward(incoming, head, decision, context)
            } else {
                answer(decision, context)
            }
        } catch {
            metrics.malformedRequests.add()
            // Nobody knows what follows a request that is not understood.
            exchange?.isKeptAlive = false
            answer(error.status, because: error.reason, context)
        }
    }

    /// Takes a request apart and has the rules decide about it.
    private func judge(
        _ head: HTTPRequestHead,
        at time: Timestamp
    ) throws(IncomingRequest.Refusal) -> (IncomingRequest, Decision, version: Int) {
        var asked: IncomingRequest?
        let (decision, version) = try rules.decide(at: time.seconds) { (names) throws(IncomingRequest.Refusal) in
            let incoming = try IncomingRequest(head, names: names, options: core.options)
            asked = incoming
            return question(incoming, head, time: time)
        }
        guard let asked else { throw IncomingRequest.Refusal("no rules were asked", status: .internalServerError) }
        return (asked, decision, version)
    }

    /// The request as the rules see it.
    private func question(_ incoming: IncomingRequest, _ head: HTTPRequestHead, time: Timestamp) -> RuleRequest {
        var request = RuleRequest(target: Array(incoming.target.utf8), host: nil)
        if head.method != .GET { request.method = Array(head.method.rawValue.utf8) }
        request.headers.reserveCapacity(incoming.headers.count + 1)
        if let host = incoming.host { request.headers.append(RuleRequest.Header("Host", host.description)) }
        for (name, value) in incoming.headers {
            request.headers.append(RuleRequest.Header(name, value))
        }
        for input in core.options.inputHeaders {
            if let value = head.headers.first(name: input.header) { request.inputs[input.variable] = Array(value.utf8) }
        }
        request.remoteAddress = client
        request.remotePort = clientPort
        request.listen = listen
        if head.version != .http1_1 { request.version = "\(head.version.major).\(head.version.minor)" }
        request.time = time
        return request
    }
}
#endif
