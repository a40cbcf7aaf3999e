#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntCore

/// Answering a request without an upstream.
extension ConnectionHandler {
    /// A line that says what the status says, for answers that rules give no body.
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
    func answer(_ refusal: IncomingRequest.Refusal, _ context: ChannelHandlerContext) {
        if Self.closes(after: refusal.status) { exchange?.isKeptAlive = false }
        var headers = HTTPHeaders()
        let body = Self.plainBody(refusal.status, reason: refusal.reason, &headers)
        var additions = exchange?.additions
        if exchange?.isDecided == false, core.options.decisionService == nil {
            additions = rules.additionsToRefusal(of: connection)
        }
        answer(refusal.status, headers, body, adding: additions, context)
    }

    /// Returns true if nginx ends the connection after an answer of its own with a status.
    private static func closes(after status: HTTPResponseStatus) -> Bool {
        switch status.code {
        case 400, 413, 414, 500, 501: true
        default: false
        }
    }

    /// Answers with a whole response.
    func answer(
        _ status: HTTPResponseStatus,
        _ headers: HTTPHeaders,
        _ body: ByteBuffer,
        adding additions: RuleAdditions? = nil,
        _ context: ChannelHandlerContext
    ) {
        guard let exchange else { return }
        begin(status, exchange)
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
        endHead(exchange, hasDate: hasDate, &output)
        if status.mayHaveResponseBody, exchange.head.method != .HEAD, body.readableBytes > 0 {
            exchange.record.responseBytes += body.readableBytes
            output.writeImmutableBuffer(body)
        }
        self.output.put(output)
        end(context)
    }

    /// Writes the answer that the rules decided on; `end` is to follow.
    func write(_ decision: borrowing DecisionView) -> RequestCourse {
        if decision.status == 444 { return .close }
        guard let exchange else { return .close }
        let status = RequestCourse.status(of: decision)
        let length = decision.bodyLength
        if length == nil, Self.closes(after: status) { exchange.isKeptAlive = false }
        begin(status, exchange)
        var output = self.output.take()
        output.writeStatusLine(status)
        // The type of the line of text, in place of one that rules add.
        let hasOwnType = status.mayHaveResponseBody && length == nil
        let hasURL = decision.withURL { _ in true } ?? false
        var hasDate = false
        decision.withHeaders { name, value in
            switch name.count {
            case 4 where name.isSameHeader(as: "date"): hasDate = true
            case 8 where hasURL && name.isSameHeader(as: "location"): return
            case 12 where hasOwnType && name.isSameHeader(as: "content-type"): return
            default: if RuleAdditions.isFraming(name) { return }
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
        endHead(exchange, hasDate: hasDate, &output)
        if status.mayHaveResponseBody, exchange.head.method != .HEAD {
            if let plain { output.writeString(plain) }
            decision.withBody { body in _ = output.writeBytes(body.bytes) }
            exchange.record.responseBytes += length ?? plain?.utf8.count ?? 0
        }
        self.output.put(output)
        return .answered
    }

    /// Notes what an answer begins with.
    private func begin(_ status: HTTPResponseStatus, _ exchange: Exchange) {
        // As in nginx, the body that a client waits to send is read and dropped, so that the connection stays of use.
        if exchange.isKeptAlive { sendContinue(exchange) }
        exchange.account?.beginHead(output)
        noteStatus(status)
    }

    /// Has the client send the body that it waits to send.
    func sendContinue(_ exchange: Exchange) {
        guard exchange.awaitsContinue else { return }
        exchange.awaitsContinue = false
        var output = self.output.take()
        output.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
        self.output.put(output)
    }

    /// Notes that an answer has begun.
    func noteStatus(_ status: HTTPResponseStatus) {
        exchange?.hasStartedResponse = true
        exchange?.record.status = Int(status.code)
    }

    /// Writes what every response has: the date, what becomes of the connection, and the end of the head.
    func endHead(_ exchange: Exchange, hasDate: Bool, _ output: inout ByteBuffer) {
        if !hasDate { rules.date.write(exchange.record.time, to: &output) }
        if !exchange.isKeptAlive {
            output.writeStaticString("Connection: close\r\n\r\n")
        } else if exchange.head.isOldVersion {
            output.writeStaticString("Connection: keep-alive\r\n\r\n")
        } else {
            output.writeStaticString("\r\n")
        }
        exchange.account?.endHead(output)
    }

    /// Answers what the parser could not read, and closes the connection.
    func refuse(_ failure: RequestParser.Failure, _ context: ChannelHandlerContext) {
        metrics.malformedRequests.add()
        if let exchange, exchange.hasStartedResponse { return closeBehindAnswers(context) }
        exchange?.upstream?.cancel()
        exchange?.upstream = nil
        if exchange == nil {
            let record = ExchangeRecord(
                time: Timestamp.now(),
                start: .now(),
                rulesVersion: core.store.snapshot.version
            )
            exchange = Exchange(parser.failedHead, record, bodyLimit: 0)
        }
        exchange?.isKeptAlive = false
        let refusal: IncomingRequest.Refusal =
            switch failure {
            case .longTarget: .longTarget
            case .longHeaders: .longHeaders(core.options)
            case .malformed: IncomingRequest.Refusal("this is not an HTTP request")
            }
        answer(refusal, context)
    }

    /// Sends what was answered already, and closes the connection.
    private func closeBehindAnswers(_ context: ChannelHandlerContext) {
        flushResponse()
        context.close(promise: nil)
    }

    /// Ends a request whose body is longer than allowed.
    func refuseLongBody(_ context: ChannelHandlerContext) {
        exchange?.upstream?.cancel()
        exchange?.upstream = nil
        let limit = exchange?.bodyLimit ?? 0
        exchange?.bodyLimit = 0
        guard exchange?.hasStartedResponse == false else { return closeBehindAnswers(context) }
        exchange?.isKeptAlive = false
        answer(.longBody(limit), context)
    }
}
#endif
