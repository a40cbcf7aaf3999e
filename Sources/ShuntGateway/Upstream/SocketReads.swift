#if Gateway
import NIOCore

/// True if all that an upstream has sent was read.
///
/// What follows a response without having been asked for must never be taken for the answer to the next request, another client's
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
