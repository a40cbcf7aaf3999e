#if Hummingbird && Modules
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOWebSocket
import ShuntLinks
import ShuntInterfaces
import ShuntRules

/// Turns a connection into a WebSocket when a request asks for it at the path of a door.
///
/// It is next to the decoder of HTTP. All other requests pass, as does one that comes before earlier ones are answered.
final class BridgeUpgrade: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let door: BridgeDoor
    /// The request whose end is still to come.
    private var upgrading: HTTPRequestHead?
    /// The requests that passed and are not answered yet.
    private var underWay = 0

    init(_ door: BridgeDoor) { self.door = door }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard underWay == 0, isForDoor(head) else {
                underWay += 1
                return context.fireChannelRead(data)
            }
            upgrading = head
        case .body: if upgrading == nil { context.fireChannelRead(data) }
        case .end:
            guard let head = upgrading else { return context.fireChannelRead(data) }
            upgrading = nil
            answer(head, context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { underWay -= 1 }
        context.write(data, promise: promise)
    }

    private func isForDoor(_ head: HTTPRequestHead) -> Bool {
        head.method == .GET && head.uri.prefix { $0 != "?" } == door.path
            && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
            && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }

    // MARK: The answer

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let origins = head.headers["origin"]
        do {
            let origin = origins.count == 1 ? origins.first : nil
            _ = try door.bridge.caller(from: origin)
            guard head.headers["sec-websocket-version"] == ["13"] else {
                return refuse(.upgradeRequired, text: "this is WebSocket 13", context: context)
            }
            let values = try door.values(Self.request(head))
            // Its response alone: that of the library adds what it adds at the end of the pipeline, after Hummingbird.
            let upgrader = NIOWebSocketServerUpgrader { channel, _ in
                channel.eventLoop.makeSucceededFuture([:])
            } upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeSucceededVoidFuture()
            }
            upgrader.buildUpgradeResponse(channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:])
                .assumeIsolated()
                .whenComplete { result in
                    guard case .success(let headers) = result else {
                        return self.refuse(.badRequest, text: "Sec-WebSocket-Key must be there once", context: context)
                    }
                    self.upgrade(headers, origin: origin, values: values, context: context)
                }
        } catch let error as BridgeError {
            refuse(.forbidden, text: error.description, context: context)
        } catch {
            refuse(HTTPResponseStatus(statusCode: LinkStatus.status(of: error)), text: "", context: context)
        }
    }

    private func refuse(_ status: HTTPResponseStatus, text: String, context: ChannelHandlerContext) {
        let body = ByteBuffer(string: text)
        var headers: HTTPHeaders = ["Connection": "close", "Content-Type": "text/plain; charset=utf-8"]
        headers.add(name: "Content-Length", value: "\(body.readableBytes)")
        if status == .upgradeRequired { headers.add(name: "Sec-WebSocket-Version", value: "13") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    private func upgrade(_ headers: HTTPHeaders, origin: String?, values: CallValues, context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
            // The decoder goes when it has read this request to its end.
            pipeline.removeHandler(context: decoder).assumeIsolated()
                .whenSuccess {
                    let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
                    context.writeAndFlush(self.wrapOutboundOut(.head(head)), promise: nil)
                    do {
                        pipeline.removeHandler(encoder, promise: nil)
                        // It sees requests alone, and would take the connection for an idle one.
                        pipeline.removeHandler(
                            try pipeline.handler(type: HTTPConnectionStateHandler.self),
                            promise: nil
                        )
                        let frames = ByteToMessageHandler(
                            WebSocketFrameDecoder(maxFrameSize: self.door.bridge.options.messageSize)
                        )
                        let socket = BridgeSocket(self.door, origin: origin, values: values)
                        try pipeline.addHandlers([WebSocketFrameEncoder(), frames, socket], position: .before(self))
                    } catch {
                        context.close(promise: nil)
                    }
                }
        } catch {
            context.close(promise: nil)
        }
    }

    private static func request(_ head: HTTPRequestHead) -> RuleRequest {
        let host = head.headers.first(name: "host").map { Array($0.utf8) }
        var request = RuleRequest(target: Array(head.uri.utf8), host: host)
        request.headers = head.headers.map { RuleRequest.Header($0.name, $0.value) }
        return request
    }
}
#endif
