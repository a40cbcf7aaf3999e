#if Gateway
import Logging
import NIOCore

/// Reads the preface of the PROXY protocol, passes it to the connection, and removes itself.
///
/// A connection without one is closed: others that reach the listener could name any client.
final class ProxyPrefaceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let logger: Logger
    private var received = ByteBuffer()
    private var isDone = false

    init(logger: Logger) { self.logger = logger }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        switch ProxyPreface.read(Array(received.readableBytesView.prefix(ProxyPreface.longest))[...]) {
        case .incomplete: return
        case .none:
            logger.debug("a connection without the preface of the PROXY protocol is closed")
            isDone = true
            received = ByteBuffer()
            context.close(promise: nil)
        case .preface(let preface, let length):
            isDone = true
            received.moveReaderIndex(forwardBy: length)
            context.fireUserInboundEventTriggered(preface)
            if received.readableBytes > 0 {
                context.fireChannelRead(wrapInboundOut(received))
                context.fireChannelReadComplete()
            }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
    }
}
#endif
