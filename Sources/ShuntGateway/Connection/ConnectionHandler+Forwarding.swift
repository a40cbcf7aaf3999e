#if Gateway
import Logging
import NIOCore
import NIOHTTP1
import Shunt

/// Having a request answered by an upstream.
extension ConnectionHandler {
    /// Has a request answered by the upstream.
    func forward(
        _ request: UpstreamRequest,
        _ length: IncomingRequest.BodyLength,
        _ head: HTTPRequestHead,
        _ context: ChannelHandlerContext
    ) {
        if case .known(let bytes) = length, core.options.maximumBodyBytes > 0, bytes > core.options.maximumBodyBytes {
            exchange?.bodyLimit = 0
            exchange?.isKeptAlive = false
            let reason = "the body is longer than \(core.options.maximumBodyBytes) bytes"
            return answer(.payloadTooLarge, because: reason, context)
        }
        if core.log != nil { exchange?.record.upstream = request.base + request.target }
        let servers = request.group.map { PeerSearch($0, client: connection.address) }
        var base = request.base
        if let servers {
            guard let first = servers.next(at: PeerSearch.seconds(NIODeadline.now())) else {
                metrics.upstreamFailures.add()
                exchange?.record.upstreamError = UpstreamFailure.noServer.text
                return answer(.badGateway, because: "no server of the upstream is in use", context)
            }
            base = first.base(scheme: request.scheme)
            exchange?.record.servers = [base]
        }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        var body: RequestBody?
        if length != .none {
            let made = RequestBodyStream.makeSequence(
                elementType: ByteBuffer.self,
                failureType: (any Error).self,
                backPressureStrategy: .init(lowWatermark: 2, highWatermark: 8),
                finishOnDeinit: true,
                delegate: RequestBodyDemand(bound, loop: context.eventLoop)
            )
            exchange?.body = made.source
            body = RequestBody(made.sequence)
            if head.version != .http1_0, head.headers.first(name: "expect")?.lowercased() == "100-continue" {
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            }
        }
        let exchange = UpstreamExchange(
            client: core.client,
            question: request.question(base, body, length),
            scheme: request.scheme,
            body: body,
            servers: servers.map { NIOLoopBound($0, eventLoop: context.eventLoop) },
            channel: context.channel,
            handler: bound
        )
        self.exchange?.task = Task { await exchange.run() }
    }

    // MARK: What the upstream answers

    /// Writes the head of the upstream's response; false when no body is to follow: the client is gone, or the rules gave
    /// the response a status that has none.
    func startResponse(_ received: HTTPResponseStatus, _ receivedHeaders: HTTPHeaders) -> Bool {
        guard let context, let exchange, !exchange.hasStartedResponse else { return false }
        let status = exchange.additions.status ?? received
        var headers = HTTPHeaders()
        let hopByHop = HopByHopHeaders.names(in: receivedHeaders)
        for (name, value) in receivedHeaders where !hopByHop.contains(name.lowercased()) {
            headers.add(name: name, value: value)
        }
        let losesBody = !status.mayHaveResponseBody && received.mayHaveResponseBody
        if losesBody { headers.remove(name: "content-length") }
        frame(&headers, status, for: exchange.head)
        exchange.additions.add(to: &headers, for: status)
        addCommonHeaders(to: &headers)
        let version: HTTPVersion = exchange.head.version == .http1_0 ? .http1_0 : .http1_1
        let head = HTTPResponseHead(version: version, status: status, headers: headers)
        noteHead(head)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if losesBody {
            endResponse()
            return false
        }
        // A body of known length follows at once; anything else may be a stream that takes its time.
        if !headers.contains(name: "content-length") { context.flush() }
        return true
    }

    /// Says how the response ends: by its length, by chunks, or for HTTP/1.0 with the connection.
    private func frame(_ headers: inout HTTPHeaders, _ status: HTTPResponseStatus, for head: HTTPRequestHead) {
        let lengths = headers["content-length"]
        let isLengthKnown = lengths.count == 1 && Int(lengths[0]).map { $0 >= 0 } == true
        if !isLengthKnown { headers.remove(name: "content-length") }
        if status == .noContent { headers.remove(name: "content-length") }
        guard !isLengthKnown, status.mayHaveResponseBody, head.method != .HEAD else { return }
        if head.version == .http1_0 {
            exchange?.isKeptAlive = false
        } else {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
    }

    /// Another server of a group is asked.
    func asksServer(at base: String, after failure: UpstreamFailure) {
        guard exchange != nil else { return }
        if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
        exchange?.record.servers.append(base)
        core.logger.debug("the next server is asked", metadata: ["error": "\(failure.text)", "server": "\(base)"])
    }

    /// A part of a response is being written: the client has so much time to take it.
    func expectProgress() { timer.allow(seconds: core.options.clientTimeout, for: self) }

    /// A part of a response has been taken: the upstream may take its time again.
    func endProgress() { timer.stop() }

    /// Answers in the place of an upstream that does not, or breaks off what it has begun.
    func upstreamFailed(_ failure: UpstreamFailure) {
        guard let context, exchange != nil else { return }
        if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
        exchange?.record.upstreamError = failure.text
        core.logger.debug("upstream failed", metadata: ["error": "\(failure.text)"])
        exchange?.task = nil
        exchange?.body?.finish()
        exchange?.body = nil
        guard exchange?.hasStartedResponse == false else {
            // The client must not take half a response for a whole one.
            exchange?.record.isAborted = true
            context.close(promise: nil)
            return
        }
        if exchange?.hasReadRequest == false { exchange?.isKeptAlive = false }
        let reason = failure.isTimeout ? "the upstream did not answer in time" : "the upstream cannot be reached"
        answer(failure.isTimeout ? .gatewayTimeout : .badGateway, because: reason, context)
    }

    /// Ends the upstream's response.
    func endResponse() {
        guard let context, exchange?.hasStartedResponse == true, exchange?.hasEndedResponse == false else { return }
        exchange?.task = nil
        end(context)
    }
}
#endif
