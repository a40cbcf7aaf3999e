#if Gateway
import NIOCore
import NIOHTTP1
import NIOTLS
import ShuntRules

/// A connection to an upstream, which serves one request after the other.
///
/// On the loop of the clients that it serves, and used there only. What comes is passed on while it is read; there is no other
/// handler but for TLS.
final class UpstreamConnection: ChannelDuplexHandler, TimedConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Use {
        case idle
        /// It is idle if nothing follows the last response.
        case awaitingSilence
        case serving(UpstreamExchange)
        /// Another protocol than HTTP is spoken.
        case tunnel(UpstreamExchange)
        /// It serves no one any more; with the reason, where no one was notified.
        case ended(UpstreamFailure?)
    }

    let endpoint: UpstreamEndpoint
    /// The name of the group that the upstream was chosen from.
    let group: String?
    /// The most connections of the group that may be idle; nil for any number.
    private(set) var idleLimit: Int?
    /// The limits of the group for reusing it; nil outside of groups.
    private var reuse: UpstreamGroup.Reuse?
    private let opened = NIODeadline.now()
    /// The number of requests it has served.
    private(set) var served = 0
    private let pool: UpstreamPool
    private var context: ChannelHandlerContext?
    private var parser = ResponseParser()
    private var use = Use.idle
    /// True if the response that is coming allows another one.
    private var isKeptAlive = false
    /// True if TLS has been agreed on, where there is any.
    private var isSecured: Bool
    /// True if a read was asked for that waits.
    private var wantsRead = false
    /// Reports whether the socket may hold more; with TLS it is a handler that sees the reads itself.
    let reads = SocketReads()
    /// The time when it became idle.
    private(set) var idleSince = NIODeadline.now()
    var timer = ConnectionTimer()

    init(to endpoint: UpstreamEndpoint, group: String?, pool: UpstreamPool) {
        self.endpoint = endpoint
        self.group = group
        self.pool = pool
        isSecured = endpoint.tls == nil
    }

    /// The exchange that it serves.
    private var exchange: UpstreamExchange? {
        switch use {
        case .serving(let exchange), .tunnel(let exchange): exchange
        case .idle, .awaitingSilence, .ended: nil
        }
    }

    var timerLoop: (any EventLoop)? { context?.eventLoop }
    var isWritable: Bool { context?.channel.isWritable ?? false }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer.cancel()
        self.context = nil
    }

    // MARK: Asking

    /// Sends the head of a request; `flush` is to follow.
    func begin(_ exchange: UpstreamExchange, head: ByteBuffer, method: HTTPMethod) {
        if case .ended(let failure?) = use { return exchange.failed(failure, isStale: served > 0) }
        guard let context, case .idle = use else { return exchange.failed(.closed, isStale: served > 0) }
        use = .serving(exchange)
        let group = exchange.request.server.group
        (idleLimit, reuse) = (group?.idleLimit, group?.reuse)
        parser.begin(method)
        context.write(wrapOutboundOut(head), promise: nil)
    }

    func write(_ bytes: ByteBuffer) { context?.write(wrapOutboundOut(bytes), promise: nil) }

    func flush() { context?.flush() }

    /// The upstream has so much time until something happens.
    func expect(within time: TimeAmount) { timer.allow(time, for: self) }

    /// The upstream has any time: it is not its turn.
    func expectNothing() { timer.stop() }

    /// Continues to read the answer.
    func resumeReading() {
        guard wantsRead else { return }
        wantsRead = false
        context?.read()
    }

    /// Forgets the request in progress, whose answer no one wants.
    func abandon() {
        use = .ended(nil)
        close()
    }

    func close() {
        timer.stop()
        switch use {
        // Its end is still to be reported.
        case .tunnel, .ended: break
        default: use = .ended(nil)
        }
        context?.close(promise: nil)
    }

    // MARK: The answer

    func read(context: ChannelHandlerContext) {
        if exchange?.takesAnswer == false { wantsRead = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if endpoint.tls == nil { reads.note(bytes) }
        switch use {
        case .serving:
            parser.append(bytes)
            takeParts()
        case .tunnel(let exchange): exchange.handle(.answerPart(bytes))
        // No one has asked for anything.
        case .idle, .awaitingSilence, .ended: close()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        exchange?.flushAnswer()
        endTurn(context)
        context.fireChannelReadComplete()
    }

    private func takeParts() {
        do throws(ResponseFailure) {
            while case .serving(let exchange) = use, let part = try parser.next() {
                switch part {
                case .head(let head):
                    isKeptAlive = head.isKeptAlive
                    exchange.handle(.head(head, hasOther: exchange.hasOther))
                case .body(let bytes): exchange.handle(.answerPart(bytes))
                case .end: return finish(exchange)
                case .switched(let head): return exchange.handle(.switched(head, hasOther: exchange.hasOther))
                }
            }
        } catch {
            return fail(UpstreamFailure(error, isSecured: true))
        }
        if case .serving(let exchange) = use { exchange.handle(.answerGoesOn) }
    }

    /// A response has ended.
    private func finish(_ exchange: UpstreamExchange, hasEnded: Bool = false) {
        timer.stop()
        use = .awaitingSilence
        served += 1
        // Bytes that follow unrequested are not an answer to the next request.
        if isKeptAlive, !exchange.request.closes, !parser.hasRest, exchange.isSent, !hasEnded,
            mayServe(at: .now(), since: .now()),
            context?.channel.isActive == true
        {
            // With TLS, what the socket held may come in several pieces.
            if endpoint.tls == nil, reads.haveEmptiedSocket { rest() }
        } else {
            close()
        }
        exchange.ended(.answerEnded)
    }

    /// Keeps the connection where it waited for this only: nothing has followed its last response.
    private func endTurn(_ context: ChannelHandlerContext) {
        let isSilent = reads.endTurn()
        guard case .awaitingSilence = use else { return }
        if isSilent, context.channel.isActive { rest() } else { close() }
    }

    /// Returns true if it may serve another request, as far as its group and its time allow, where it is idle since a
    /// moment.
    func mayServe(at now: NIODeadline, since idle: NIODeadline? = nil) -> Bool {
        let idleTime = Self.milliseconds(now - (idle ?? idleSince))
        guard let reuse else { return idleTime < UpstreamPool.idleTime }
        return served < reuse.requests && idleTime < reuse.idleTime
            && Self.milliseconds(now - opened) <= reuse.lifetime
    }

    private static func milliseconds(_ time: TimeAmount) -> Int { Int(time.nanoseconds / 1_000_000) }

    /// Waits for the next request.
    private func rest() {
        use = .idle
        idleSince = .now()
        pool.release(self)
    }

    private func fail(_ failure: UpstreamFailure) {
        let isStale = served > 0 && !parser.hasBegun
        let failed = use
        if case .tunnel = use {} else { use = .ended(failure) }
        close()
        if case .serving(let exchange) = failed { exchange.failed(failure, isStale: isStale) }
    }

    // MARK: The connection

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        pool.closed(self)
        if case .tunnel(let exchange) = use {
            use = .ended(nil)
            exchange.ended(.upstreamClosed)
        } else {
            inputEnded()
        }
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded() }
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent { isSecured = true }
        context.fireUserInboundEventTriggered(event)
    }

    private func inputEnded() {
        switch use {
        case .tunnel(let exchange): exchange.handle(.upstreamEnded)
        case .idle, .awaitingSilence, .ended: close()
        case .serving(let exchange):
            guard parser.hasBegun else { return fail(.closed) }
            do throws(ResponseFailure) {
                try parser.finish()
                finish(exchange, hasEnded: true)
            } catch {
                fail(UpstreamFailure(error, isSecured: true))
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(UpstreamFailure(error, isSecured: isSecured))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { exchange?.handle(.upstreamIsWritable) }
        context.fireChannelWritabilityChanged()
    }

    func timeIsUp() {
        switch use {
        case .serving: fail(.timeout)
        case .tunnel: close()
        case .idle, .awaitingSilence, .ended: break
        }
    }

    // MARK: Other protocols

    /// Passes on whatever comes, as another protocol than HTTP.
    ///
    /// - Returns: What has come already.
    func becomeTunnel() -> ByteBuffer {
        if case .serving(let exchange) = use { use = .tunnel(exchange) }
        return parser.takeRest()
    }

    /// Sends nothing after what has been written.
    func finishOutput() {
        guard let context else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        // An output that is closed while its input is ends the connection with all that was not sent yet.
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }
}

/// True if all that an upstream has sent was read.
///
/// Bytes after a response that no request caused must never be taken for the answer to the next request, another client's
/// perhaps. A read that does not fill its buffer has emptied the socket; after one that does, more may be waiting there. SwiftNIO
/// reads on at once then, but not more than `most` times in one turn of the event loop.
///
/// In front of TLS it is a handler, since only the socket's own buffers show it.
final class SocketReads: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The most reads of a socket in one turn of the event loop.
    static let most: UInt = 4

    private var filled: UInt = 0

    /// True if the last read has left nothing.
    var haveEmptiedSocket: Bool { filled == 0 }

    func note(_ bytes: ByteBuffer) { filled = bytes.writableBytes == 0 ? filled + 1 : 0 }

    /// Ends a turn.
    ///
    /// - Returns: Whether the socket was empty at its end.
    func endTurn() -> Bool {
        defer { filled = 0 }
        return filled < Self.most
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        note(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }
}
#endif
