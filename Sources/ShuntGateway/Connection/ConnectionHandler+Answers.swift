#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// Answering a request without an upstream.
extension ConnectionHandler {
    /// A line that says what the status says, for answers that rules give no body.
    static func plainBody(_ status: HTTPResponseStatus, reason: String?, _ headers: inout HTTPHeaders) -> ByteBuffer {
        headers.replaceOrAdd(name: "Content-Type", value: "text/plain; charset=utf-8")
        let line = status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
        return ByteBuffer(string: reason.map { "\(line): \($0)\n" } ?? line + "\n")
    }

    /// Answers with a status and one line of text.
    func answer(_ status: HTTPResponseStatus, because reason: String, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders()
        let body = Self.plainBody(status, reason: reason, &headers)
        answer(status, headers, body, context)
    }

    /// Answers with a whole response.
    func answer(
        _ status: HTTPResponseStatus,
        _ given: HTTPHeaders,
        _ body: ByteBuffer,
        _ context: ChannelHandlerContext
    ) {
        guard let exchange else { return }
        var headers = given
        // A client that waits for "100 Continue" may or may not send its body now: the connection is of no more use.
        if exchange.head.headers.contains(name: "expect") { self.exchange?.isKeptAlive = false }
        if !status.mayHaveResponseBody {
            headers.remove(name: "content-type")
        } else {
            headers.replaceOrAdd(name: "Content-Length", value: "\(body.readableBytes)")
        }
        addCommonHeaders(to: &headers)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        noteHead(head)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if status.mayHaveResponseBody, exchange.head.method != .HEAD, body.readableBytes > 0 {
            self.exchange?.record.responseBytes += body.readableBytes
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        end(context)
    }

    /// Adds what every response has: the date, and what becomes of the connection.
    func addCommonHeaders(to headers: inout HTTPHeaders) {
        guard let exchange else { return }
        if !headers.contains(name: "date") { headers.add(name: "Date", value: date(exchange.record.time)) }
        if !exchange.isKeptAlive {
            headers.replaceOrAdd(name: "Connection", value: "close")
        } else if exchange.head.version == .http1_0 {
            headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
    }

    /// Answers what the parser could not read, and closes the connection.
    func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
        metrics.malformedRequests.add()
        guard exchange == nil || exchange?.hasStartedResponse == false else {
            context.close(promise: nil)
            return
        }
        exchange?.upstream?.cancel()
        exchange?.upstream = nil
        if exchange == nil {
            let record = ExchangeRecord(
                time: Timestamp.now(),
                start: .now(),
                rulesVersion: core.store.snapshot.version
            )
            let unknown = HTTPRequestHead(version: .http1_1, method: .RAW(value: ""), uri: "")
            exchange = Exchange(head: unknown, record: record, isKeptAlive: false, bodyLimit: 0)
        }
        exchange?.isKeptAlive = false
        switch error {
        case .headerOverflow where line.length > IncomingRequest.targetLimit:
            answer(.uriTooLong, because: "the target is longer than \(IncomingRequest.targetLimit) bytes", context)
        case .headerOverflow:
            let refusal = IncomingRequest.Refusal.longHeaders(core.options)
            answer(refusal.status, because: refusal.reason, context)
        default:
            answer(.badRequest, because: "this is no HTTP request", context)
        }
    }

    /// Ends a request whose body is longer than allowed.
    func refuseLongBody(_ context: ChannelHandlerContext) {
        exchange?.upstream?.cancel()
        exchange?.upstream = nil
        let limit = exchange?.bodyLimit ?? 0
        exchange?.bodyLimit = 0
        guard exchange?.hasStartedResponse == false else {
            context.close(promise: nil)
            return
        }
        exchange?.isKeptAlive = false
        let reason = "the body is longer than \(limit) bytes"
        answer(.payloadTooLarge, because: reason, context)
    }
}
#endif
