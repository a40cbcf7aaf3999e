#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// Answering a request without an upstream.
extension ConnectionHandler {
    /// A line with the status, for answers without a body by rules.
    static func plainText(_ status: HTTPResponseStatus, reason: String?) -> String {
        let line = status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
        return reason.map { "\(line): \($0)\n" } ?? line + "\n"
    }

    /// The same as a body, with its type among the headers.
    static func plainBody(_ status: HTTPResponseStatus, reason: String?, _ headers: inout HTTPHeaders) -> ByteBuffer {
        headers.replaceOrAdd(name: "Content-Type", value: "text/plain; charset=utf-8")
        return ByteBuffer(string: plainText(status, reason: reason))
    }

    /// Answers with a status and one line of text, and the headers that rules add to every answer.
    func answer(_ refusal: IncomingRequest.Refusal) {
        if Decision.endsConnection(after: Int(refusal.status.code)) { exchange?.isKeptAlive = false }
        var headers = HTTPHeaders()
        let body = Self.plainBody(refusal.status, reason: refusal.reason, &headers)
        if let range = refusal.contentRange { headers.add(name: "Content-Range", value: range) }
        if exchange?.additions == nil, core.options.decisionService == nil, let action = page(for: refusal) {
            return take(action)
        }
        if exchange?.additions?.awaitsAnswer == true {
            // Rules see the type of nginx's pages.
            let sent =
                [("Content-Type", "text/html"), ("Content-Length", "\(body.readableBytes)")]
                + headers.filter { $0.name != "Content-Type" }
            complete(
                with: [],
                of: refusal.status,
                sent: sent.map { RuleRequest.Header(name: Array($0.utf8), value: Array($1.utf8)) }
            )
        }
        answer(refusal.status, headers: headers, body: body, adding: exchange?.additions)
    }

    /// The action for a request that cannot be read, where the default server has a page for it; nil without one, and then the
    /// additions of that server to its answer are noted.
    private func page(for refusal: IncomingRequest.Refusal) -> RequestAction? {
        let status = refusal.status == .requestHeaderFieldsTooLarge ? 494 : Int32(refusal.status.code)
        var inputs = RequestInputs()
        // Without a Host nginx chooses the server of an empty name, which is the default server.
        for (name, value) in refusal.isWithoutHost ? [] : connection.sessionInputs { inputs[name] = value }
        let unreadable = RuleRequest(
            bytes: status == 414 ? [] : exchange?.account.head.target ?? [],
            host: nil,
            isForURL: false,
            method: Array((exchange?.account.head.method.rawValue ?? "").utf8),
            inputs: inputs,
            remoteAddress: connection.address,
            remotePort: connection.port,
            listen: connection.listen
        )
        var action: RequestAction?
        withRules { snapshot in
            guard isListened(by: snapshot) else {
                action = .close
                return
            }
            let found = snapshot.engine
                .withQuickDecision(for: unreadable, in: servingContext(refused: status)) { decision -> RequestAction? in
                    // No upstream gets a request that cannot be read.
                    guard !decision.isQuestion else { return nil }
                    noteLogs(decision, at: connection.listen)
                    exchange?.additions = RuleAdditions(decision)
                    if decision.kind != .forward {
                        return Self.hasNoPage(decision, status: status == 494 ? 400 : status) ? nil : write(decision)
                    }
                    guard core.options.upstream == nil, let file = decision.file else { return nil }
                    return self.action(HeaderFields(), file: file, decision: decision, isPage: true)
                }
            action = found ?? nil
        }
        // Nor is it worth a delay.
        _ = exchange?.visit?.takeDelay()
        if exchange?.additions == nil { exchange?.additions = RuleAdditions() }
        return action
    }

    /// The context of a decision by the rules that were adopted last; nil where another proxy passes the request on.
    ///
    /// - Parameter status: The status of a request that cannot be read; nil for any other.
    /// - Returns: The context.
    func servingContext(refused status: Int32? = nil) -> ServingContext? {
        guard core.options.decisionService == nil else { return nil }
        if exchange?.visit == nil { exchange?.visit = rules.gates.map { GateVisit($0, client: connection.address) } }
        let refused = status ?? (connection.isPlain ? 497 : 0)
        return ServingContext(
            gate: exchange?.visit,
            answers: answers,
            refused: refused,
            unmet: unmet,
            isAlone: core.options.upstream == nil,
            isLong: exchange?.isLong(for: core.options.maximumBodyBytes) ?? false
        )
    }

    /// The status of an answer without a state that the conditions of the request are not for; 0 where they are.
    private var unmet: Int32 {
        guard let head = exchange?.account.head, head.hasConditions else { return 0 }
        let conditions = RequestConditions(fields: head.fields, tag: nil, modified: nil)
        return conditions.fail ? 412 : conditions.hold(.exact) ? 304 : 0
    }

    /// The answer to plain HTTP at a port of TLS; nil where the rules have a page for it.
    func plainRefusal(_ decision: borrowing DecisionView) -> IncomingRequest.Refusal? {
        exchange?.isKeptAlive = false
        // A request that continues at its own path has reached no page.
        let goesOn = decision.kind == .forward && !decision.isInternal
        guard goesOn || Self.hasNoPage(decision, status: 400) else { return nil }
        exchange?.additions = RuleAdditions(decision)
        return IncomingRequest.Refusal("The plain HTTP request was sent to HTTPS port")
    }

    /// Returns true if the rules have nothing but a status, or a failure, for a request that is refused.
    static func hasNoPage(_ decision: borrowing DecisionView, status: Int32) -> Bool {
        let hasURL = decision.withURL { _ in true } ?? false
        return decision.kind == .fail || decision.bodyLength == nil && !hasURL && decision.status == Int(status)
    }

    /// Answers with a whole response.
    func answer(
        _ status: HTTPResponseStatus,
        headers: HTTPHeaders,
        body: ByteBuffer,
        adding additions: RuleAdditions? = nil
    ) {
        guard exchange?.isOver == false else { return }
        begin(status, isPage: true)
        var output = self.output.take()
        output.writeStatusLine(status)
        var hasDate = false
        for (name, value) in headers {
            if name.isSameHeader(as: "date") { hasDate = true }
            if name.isSameHeader(as: "content-length") || name.isSameHeader(as: "connection") { continue }
            if !status.mayHaveResponseBody, name.isSameHeader(as: "content-type") { continue }
            output.writeHeader(name, value)
        }
        if additions?.write(for: status, to: &output) == true { hasDate = true }
        if status.mayHaveResponseBody { output.writeContentLength(body.readableBytes) }
        endHead(hasDate: hasDate, &output)
        let sendsBody = status.mayHaveResponseBody && exchange?.account.head.method != .HEAD
        if sendsBody { output.writeImmutableBuffer(body) }
        self.output.put(output)
        handle(.written(bytes: sendsBody ? body.readableBytes : 0))
    }

    /// Writes the answer that the rules decided on.
    func write(_ decision: borrowing DecisionView) -> RequestAction {
        guard let code = decision.answerStatus else { return .close }
        let status = HTTPResponseStatus(statusCode: code)
        let length = decision.bodyLength
        if length == nil, Decision.endsConnection(after: Int(status.code)) { exchange?.isKeptAlive = false }
        begin(status, isPage: length == nil && status.code >= 400)
        var output = self.output.take()
        output.writeStatusLine(status)
        // The type of the line of text, in place of one that rules add.
        let hasOwnType = status.mayHaveResponseBody && length == nil
        let hasURL = decision.withURL { _ in true } ?? false
        var hasDate = false
        if let expiry = decision.expiry { output.write(expiry, modified: nil, at: exchange?.account.time) }
        decision.withHeaders { name, value in
            switch name.count {
            case 4 where name.isSameHeader(as: "date"): hasDate = true
            case 8 where hasURL && name.isSameHeader(as: "location"): return
            case 12 where hasOwnType && name.isSameHeader(as: "content-type"): return
            default: if Decision.Answer.isFraming(name) { return }
            }
            output.writeHeader(name, value)
        }
        decision.withURL { url in output.writeHeader("Location", url) }
        var plain: String?
        if status.mayHaveResponseBody {
            if length == nil {
                plain = Self.plainText(status, reason: decision.reason)
                output.writeStaticString("Content-Type: text/plain; charset=utf-8\r\n")
            }
            output.writeContentLength(length ?? plain?.utf8.count ?? 0)
        }
        endHead(hasDate: hasDate, &output)
        let sendsBody = status.mayHaveResponseBody && exchange?.account.head.method != .HEAD
        if sendsBody {
            if let plain { output.writeString(plain) }
            decision.withBody { body in _ = output.writeBytes(body.bytes) }
        }
        self.output.put(output)
        return .answered(bytes: sendsBody ? length ?? plain?.utf8.count ?? 0 : 0)
    }

    /// Notes the beginning of an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - isPage: Whether no rule wrote it: nginx asks for no body before such an answer.
    private func begin(_ status: HTTPResponseStatus, isPage: Bool) {
        if exchange?.beginAnswer(status) == true {
            if !isPage {
                writeContinue()
            } else if case .success(let body)? = exchange?.account.head.body, body != .none {
                // What comes next is the body, or another request: no one knows.
                exchange?.isKeptAlive = false
            }
        }
        exchange?.account.beginHead(output)
    }

    /// Has the client send the body that it waits to send.
    func writeContinue() {
        var output = self.output.take()
        output.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
        self.output.put(output)
    }

    /// Writes what every response has: the date, what becomes of the connection, and the end of the head.
    func endHead(hasDate: Bool, _ output: inout ByteBuffer) {
        if !hasDate, let time = exchange?.account.time { rules.date.write(time, to: &output) }
        if exchange?.isKeptAlive != true {
            output.writeStaticString("Connection: close\r\n\r\n")
        } else if exchange?.account.head.isOldVersion == true {
            output.writeStaticString("Connection: keep-alive\r\n\r\n")
        } else {
            output.writeStaticString("\r\n")
        }
        exchange?.account.endHead(output)
    }

    /// Answers what the parser could not read, and closes the connection.
    func refuse(_ failure: RequestParser.Failure) {
        metrics.malformedRequests.add()
        if exchange == nil {
            requestCount += 1
            exchange = Exchange(account(of: parser.failedHead, at: .now()))
            exchange?.account.rulesVersion = core.store.snapshot.version
            exchange?.account.invalidLine = parser.failedLine
        }
        switch failure {
        case .longTarget: handle(.malformed(.longTarget))
        case .longHeaders: handle(.malformed(.longHeaders(core.options)))
        case .laterVersion:
            handle(.malformed(IncomingRequest.Refusal("the gateway speaks HTTP/1.1", status: .httpVersionNotSupported)))
        case .malformed: handle(.malformed(IncomingRequest.Refusal("this is not an HTTP request")))
        }
    }

    /// Writes the exchange to the log and the metrics.
    func report(at now: NIODeadline = .now()) {
        guard let start = exchange?.account.start else { return }
        let microseconds = Int(clamping: (now - start).nanoseconds / 1000)
        metrics.count(status: exchange?.account.status ?? 0, microseconds: microseconds)
        metrics.requestBytes.add(exchange?.account.requestBytes ?? 0)
        metrics.responseBytes.add(exchange?.account.responseBytes ?? 0)
        log(microseconds: microseconds)
        guard exchange?.account.isShown == true, let account = exchange?.account else { return }
        if let event = LiveEvent(account, microseconds: microseconds) { core.live.note(event, shard: rules.shard) }
    }

    /// Writes the exchange to the logs that are for it.
    private func log(microseconds: Int) {
        // Requests without a decision are for the logs of the server for requests that name none.
        let logs = exchange?.account.logs ?? rules.defaultLogs(at: connection.listen)
        guard core.log != nil || !logs.isEmpty else { return }
        let (sent, received) = (output.total, parser.bodyBytes)
        exchange?.account.end(of: connection, microseconds: microseconds, sent: sent, received: received)
        guard let account = exchange?.account else { return }
        core.log?.append(core.options.accessLogFormat.line(account))
        var values = account.logValues[...]
        for log in logs { log.write(account, &values) }
    }
}
#endif
