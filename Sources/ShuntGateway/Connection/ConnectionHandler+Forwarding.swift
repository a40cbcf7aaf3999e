#if Gateway
import Logging
import NIOCore
import NIOHTTP1
import Shunt
import ShuntRules

/// Having a request answered by an upstream.
extension ConnectionHandler {
    /// Has a request answered by the upstream.
    func forward(
        _ request: UpstreamRequest,
        _ length: IncomingRequest.BodyLength,
        _ head: HTTPRequestHead,
        _ context: ChannelHandlerContext
    ) {
        let limit = request.settings.maximumBody ?? core.options.maximumBodyBytes
        exchange?.bodyLimit = limit
        if case .known(let bytes) = length, limit > 0, bytes > limit {
            exchange?.bodyLimit = 0
            exchange?.isKeptAlive = false
            return answer(.payloadTooLarge, because: "the body is longer than \(limit) bytes", context)
        }
        if core.log != nil { exchange?.record.upstream = request.base + request.target }
        if length != .none, head.version != .http1_0, head.headers.first(name: "expect")?.lowercased() == "100-continue"
        {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        let upstream = UpstreamExchange(request, length, for: self, pool: pool, options: core.options)
        exchange?.upstream = upstream
        upstream.begin()
    }

    // MARK: What the upstream answers

    /// Writes the head of the upstream's response; false when no body is to follow: the client is gone, or the rules gave
    /// the response a status that has none.
    func startResponse(_ received: ResponseHead) -> Bool {
        guard let context, let exchange, !exchange.hasStartedResponse else { return false }
        let status = exchange.additions.status ?? received.status
        let settings = exchange.upstream?.request.settings
        var headers = passedOn(received.headers, settings)
        let losesBody = !status.mayHaveResponseBody && received.status.mayHaveResponseBody
        if losesBody { headers.remove(name: "content-length") }
        frame(&headers, status, received, for: exchange.head)
        exchange.additions.add(to: &headers, for: status)
        addCommonHeaders(to: &headers)
        let version: HTTPVersion = exchange.head.version == .http1_0 ? .http1_0 : .http1_1
        let head = HTTPResponseHead(version: version, status: status, headers: headers)
        noteHead(head)
        write(.head(head), context)
        if losesBody {
            endResponse()
            return false
        }
        return true
    }

    /// Writes a part of the body.
    ///
    /// - Returns: Whether the client takes more of it now.
    func pass(_ part: ByteBuffer) -> Bool {
        guard let context, exchange != nil else { return true }
        exchange?.record.responseBytes += part.readableBytes
        write(.body(.byteBuffer(part)), context)
        if context.channel.isWritable { return true }
        flushResponse()
        if context.channel.isWritable { return true }
        // The client has so much time to take it.
        timer.allow(clientTimeout, for: self)
        return false
    }

    /// The headers of an upstream's response without those that were for the gateway, and those that rules hide.
    private func passedOn(_ received: HTTPHeaders, _ settings: UpstreamSettings?) -> HTTPHeaders {
        let hopByHop = HopByHopHeaders(received)
        var headers = HTTPHeaders()
        headers.reserveCapacity(received.count + 4)
        for (name, value) in received where !hopByHop.contains(name) && !HiddenHeaders.contains(name, settings) {
            headers.add(name: name, value: value)
        }
        return headers
    }

    /// Says how the response ends: by its length, by chunks, or for HTTP/1.0 with the connection.
    private func frame(
        _ headers: inout HTTPHeaders,
        _ status: HTTPResponseStatus,
        _ received: ResponseHead,
        for head: HTTPRequestHead
    ) {
        if status == .noContent { headers.remove(name: "content-length") }
        switch received.body {
        case .none
        where status.mayHaveResponseBody && head.method != .HEAD && !headers.contains(name: "content-length"):
            // The upstream's status has no body, and the one in its place may have one.
            headers.add(name: "Content-Length", value: "0")
        case .none, .length: return
        case .chunks, .untilEnd:
            guard status.mayHaveResponseBody, head.method != .HEAD else { return }
            if head.version == .http1_0 {
                exchange?.isKeptAlive = false
            } else {
                headers.add(name: "Transfer-Encoding", value: "chunked")
            }
        }
    }

    /// Speaks another protocol from here on, which the upstream has agreed to.
    ///
    /// - Parameters:
    ///   - received: The upstream's 101.
    ///   - upstream: The connection to it.
    ///   - idleTime: How long nothing may come from either end.
    ///   - ended: Is called when the tunnel has ended.
    func startTunnel(
        _ received: ResponseHead,
        _ upstream: UpstreamConnection,
        idleTime: TimeAmount,
        ended: @escaping () -> Void
    ) {
        guard let context, exchange != nil else { return upstream.abandon() }
        var headers = passedOn(received.headers, exchange?.upstream?.request.settings)
        headers.add(name: "Connection", value: "upgrade")
        for value in received.headers["upgrade"] { headers.add(name: "Upgrade", value: value) }
        exchange?.record.status = 101
        exchange?.hasStartedResponse = true
        exchange?.isTunnel = true
        exchange?.upstream = nil
        timer.stop()
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        let tunnel = Tunnel(of: self, to: upstream, idleTime: idleTime, ended: ended)
        let operations = context.pipeline.syncOperations
        do {
            let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let encoder = try operations.handler(type: HTTPResponseEncoder.self)
            try operations.addHandler(tunnel, position: .after(decoder))
            operations.removeHandler(encoder, promise: nil)
            // What the client has sent already comes out of it, outside of any read.
            operations.removeHandler(decoder).assumeIsolated().whenComplete { _ in upstream.flush() }
        } catch {
            return context.close(promise: nil)
        }
        let rest = upstream.become(tunnel)
        if rest.readableBytes > 0 {
            tunnel.upstreamSent(rest)
            tunnel.flushToClient()
        }
    }

    /// Whether the client asked for another protocol, and can be spoken to in it.
    var mayUpgrade: Bool { exchange?.isUpgrade == true && exchange?.hasReadRequest == true }

    /// A server of a group is asked.
    func asks(_ server: PeerAddress, after failure: UpstreamFailure? = nil) {
        if let failure {
            if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
            let metadata: Logger.Metadata = ["error": "\(failure.text)", "server": "\(server.place)"]
            core.logger.debug("the next server is asked", metadata: metadata)
        }
        if core.log != nil { exchange?.record.servers.append(server.base(scheme: "http")) }
    }

    /// Answers in the place of an upstream that does not, or breaks off what it has begun.
    func upstreamFailed(_ failure: UpstreamFailure) {
        guard let context, exchange != nil else { return }
        if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
        exchange?.record.upstreamError = failure.text
        core.logger.log(
            level: failure.isHandshake ? .warning : .debug,
            "upstream failed",
            metadata: ["error": "\(failure.text)"]
        )
        exchange?.upstream = nil
        resumeReading()
        guard exchange?.hasStartedResponse == false else {
            // The client must not take half a response for a whole one.
            exchange?.record.isAborted = true
            context.close(promise: nil)
            return
        }
        let reason =
            switch failure.kind {
            case .noServer: "no server of the upstream is in use"
            case .timeout: "the upstream did not answer in time"
            case .unreachable, .lost, .malformed: "the upstream cannot be reached"
            }
        answer(failure.isTimeout ? .gatewayTimeout : .badGateway, because: reason, context)
    }

    /// Ends the upstream's response.
    func endResponse() {
        guard let context, exchange?.hasStartedResponse == true, exchange?.hasEndedResponse == false else { return }
        end(context)
    }
}
#endif
