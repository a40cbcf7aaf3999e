#if Gateway
import NIOCore

/// The client's end of a connection that speaks another protocol than HTTP, since an upstream has agreed to it: passes
/// bytes on in both directions, each no faster than they are taken, and each until its sender has ended.
final class Tunnel: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let client: ConnectionHandler
    private let upstream: UpstreamConnection
    private let idleTime: TimeAmount
    private let ended: () -> Void
    private var context: ChannelHandlerContext?
    private var hasClientEnded = false
    private var hasUpstreamEnded = false
    /// True if a read was asked for that waits until the upstream has caught up.
    private var wantsRead = false

    /// - Parameters:
    ///   - client: The connection that counts the bytes.
    ///   - upstream: The other end.
    ///   - idleTime: How long nothing may come from either end.
    ///   - ended: Is called when the tunnel has ended.
    init(
        of client: ConnectionHandler,
        to upstream: UpstreamConnection,
        idleTime: TimeAmount,
        ended: @escaping () -> Void
    ) {
        self.client = client
        self.upstream = upstream
        self.idleTime = idleTime
        self.ended = ended
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        upstream.expect(within: idleTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        clientSent(unwrapInboundIn(data))
    }

    func clientSent(_ bytes: ByteBuffer) {
        client.exchange?.record.requestBytes += bytes.readableBytes
        upstream.expect(within: idleTime)
        upstream.write(bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) { upstream.flush() }

    func read(context: ChannelHandlerContext) {
        if upstream.isWritable { context.read() } else { wantsRead = true }
    }

    func upstreamIsWritable(_ isWritable: Bool) {
        guard isWritable, wantsRead else { return }
        wantsRead = false
        context?.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        hasClientEnded = true
        upstream.finishOutput()
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Where both have said everything, the upstream still gets the end of it.
        if !hasClientEnded || !hasUpstreamEnded { upstream.abandon() }
        ended()
        context.fireChannelInactive()
    }

    // MARK: From the upstream

    func upstreamSent(_ bytes: ByteBuffer) {
        guard let context else { return }
        client.exchange?.record.responseBytes += bytes.readableBytes
        upstream.expect(within: idleTime)
        context.write(wrapOutboundOut(bytes), promise: nil)
        if !context.channel.isWritable {
            context.flush()
            if !context.channel.isWritable { upstream.pauseReading() }
        }
    }

    func flushToClient() { context?.flush() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { upstream.resumeReading() }
        context.fireChannelWritabilityChanged()
    }

    func upstreamEnded() {
        guard !hasUpstreamEnded else { return }
        hasUpstreamEnded = true
        context?.closeOutputWhenWritten()
    }

    /// The upstream's connection is gone.
    func end() {
        upstreamEnded()
        hasClientEnded = true
        context?.closeWhenWritten()
    }
}

extension ChannelHandlerContext {
    /// Sends nothing after what has been written.
    func closeOutputWhenWritten() { close(.output) }

    /// Ends the connection after what has been written.
    func closeWhenWritten() { close(.all) }

    private func close(_ mode: CloseMode) {
        let written = eventLoop.makePromise(of: Void.self)
        // An output that is closed while its input is ends the connection with all that was not sent yet.
        written.futureResult.assumeIsolated().whenComplete { _ in self.close(mode: mode, promise: nil) }
        writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }
}
#endif
