#if Client
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP server of a few lines whose answers follow from the path; on this machine only.
enum ScriptedServer {
    /// Runs it for as long as a body runs.
    static func run<Value: Sendable>(_ body: @Sendable (_ base: String) async throws -> Value) async throws -> Value {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Script())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Value, any Error>
        do { result = .success(try await body("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")) } catch {
            result = .failure(error)
        }
        try await channel.close()
        return try result.get()
    }
}

/// Answers `/status/N` with the status, `/size/N` with a body of so many bytes, `/hang` never, and everything else with what
/// was asked.
private final class Script: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part): body += part.readableBytesView
        case .end: answer(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head else { return }
        let parts = head.uri.split(separator: "/")
        let number = parts.last.flatMap { Int($0) } ?? 0
        var status = HTTPResponseStatus.ok
        var text =
            "\(head.method.rawValue) \(head.uri) \(head.headers["X-Mark"].joined()) \(String(decoding: body, as: UTF8.self))"
        switch parts.first {
        case "status": status = HTTPResponseStatus(statusCode: number)
        case "size": text = String(repeating: "x", count: number)
        case "hang": return
        case "hello": text = "héllo"
        default: break
        }
        if status == .noContent { text = "" }
        var headers: HTTPHeaders = ["X-Answer": "yes"]
        if status != .noContent { headers.add(name: "Content-Length", value: "\(text.utf8.count)") }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil
        )
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
#endif
