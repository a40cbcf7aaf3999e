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
        let (decision, version) = rules.decide(question(head, time: time), at: time.seconds)
        let record = ExchangeRecord(
            time: time,
            start: start,
            method: head.method.rawValue,
            target: head.uri,
            host: head.headers.first(name: "host") ?? "",
            version: head.version,
            decision: decision,
            rulesVersion: version
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
        metrics.decisions[decision.action]?.add()
        if decision.action == .forward {
            forward(head, decision, context)
        } else {
            answer(decision, context)
        }
    }

    /// The request as the rules see it.
    ///
    /// The Host is a header among the others, so that a second one is refused.
    private func question(_ head: HTTPRequestHead, time: Timestamp) -> Request {
        var request = Request(target: Array(head.uri.utf8), host: nil)
        if head.method != .GET { request.method = Array(head.method.rawValue.utf8) }
        request.headers.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            request.headers.append(Request.Header(name, value))
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
