#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// A connection to the admin listener, which answers one request after another.
///
/// Used on its event loop only.
final class AdminConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The most connections of the listener; more wait to be accepted.
    static let limit = 32
    /// The longest time until a request is complete.
    private static let requestTime = TimeAmount.seconds(10)
    /// The longest time that a client may take to read an answer.
    private static let answerTime = TimeAmount.seconds(60)
    /// The longest body: several URLs of 64 KiB with every byte escaped.
    private static let bodyLimit = 1 << 20

    private let routes: AdminRoutes
    private var head: HTTPRequestHead?
    private var request: AdminRequest?
    private var timer: Scheduled<Void>?
    private var task: Task<Void, Never>?
    private var context: ChannelHandlerContext?

    private init(_ routes: AdminRoutes) { self.routes = routes }

    static func setUp(_ channel: any Channel, _ routes: AdminRoutes) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let operations = channel.pipeline.syncOperations
            try operations.configureHTTPServerPipeline(withErrorHandling: true)
            try operations.addHandler(AdminConnection(routes))
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        closes(after: Self.requestTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        task?.cancel()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            request = AdminRequest(head)
            request?.client = context.remoteAddress?.ipAddress ?? ""
        case .body(let part):
            guard let count = request?.body.count else { return }
            if count + part.readableBytes <= Self.bodyLimit {
                request?.body += part.readableBytesView
            } else {
                request = nil
                begin(
                    .text("the body is longer than \(Self.bodyLimit) bytes\n", status: .payloadTooLarge),
                    isLast: true
                )
            }
        case .end:
            guard let request else { return }
            self.request = nil
            answer(request, on: context.eventLoop)
        }
    }

    private func answer(_ request: AdminRequest, on loop: any EventLoop) {
        timer?.cancel()
        let own = NIOLoopBound(self, eventLoop: loop)
        task = Task { [routes] in
            let response = await routes.answer(request)
            loop.execute { own.value.begin(response) }
            guard case .events(let listener, let live) = response.body else { return }
            defer { live.leave(listener) }
            if request.method != "HEAD" {
                for await bytes in listener.stream {
                    guard (try? await loop.flatSubmit { own.value.write(bytes, on: loop) }.get()) != nil else { return }
                }
            }
            loop.execute { own.value.end() }
        }
    }

    /// Writes the head of an answer, and all of it unless it is a stream.
    private func begin(_ response: AdminResponse, isLast: Bool = false) {
        guard let context, let head else { return }
        var headers = response.headers
        headers.add(name: "Date", value: Timestamp.now().httpDate)
        if isLast || !head.isKeepAlive {
            self.head?.headers.replaceOrAdd(name: "Connection", value: "close")
            headers.add(name: "Connection", value: "close")
        } else if head.version != .http1_1 {
            headers.add(name: "Connection", value: "keep-alive")
        }
        var body: [UInt8]?
        if case .bytes(let bytes) = response.body { body = bytes }
        let isHead = head.method == .HEAD
        if response.status != .notModified, body != nil || isHead {
            headers.add(name: "Content-Length", value: "\(body?.count ?? 0)")
        }
        // A stream to an old client has no chunks.
        let version = body == nil ? head.version : .http1_1
        let answer = HTTPResponseHead(version: version, status: response.status, headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
        guard let body else { return }
        closes(after: Self.answerTime)
        if !isHead, !body.isEmpty {
            let buffer = context.channel.allocator.buffer(bytes: body)
            context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        end()
    }

    private func write(_ bytes: ByteBuffer, on loop: any EventLoop) -> EventLoopFuture<Void> {
        context?.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))))
            ?? loop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }

    /// Ends an answer; the connection is kept where the client wants it.
    private func end() {
        guard let context, let head else { return }
        self.head = nil
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil)))
            .whenComplete { _ in
                if head.isKeepAlive {
                    own.value.closes(after: Self.requestTime)
                } else {
                    own.value.context?.close(promise: nil)
                }
            }
    }

    private func closes(after time: TimeAmount) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated()
            .scheduleTask(in: time) { [weak self] in
                self?.context?.close(promise: nil)
            }
    }
}
#endif
