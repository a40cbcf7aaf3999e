#if Gateway
import NIOCore

/// Stands at a listener: holds back what is more than the most connections, and knows those that are open.
///
/// Used on the listener's event loop only.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    private var open: [ObjectIdentifier: any Channel] = [:]
    private var waits = false
    private var context: ChannelHandlerContext?
    /// Succeeds when no connection is taken any more and the last one has ended; nil before a shutdown.
    private var end: EventLoopPromise<Void>?

    init(limit: Int) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let child = unwrapInboundIn(data)
        let name = ObjectIdentifier(child)
        open[name] = child
        let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
        child.closeFuture.hop(to: context.eventLoop).whenComplete { _ in gate.value.closed(name) }
        context.fireChannelRead(data)
        if end != nil { Self.quiesce(child) }
    }

    func read(context: ChannelHandlerContext) {
        if open.count < limit { context.read() } else { waits = true }
    }

    private func closed(_ name: ObjectIdentifier) {
        open[name] = nil
        if waits, open.count < limit {
            waits = false
            context?.read()
        }
        endIfDone()
    }

    /// Takes no more connections, and has those that are open end after the request that is under way.
    func shutDown(_ server: any Channel, _ promise: EventLoopPromise<Void>) {
        guard end == nil else { return promise.succeed() }
        end = promise
        for child in open.values { Self.quiesce(child) }
        let gate = NIOLoopBound(self, eventLoop: server.eventLoop)
        server.close(promise: nil)
        server.closeFuture.whenComplete { _ in gate.value.endIfDone() }
    }

    /// Closes everything at once.
    func closeAll(_ server: any Channel) {
        server.close(promise: nil)
        for child in open.values { child.close(promise: nil) }
    }

    private func endIfDone() {
        guard let end, open.isEmpty, context == nil else { return }
        end.succeed()
    }

    private static func quiesce(_ child: any Channel) {
        child.eventLoop.execute { child.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }
}
#endif
