#if Gateway
import NIOCore

/// Measures the first line of a request, because the parser does not tell what it gave up at: a target that is too long is
/// another error than header fields that are.
final class RequestLineWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How many bytes of the line have come.
    ///
    /// Too few where the request began in the middle of a read, behind the end of another.
    private(set) var length = 0
    private var hasEnded = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !hasEnded {
            let bytes = unwrapInboundIn(data).readableBytesView
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            hasEnded = end != nil
            length += bytes.distance(from: bytes.startIndex, to: end ?? bytes.endIndex)
        }
        context.fireChannelRead(data)
    }

    /// A request has been read to its end.
    func requestEnded() {
        hasEnded = false
        length = 0
    }
}
#endif
