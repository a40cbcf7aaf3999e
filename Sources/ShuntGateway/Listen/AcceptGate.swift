#if Gateway
import NIOCore

/// A handler of a listener: holds back what is more than the most connections, and knows the open ones.
///
/// Used on the listener's event loop only.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    /// True if connections that are not accepted wait in the system for another process that has the socket.
    private let isShared: Bool
    private var open: [ObjectIdentifier: any Channel] = [:]
    private var waits = false
    /// The number of connections that a shutdown found and that may not be set up yet.
    private var unsettled = 0
    private var context: ChannelHandlerContext?
    /// Succeeds when no connection is taken any more and the last one has ended; nil before a shutdown.
    private var end: EventLoopPromise<Void>?

    init(limit: Int, isShared: Bool) {
        self.limit = limit
        self.isShared = isShared
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let child = unwrapInboundIn(data)
        let name = ObjectIdentifier(child)
        open[name] = child
        let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
        child.closeFuture.hop(to: context.eventLoop).whenComplete { _ in gate.value.closed(name) }
        context.fireChannelRead(data)
        if end != nil { endLater(child) }
    }

    func read(context: ChannelHandlerContext) {
        if isShared, end != nil { return }
        if open.count < limit { context.read() } else { waits = true }
    }

    private func closed(_ name: ObjectIdentifier) {
        open[name] = nil
        if waits, end == nil, open.count < limit {
            waits = false
            context?.read()
        }
        endIfDone()
    }

    /// Takes no more connections, and has those that are open end after the request that is under way.
    func shutDown(_ server: any Channel, _ promise: EventLoopPromise<Void>) {
        guard end == nil else { return promise.succeed() }
        end = promise
        let gate = NIOLoopBound(self, eventLoop: server.eventLoop)
        server.closeFuture.whenComplete { _ in gate.value.endIfDone() }
        for child in open.values { endLater(child) }
        closeIfSettled()
    }

    /// Has a connection end after its request, and keeps the listener open until the connection is set up.
    ///
    /// A listener that is closed takes connections with it that were accepted just before and are not set up yet.
    private func endLater(_ child: any Channel) {
        guard let context else { return }
        unsettled += 1
        let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
        child.eventLoop.submit { child.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
            .hop(to: context.eventLoop)
            .whenComplete { _ in
                gate.value.unsettled -= 1
                gate.value.closeIfSettled()
            }
    }

    private func closeIfSettled() { if end != nil, unsettled == 0 { context?.close(promise: nil) } }

    /// Closes everything at once.
    func closeAll(_ server: any Channel) {
        server.close(promise: nil)
        for child in open.values { child.close(promise: nil) }
    }

    private func endIfDone() {
        guard let end, open.isEmpty, context == nil else { return }
        end.succeed()
    }
}
#endif
