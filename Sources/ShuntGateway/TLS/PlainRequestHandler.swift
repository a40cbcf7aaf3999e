#if Gateway
import NIOCore
import ShuntCore

/// Answers plain HTTP at a port for TLS with 400, as nginx does.
final class PlainRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The longest time that a client may take to read the answer.
    private static let time = TimeAmount.seconds(5)
    private let metrics: LoopMetrics
    private var isAnswered = false

    init(_ metrics: LoopMetrics) { self.metrics = metrics }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What comes after the beginning of a plain request is read and dropped, so that the answer is not lost with it.
        guard !isAnswered else { return }
        let first = unwrapInboundIn(data).readableBytesView.first ?? 0
        // A record of a handshake, or the beginning of version 2.
        if first == 0x16 || first & 0x80 != 0 {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        isAnswered = true
        metrics.malformedRequests.add()
        metrics.count(status: 400, microseconds: 0)
        let body = "The plain HTTP request was sent to HTTPS port\n"
        let lines = [
            "HTTP/1.1 400 Bad Request", "Date: \(Timestamp.now().httpDate)", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(body.utf8.count)", "Connection: close", "", body,
        ]
        let answer = context.channel.allocator.buffer(string: lines.joined(separator: "\r\n"))
        context.writeAndFlush(wrapOutboundOut(answer)).assumeIsolated()
            .whenComplete { _ in
                context.close(mode: .output, promise: nil)
                context.eventLoop.assumeIsolated().scheduleTask(in: Self.time) { context.close(promise: nil) }
            }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isAnswered, case ChannelEvent.inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
