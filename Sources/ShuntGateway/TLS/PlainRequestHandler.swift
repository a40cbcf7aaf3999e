#if Gateway
import NIOCore

/// Hands plain HTTP at a port for TLS on as such: the rules may have a page for it, as in nginx.
final class PlainRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The event for the handlers after this one.
    struct Plain {}

    /// The bytes that have come while the handler that waits for TLS is removed; nil before.
    private var waiting: [NIOAny]?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard waiting == nil else {
            waiting?.append(data)
            return
        }
        let first = unwrapInboundIn(data).readableBytesView.first ?? 0
        let operations = context.pipeline.syncOperations
        // A record of a handshake, or the beginning of version 2.
        if first == 0x16 || first & 0x80 != 0 {
            context.fireChannelRead(data)
            operations.removeHandler(self, promise: nil)
            return
        }
        waiting = [data]
        operations.removeHandler(name: TLSHandshake.names).assumeIsolated()
            .whenComplete { _ in
                context.fireUserInboundEventTriggered(Plain())
                for data in self.waiting ?? [] { context.fireChannelRead(data) }
                context.fireChannelReadComplete()
                operations.removeHandler(self, promise: nil)
            }
    }
}
#endif
