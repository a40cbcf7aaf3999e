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
        _ context: ChannelHandlerContext
    ) {
        guard let exchange else { return }
        let limit = request.settings.maximumBody ?? core.options.maximumBodyBytes
        exchange.bodyLimit = limit
        if case .known(let bytes) = length, limit > 0, bytes > limit {
            exchange.bodyLimit = 0
            exchange.isKeptAlive = false
            return answer(.longBody(limit), context)
        }
        if isLogged(exchange) { exchange.record.upstream = request.url }
        if exchange.awaitsContinue {
            sendContinue(exchange)
            flushResponse()
        }
        let upstream = UpstreamExchange(request, length, for: self, pool: pool)
        exchange.upstream = upstream
        upstream.begin()
    }

    // MARK: What the upstream answers

    /// Writes the head of the upstream's response; false when no body is to follow: the client is gone, or the rules gave
    /// the response a status that has none.
    func startResponse(_ received: ResponseHead) -> Bool {
        guard context != nil, let exchange, !exchange.hasStartedResponse else { return false }
        let status = exchange.additions.status ?? received.status
        let settings = exchange.upstream?.request.settings
        exchange.account?.beginHead(output)
        exchange.account?.upstreamFields = received.fields
        let framing = AnswerFraming(of: received, with: status, to: exchange.head)
        if framing == .untilEnd { exchange.isKeptAlive = false }
        exchange.isChunked = framing == .chunks
        var output = self.output.take()
        output.writeStatusLine(status, isOldVersion: exchange.head.isOldVersion)
        let hasDate = passOn(received.fields, settings, &output)
        exchange.upstream?.request.forgetRules()
        output.writeFraming(framing)
        let addsDate = exchange.additions.write(for: status, to: &output)
        endHead(exchange, hasDate: hasDate || addsDate, &output)
        self.output.put(output)
        noteStatus(status)
        // `proxy_method` may have asked for a body that a client does not wait for.
        let isUnwanted = exchange.head.method == .HEAD && received.body != .none
        if isUnwanted || !status.mayHaveResponseBody && received.status.mayHaveResponseBody {
            endResponse()
            return false
        }
        return true
    }

    /// Writes a part of the body.
    ///
    /// - Returns: Whether the client takes more of it now.
    func pass(_ part: ByteBuffer) -> Bool {
        guard let context, let exchange else { return true }
        exchange.record.responseBytes += part.readableBytes
        output.write(body: part, isChunked: exchange.isChunked, context)
        if context.channel.isWritable { return true }
        flushResponse()
        if context.channel.isWritable { return true }
        // The client has so much time to take it.
        timer.allow(clientTimeout, for: self)
        return false
    }

    /// Writes the headers of an upstream's response without those that were for the gateway, those that rules hide, and the
    /// length.
    ///
    /// - Returns: Whether there is a date among them.
    private func passOn(
        _ fields: HeaderFields,
        _ settings: UpstreamSettings?,
        _ output: inout ByteBuffer
    ) -> Bool {
        let hopByHop = HopByHopHeaders(fields)
        var hasDate = false
        let bytes = fields.bytes.readableBytesUInt8Span
        for field in fields.list {
            let name = bytes.extracting(field.name)
            if hopByHop.contains(name) || HiddenHeaders.contains(name, settings) { continue }
            switch name.count {
            case 4 where name.isSameHeader(as: "date"): hasDate = true
            case 14 where name.isSameHeader(as: "content-length"): continue
            case 7, 8:
                guard let value = redirected(name, bytes.extracting(field.value)) else { break }
                output.writeHeader(field, of: fields, value: value)
                continue
            default: break
            }
            output.writeHeader(field, of: fields)
        }
        return hasDate
    }

    /// The value of a Location or Refresh that rules change; nil for one that goes on as it is, and for other headers.
    private func redirected(_ name: Span<UInt8>, _ value: Span<UInt8>) -> [UInt8]? {
        let isLocation = name.isSameHeader(as: "location")
        guard isLocation || name.isSameHeader(as: "refresh"), let redirects = exchange?.upstream?.request.redirects
        else { return nil }
        return isLocation ? redirects.location(value) : redirects.refresh(value)
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
        var output = self.output.take()
        output.writeStatusLine(.switchingProtocols)
        _ = passOn(received.fields, exchange?.upstream?.request.settings, &output)
        output.writeStaticString("Connection: upgrade\r\n")
        for field in received.fields.list where received.fields.isNamed(field, "upgrade") {
            output.writeHeader(field, of: received.fields)
        }
        output.writeStaticString("\r\n")
        self.output.put(output)
        exchange?.record.status = 101
        exchange?.hasStartedResponse = true
        exchange?.isTunnel = true
        exchange?.upstream = nil
        timer.stop()
        flushResponse()
        let tunnel = Tunnel(of: self, to: upstream, idleTime: idleTime, ended: ended)
        do {
            // From here on what comes goes there, and reaches this handler no more.
            try context.pipeline.syncOperations.addHandler(tunnel, position: .before(self))
        } catch {
            return context.close(promise: nil)
        }
        let sent = parser.takeRest()
        if sent.readableBytes > 0 {
            tunnel.clientSent(sent)
            upstream.flush()
        }
        resumeReading()
        let rest = upstream.become(tunnel)
        if rest.readableBytes > 0 {
            tunnel.upstreamSent(rest)
            tunnel.flushToClient()
        }
    }

    /// True if the client asked for another protocol, and can be spoken to in it.
    var mayUpgrade: Bool { exchange?.isUpgrade == true && exchange?.hasReadRequest == true }

    /// A server of a group is asked.
    func asks(_ server: PeerAddress, after failure: UpstreamFailure? = nil) {
        if let failure {
            if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
            let metadata: Logger.Metadata = ["error": "\(failure.text)", "server": "\(server.place)"]
            core.logger.debug("the next server is tried", metadata: metadata)
        }
        if let exchange, isLogged(exchange) { exchange.record.servers.append(server.base(scheme: "http")) }
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
        answer(IncomingRequest.Refusal(reason, status: failure.isTimeout ? .gatewayTimeout : .badGateway), context)
    }

    /// Ends the upstream's response.
    func endResponse() {
        guard let context, exchange?.hasStartedResponse == true, exchange?.hasEndedResponse == false else { return }
        end(context)
    }
}
#endif
