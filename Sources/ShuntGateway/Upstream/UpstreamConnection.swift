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
    private var exchange: UpstreamExchange?
    private var tunnel: Tunnel?
    /// True if the response that is coming allows another one.
    private var isKeptAlive = false
    /// True if TLS has been agreed on, where there is any.
    private var isSecured: Bool
    private var isReadingPaused = false
    /// True if a read was asked for that waits.
    private var wantsRead = false
    private var hasEnded = false
    /// Tells whether the socket may hold more; with TLS it is a handler that sees the reads itself.
    let reads = SocketReads()
    /// True if it is kept for another request, if nothing follows the last response.
    private var awaitsSilence = false
    /// The reason why it ended before anybody used it.
    private var failure: UpstreamFailure?
    /// The time when it became idle.
    private(set) var idleSince = NIODeadline.now()
    var timer = ConnectionTimer()

    init(to endpoint: UpstreamEndpoint, group: String?, pool: UpstreamPool) {
        self.endpoint = endpoint
        self.group = group
        self.pool = pool
        isSecured = endpoint.tls == nil
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
    func begin(_ exchange: UpstreamExchange, _ head: ByteBuffer, _ method: HTTPMethod) {
        guard let context, !hasEnded else { return exchange.failed(failure ?? .closed, isStale: served > 0) }
        self.exchange = exchange
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

    /// Takes no more of the answer until `resumeReading`.
    func pauseReading() { isReadingPaused = true }

    func resumeReading() {
        isReadingPaused = false
        guard wantsRead else { return }
        wantsRead = false
        context?.read()
    }

    /// Forgets the request that is going on, whose answer no one wants.
    func abandon() {
        exchange = nil
        tunnel = nil
        close()
    }

    func close() {
        timer.stop()
        awaitsSilence = false
        context?.close(promise: nil)
    }

    // MARK: The answer

    func read(context: ChannelHandlerContext) {
        if isReadingPaused { wantsRead = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if endpoint.tls == nil { reads.note(bytes) }
        if let tunnel {
            tunnel.upstreamSent(bytes)
            return
        }
        // No one has asked for anything.
        guard exchange != nil else { return close() }
        parser.append(bytes)
        takeParts()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let tunnel { tunnel.flushToClient() } else { exchange?.flushAnswer() }
        endTurn(context)
        context.fireChannelReadComplete()
    }

    private func takeParts() {
        do throws(ResponseFailure) {
            while let exchange, let part = try parser.next() {
                switch part {
                case .head(let head):
                    isKeptAlive = head.isKeptAlive
                    exchange.received(head)
                case .body(let bytes): exchange.received(bytes)
                case .end: return finish()
                case .switched(let head): return exchange.switched(head, on: self)
                }
            }
        } catch {
            return fail(UpstreamFailure(error, isSecured: true))
        }
        if let exchange, !isReadingPaused { exchange.answerGoesOn() }
    }

    /// A response has ended.
    private func finish() {
        guard let ended = exchange else { return }
        timer.stop()
        exchange = nil
        served += 1
        // What follows without having been asked for is no answer to the next request.
        if isKeptAlive, !parser.hasRest, ended.isSent, !hasEnded, mayServe(at: .now(), since: .now()),
            context?.channel.isActive == true
        {
            // With TLS, what the socket held may come in several pieces.
            if endpoint.tls == nil, reads.haveEmptiedSocket { rest() } else { awaitsSilence = true }
        } else {
            close()
        }
        ended.ended()
    }

    /// Keeps the connection where it waited for this only: nothing has followed its last response.
    private func endTurn(_ context: ChannelHandlerContext) {
        let isSilent = reads.endTurn()
        guard awaitsSilence else { return }
        if isSilent, !hasEnded, context.channel.isActive { rest() } else { close() }
    }

    /// Returns true if it may serve another request, as far as its group and its time say, where it is idle since a
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
        awaitsSilence = false
        isReadingPaused = false
        idleSince = .now()
        pool.release(self)
    }

    private func fail(_ failure: UpstreamFailure) {
        self.failure = failure
        let isStale = served > 0 && !parser.hasBegun
        let failed = exchange
        exchange = nil
        close()
        failed?.failed(failure, isStale: isStale)
    }

    // MARK: The connection

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        pool.closed(self)
        inputEnded()
        tunnel?.end()
        tunnel = nil
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded() }
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent { isSecured = true }
        context.fireUserInboundEventTriggered(event)
    }

    private func inputEnded() {
        if let tunnel { return tunnel.upstreamEnded() }
        hasEnded = true
        guard exchange != nil else { return close() }
        guard parser.hasBegun else { return fail(.closed) }
        do throws(ResponseFailure) {
            try parser.finish()
            finish()
        } catch {
            fail(UpstreamFailure(error, isSecured: true))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        hasEnded = true
        fail(UpstreamFailure(error, isSecured: isSecured))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if let tunnel {
            tunnel.upstreamIsWritable(context.channel.isWritable)
        } else {
            exchange?.upstreamIsWritable(context.channel.isWritable)
        }
        context.fireChannelWritabilityChanged()
    }

    func timeIsUp() {
        if tunnel != nil { close() } else if exchange != nil { fail(.timeout) }
    }

    // MARK: Other protocols

    /// Passes on whatever comes, as another protocol than HTTP.
    ///
    /// - Returns: What has come already.
    func become(_ tunnel: Tunnel) -> ByteBuffer {
        exchange = nil
        self.tunnel = tunnel
        return parser.takeRest()
    }

    /// Sends nothing after what has been written.
    func finishOutput() { context?.closeOutputWhenWritten() }
}
#endif
