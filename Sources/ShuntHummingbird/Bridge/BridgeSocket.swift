#if Hummingbird && Modules
import NIOCore
import NIOWebSocket
import ShuntLinks
import ShuntInterfaces

/// A WebSocket of a page: frames to messages of a `BridgeSession`, and back.
final class BridgeSocket: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let door: BridgeDoor
    private let origin: String?
    private let values: CallValues
    private var frames: BridgeFrames
    private var session: BridgeSession?
    /// The end was sent: nothing more is, and only the answer of the page is awaited.
    private var isClosing = false
    /// A read that waits until the page has taken what was sent.
    private var isReadHeld = false
    /// The page has sent nothing since the last ping.
    private var isSilent = false
    private var timer: Scheduled<Void>?

    init(_ door: BridgeDoor, origin: String?, values: CallValues) {
        self.door = door
        self.origin = origin
        self.values = values
        frames = BridgeFrames(limit: door.bridge.options.messageSize)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let page = NIOLoopBound((socket: self, context: context), eventLoop: context.eventLoop)
        session = try? door.bridge.connect(from: origin, values: values) { [eventLoop = context.eventLoop] text in
            eventLoop.execute { page.value.socket.send(text, page.value.context) }
        }
        if session == nil { context.close(promise: nil) }
        schedule(door.pingInterval, context: context) { $0.ping($1) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        isClosing = true
        timer?.cancel()
        session?.close()
        session = nil
    }

    // MARK: From the page

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isSilent = false
        let frame = unwrapInboundIn(data)
        guard !isClosing else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        switch frames.receive(frame) {
        case .nothing: break
        case .message(let text): session?.receive(text)
        case .pong(let data): write(.pong, data: data, context: context)
        case .close(let code):
            end(code, reason: "", context: context)
            context.close(promise: nil)
        case .fail(let code, let reason): end(code, reason: reason, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength:
            let limit = door.bridge.options.messageSize
            end(.messageTooLarge, reason: "a message has more bytes than messageSize (\(limit))", context: context)
        case is NIOWebSocketError:
            end(.protocolError, reason: "a control frame is too long, or in parts", context: context)
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: end(.goingAway, reason: "the server stops", context: context)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: To the page

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        if !isClosing { write(.text, data: context.channel.allocator.buffer(string: text), context: context) }
    }

    private func write(_ opcode: WebSocketOpcode, data: ByteBuffer, context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }

    /// Ends the connection, and everything under way in it.
    private func end(_ code: WebSocketErrorCode?, reason: String, context: ChannelHandlerContext) {
        guard !isClosing else { return }
        leave()
        var data = ByteBuffer()
        if let code { data.write(webSocketErrorCode: code) }
        data.writeString(reason)
        write(.connectionClose, data: data, context: context)
        if isReadHeld { read(context: context) }
        schedule(door.closeTime, context: context) { $1.close(promise: nil) }
    }

    private func ping(_ context: ChannelHandlerContext) {
        guard !isSilent else { return context.close(promise: nil) }
        isSilent = true
        write(.ping, data: ByteBuffer(), context: context)
        schedule(door.pingInterval, context: context) { $0.ping($1) }
    }

    private func schedule(
        _ time: TimeAmount,
        context: ChannelHandlerContext,
        _ body: @escaping (BridgeSocket, ChannelHandlerContext) -> Void
    ) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { body(self, context) }
    }

    // MARK: Backpressure

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        session?.setWritable(context.channel.isWritable)
        if context.channel.isWritable, isReadHeld { read(context: context) }
        context.fireChannelWritabilityChanged()
    }

    /// Reads from a page only while it takes its answers.
    func read(context: ChannelHandlerContext) {
        isReadHeld = !context.channel.isWritable && !isClosing
        if !isReadHeld { context.read() }
    }
}
#endif
