#if Gateway
import NIOCore
import NIOHTTP1

/// Puts the target of a request to an upstream into its request line, byte for byte.
///
/// The HTTP client takes URLs apart with Foundation, which drops a path whose escapes are not UTF-8 (`/%E4%BD` becomes
/// `/`) and encodes what it does not know. So it is asked for the upstream alone, and the target travels in a header
/// that this handler takes out again.
final class UpstreamTarget: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The header with the target.
    ///
    /// Clients' headers of this name are not passed on.
    static let header = "shunt-upstream-target"

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), let target = head.headers.first(name: Self.header) else {
            return context.write(data, promise: promise)
        }
        head.uri = target
        head.headers.remove(name: Self.header)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// Puts the handler in front of the encoder of a new connection, and a `ResponseGuard` behind its decoder.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let operations = channel.pipeline.syncOperations
            let encoder = try operations.handler(type: HTTPRequestEncoder.self)
            try operations.addHandler(UpstreamTarget(), position: .after(encoder))
            let decoder = try operations.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try operations.addHandler(ResponseGuard(), position: .after(decoder))
        }
    }
}
#endif
